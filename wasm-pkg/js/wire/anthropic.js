// Anthropic's Messages.
import { parseJson, joinText } from '../adapters/content.js'
import { finishKind } from '../adapters/finish.js'
import { interruptionEvents } from './interrupted.js'
import { memoizeLast, memoizeByObject } from './memoize.js'
import { answerBlocks } from './answer-blocks.js'
import { anthropicUsage } from './usage.js'

export const format = 'anthropic'
/** The key of the list of messages. */
export const messagesKey = 'messages'

const STOP = { calls: 'tool_use', stop: 'end_turn', length: 'max_tokens', filter: 'refusal' }

const messageId = ({ step }) => `msg_${step.replaceAll('.', '_')}`

/** Finish reasons that only this vendor has, or that mean more than their kind: a client continues an answer that paused. */
const ANTHROPIC_REASONS = ['pause_turn', 'refusal', 'stop_sequence', 'model_context_window_exceeded', 'compaction']

/** A refusal has no block of its own: it is text, together with the stop reason. */
const stopReason = (answer) => {
  if (answer.refusal) return 'refusal'
  return ANTHROPIC_REASONS.includes(answer.finish_reason) ? answer.finish_reason : STOP[finishKind(answer)]
}

/** Why an answer ended, and the text that ended it. */
const endFields = (answer) => ({ stop_reason: stopReason(answer), stop_sequence: answer.metadata?.stop_sequence ?? null })

const contentBlock = (block) => {
  if (block.kind === 'call') return { type: 'tool_use', id: block.call.id, name: block.call.name, input: parseJson(block.call.arguments) ?? {} }
  if (block.kind === 'own') return block.block
  if (block.kind === 'reasoning') return { type: 'thinking', thinking: block.text, signature: '' }
  return { type: 'text', text: block.text, citations: null }
}

/** The blocks of an answer: blocks of the vendor's own tools come before the text about them. */
const contentBlocks = (answer) => {
  const blocks = answerBlocks(answer)
  const content = Array.isArray(answer.metadata?.content) ? answer.metadata.content : []
  const own = content.filter((block) => typeof block?.type === 'string').map((block) => {
    const deltas = block.input === undefined ? [] : [{ text: JSON.stringify(block.input) }]
    return { kind: 'own', block, deltas }
  })
  const begin = blocks.findIndex(({ kind }) => kind !== 'reasoning')
  return begin < 0 ? [...blocks, ...own] : [...blocks.slice(0, begin), ...own, ...blocks.slice(begin)]
}

const messageBody = (answer, { model }, state) => ({
  id: messageId(answer),
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...anthropicUsage(answer.usage), output_tokens: 0 },
  ...state,
})

export const body = (answer, request) =>
  messageBody(answer, request, {
    content: contentBlocks(answer).map(contentBlock), ...endFields(answer), usage: anthropicUsage(answer.usage),
  })

const DELTAS = { call: ['input_json_delta', 'partial_json'], own: ['input_json_delta', 'partial_json'], reasoning: ['thinking_delta', 'thinking'] }

/** The form of a block when it starts. */
const EMPTY = { text: { text: '' }, thinking: { thinking: '' } }

const untypedEvents = function* (answer, request) {
  yield ['message_start', { message: messageBody(answer, request, {}) }]
  const blocks = contentBlocks(answer)
  for (const [index, block] of blocks.entries()) {
    const content = contentBlock(block)
    yield ['content_block_start', { index, content_block: { ...content, ...(content.input === undefined ? EMPTY[content.type] : { input: {} }) } }]
    const [type, key] = DELTAS[block.kind] ?? ['text_delta', 'text']
    for (const { text, at } of block.deltas) yield ['content_block_delta', { index, delta: { type, [key]: text } }, at]
    // The block that a stream broke off in has no end.
    if (answer.interruption === undefined || index < blocks.length - 1) yield ['content_block_stop', { index }]
  }
  if (answer.interruption !== undefined) return
  yield ['message_delta', { delta: endFields(answer), usage: anthropicUsage(answer.usage) }]
  yield ['message_stop', {}]
}

export const events = function* (answer, request) {
  for (const [type, data, at] of untypedEvents(answer, request)) yield { event: type, data: { type, ...data }, at }
  if (answer.interruption !== undefined) yield* interruptionEvents(answer.interruption, { event: 'error', data: errorBody(answer.interruption) })
}

const TYPES = {
  400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error',
  413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error',
}

export const errorBody = ({ status, type, message, code, param, divergence }) => ({
  type: 'error',
  error: {
    type: code === undefined || code === null ? type ?? TYPES[status] ?? 'api_error' : TYPES[status] ?? 'api_error',
    message,
    ...(code ? { code } : {}), ...(param ? { param } : {}), ...(divergence ? { divergence } : {}),
  },
  request_id: null,
})

const isThread = ({ thread }) => thread?.type === 'continue' && typeof thread.previous_message_id === 'string'

/** The request with the messages of the thread that it continues. */
export const resolveReferences = (request, references) => {
  if (!isThread(request)) return request
  const history = references.historyUpTo(request.thread.previous_message_id, 'thread.previous_message_id')
  const system = history.findLast((message) => 'threadSystem' in message)?.threadSystem
  const messages = [...history.filter((message) => !('threadSystem' in message)), ...request.messages]
  return { ...request, system: request.system ?? system, messages }
}

export const storeReferences = (request, references, { id, content }) => {
  const system = request.system === undefined ? [] : [{ threadSystem: request.system }]
  const added = [...system, ...(request.messages ?? []), { role: 'assistant', content }]
  references.storeAnswer(id, isThread(request) ? request.thread.previous_message_id : undefined, added)
}

