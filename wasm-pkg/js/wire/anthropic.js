// Anthropic's Messages.
import { parseJson } from '../adapters/content.js'
import { finishKind } from '../adapters/finish.js'
import { interruptionEvents } from './interrupted.js'
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