const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking'

const textIn = (content) => joinText(Array.isArray(content) ? content.filter((block) => !isThinking(block)) : content)

const toolCall = ({ id, name, input }) => ({ id, name, arguments: input })

/** A message of a store for each result in a message, and one for what else is in it. */
const splitMessage = memoizeByObject(({ role, content }) => {
  if (!Array.isArray(content)) return [{ role, content: content ?? '' }]
  const found = []
  const textMessage = () => {
    if (found.at(-1)?.content !== undefined && !found.at(-1).tool_call_id) return found.at(-1)
    found.push({ role, content: [] })
    return found.at(-1)
  }
  for (const block of content) {
    if (block.type === 'tool_result') {
      found.push({
        role: 'tool', content: textIn(block.content), tool_call_id: block.tool_use_id, ...(block.is_error ? { is_error: true } : {}),
      })
    } else if (block.type === 'tool_use') {
      const message = textMessage()
      message.tool_calls = [...(message.tool_calls ?? []), toolCall(block)]
    } else {
      textMessage().content.push(block)
    }
  }
  return found.map((message) => (message.tool_call_id ? message : { ...message, content: textIn(message.content) }))
})

const systemMessage = memoizeLast((content) => ({ role: 'system', content }))

export const messagesOf = ({ system, messages }) => [
  ...(system === undefined || system === null ? [] : [systemMessage(textIn(system))]),
  ...messages.flatMap((message) => splitMessage(message)),
]

export const settingsOf = ({ temperature, top_p, top_k, max_tokens, stop_sequences, tool_choice, thinking, output_config, output_format, tools }) => ({
  config: {
    temperature, top_p, top_k, max_tokens, stop: stop_sequences, tool_choice, thinking,
    response_schema: output_config?.format?.schema ?? output_format?.schema,
  },
  tools: tools?.map(({ input_schema: parameters, ...declared }) => ({ ...declared, ...(parameters ? { parameters } : {}) })),
})

/** Whether a body is an answer at all. */
export const isAnswer = (body) => Array.isArray(body?.content)

const RECORDED_BLOCKS = ['text', 'thinking', 'redacted_thinking', 'tool_use']

/** What of an answer is not recorded unchanged, for reports. */
export const unrecordedParts = ({ content = [] }) => {
  const isOwn = ({ type }) => !RECORDED_BLOCKS.includes(type)
  const first = content.findIndex(({ type }) => type === 'text' || type === 'tool_use')
  return [
    ...(first >= 0 && content.slice(first).some(isOwn) ? ['says something before what the vendor did itself, which a replay puts first'] : []),
    ...(content.some(({ citations }) => citations?.length > 0) ? ['has citations, which are not recorded'] : []),
  ]
}

export const readAnswer = ({ id, model, content = [], stop_reason, stop_sequence, usage }) => {
  const blocksOfType = (wanted) => content.filter(({ type }) => type === wanted)
  const text = blocksOfType('text').map((block) => block.text).join('')
  const others = content.filter(({ type }) => !RECORDED_BLOCKS.includes(type))
  const metadata = { ...(others.length > 0 ? { content: others } : {}), ...(stop_sequence ? { stop_sequence } : {}) }
  return {
    id, model, usage, finish_reason: stop_reason ?? undefined,
    content: text,
    reasoning: blocksOfType('thinking').map(({ thinking }) => thinking).join('\n'),
    tool_calls: blocksOfType('tool_use').map(toolCall),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    output: content,
  }
}

export const createReader = () => {
  let message
  let isDone = false
  let failure
  const inputs = new Map()
  const calls = new Map()
  const takeDelta = ({ index, delta = {} }) => {
    const block = message?.content[index]
    if (block === undefined) return []
    if (delta.type === 'text_delta') {
      block.text += delta.text
      return [{ text: delta.text }]
    }
    if (delta.type === 'thinking_delta') {
      block.thinking += delta.thinking
      return [{ reasoning: delta.thinking }]
    }
    if (delta.type === 'signature_delta') block.signature = delta.signature
    if (delta.type !== 'input_json_delta') return []
    inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json)
    const callDelta = { index: calls.get(index), arguments: delta.partial_json }
    return callDelta.index === undefined ? [] : [{ tool_call_delta: callDelta }]
  }
  return {
    take: ({ data }) => {
      switch (data?.type) {
        case 'message_start':
          message = { ...data.message, content: [...(data.message?.content ?? [])] }
          return []
        case 'content_block_start': {
          if (message === undefined) return []
          message.content[data.index] = { ...data.content_block }
          const { type, id, name } = data.content_block
          if (type !== 'tool_use') return []
          calls.set(data.index, calls.size)
          return [{ tool_call_delta: { index: calls.size - 1, id, name, arguments: '' } }]
        }
        case 'content_block_delta': return takeDelta(data)
        case 'message_delta':
          if (message !== undefined) Object.assign(message, data.delta, { usage: { ...message.usage, ...data.usage } })
          return []
        case 'message_stop':
          isDone = true
          return []
        case 'error':
          failure = data.error
          return []
        default: return []
      }
    },
    isDone: () => isDone,
    unrecordedParts: () => unrecordedParts(message ?? {}),
    failure: () => failure,
    end: () => {
      for (const [index, text] of inputs) {
        const block = message.content[index]
        block.input = parseJson(text || '{}')
      }
      return readAnswer(message ?? {})
    },
  }
}
