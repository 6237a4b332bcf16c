// OpenAI's Responses.
import { joinText } from '../adapters/content.js'
import { finishKind } from '../adapters/finish.js'
import { interruptionEvents } from './interrupted.js'
import { memoizeLast, memoizeByObject } from './memoize.js'
import { answerBlocks } from './answer-blocks.js'
import { openaiUsage } from './usage.js'

export const format = 'openai-responses'
/** The key of the list of messages. */
export const messagesKey = 'input'

const INCOMPLETE_REASONS = { length: 'max_output_tokens', filter: 'content_filter' }

const stepId = ({ step }) => step.replaceAll('.', '_')

/** The parts of an answer by the items that they are of: texts that follow one another are one message. */
const outputItems = (answer) => {
  const items = []
  for (const block of answerBlocks(answer)) {
    const kind = block.kind === 'call' || block.kind === 'reasoning' ? block.kind : 'message'
    const last = items.at(-1)
    if (kind === 'message' && last?.kind === 'message') last.parts.push(block)
    else items.push({ kind, parts: [block], id: `${{ call: 'fc', reasoning: 'rs', message: 'msg' }[kind]}_${stepId(answer)}_${items.length + 1}` })
  }
  // Items of the vendor's own tools come before the text about them.
  const output = Array.isArray(answer.metadata?.output) ? answer.metadata.output : []
  const own = output.filter((item) => typeof item?.type === 'string').map((item) => ({ kind: 'own', item, parts: [] }))
  const begin = items.findIndex(({ kind }) => kind !== 'reasoning')
  items.splice(begin < 0 ? items.length : begin, 0, ...own)
  return items
}

const contentPart = (kind, text) => {
  if (kind === 'refusal') return { type: 'refusal', refusal: text }
  return kind === 'reasoning' ? { type: 'summary_text', text } : { type: 'output_text', text, annotations: [], logprobs: [] }
}

/** An item, whole or as it is when it begins. */
const outputItem = ({ kind, id, parts, item }, isWhole) => {
  if (kind === 'own') return item
  const status = isWhole ? 'completed' : 'in_progress'
  const content = isWhole ? parts.map((part) => contentPart(part.kind, part.text)) : []
  if (kind === 'reasoning') return { type: 'reasoning', id, summary: content }
  if (kind === 'message') return { type: 'message', id, status, role: 'assistant', content: content }
  const [{ call, text }] = parts
  return { type: 'function_call', id, call_id: call.id, name: call.name, arguments: isWhole ? text : '', status }
}

const usageFields = ({ usage }) => openaiUsage(usage, ['input', 'output'])

/** Fields that a response echoes from its request, with their defaults. */
const ECHOED_FIELDS = {
  instructions: null, max_output_tokens: null, metadata: {}, parallel_tool_calls: true, previous_response_id: null,
  reasoning: { effort: null, summary: null }, store: true, temperature: 1, text: { format: { type: 'text' } }, tool_choice: 'auto',
  tools: [], top_p: 1, truncation: 'disabled',
}

const responseBody = (answer, request, state) => ({
  id: `resp_${stepId(answer)}`,
  object: 'response',
  created_at: 0,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  model: request.model,
  output: [],
  ...Object.fromEntries(Object.entries(ECHOED_FIELDS).map(([key, otherwise]) => [key, request[key] ?? otherwise])),
  usage: null,
  ...state,
})

const endFields = (answer) => {
  const reason = INCOMPLETE_REASONS[finishKind(answer)]
  return reason === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason } }
}

export const body = (answer, request) => {
  const output = outputItems(answer).map((item) => outputItem(item, true))
  return responseBody(answer, request, { ...endFields(answer), output, usage: usageFields(answer) })
}

const partEvents = function* ({ kind, deltas, text }, item, at) {
  const place = { item_id: item.id, output_index: at }
  if (item.kind === 'call') {
    for (const delta of deltas) yield ['response.function_call_arguments.delta', { ...place, delta: delta.text }, delta.at]
    yield ['response.function_call_arguments.done', { ...place, name: item.parts[0].call.name, arguments: text }]
    return
  }
  const isThought = kind === 'reasoning'
  const [part, name] = isThought ? ['reasoning_summary_part', 'reasoning_summary_text'] : ['content_part', kind === 'refusal' ? kind : 'output_text']
  const inside = { ...place, ...(isThought ? { summary_index: 0 } : { content_index: item.parts.findIndex((one) => one.kind === kind) }) }
  const logprobs = kind === 'text' ? { logprobs: [] } : {}
  yield [`response.${part}.added`, { ...inside, part: contentPart(kind, '') }]
  for (const delta of deltas) yield [`response.${name}.delta`, { ...inside, delta: delta.text, ...logprobs }, delta.at]
  yield [`response.${name}.done`, { ...inside, [kind === 'refusal' ? kind : 'text']: text, ...logprobs }]
  yield [`response.${part}.done`, { ...inside, part: contentPart(kind, text) }]
}

const unnumberedEvents = function* (answer, request) {
  const started = responseBody(answer, request, {})
  yield ['response.created', { response: started }]
  yield ['response.in_progress', { response: started }]
  const items = outputItems(answer)
  for (const [at, item] of items.entries()) {
    yield ['response.output_item.added', { output_index: at, item: outputItem(item, false) }]
    for (const [index, part] of item.parts.entries()) {
      const isBroken = answer.interruption !== undefined && at === items.length - 1 && index === item.parts.length - 1
      for (const event of partEvents(part, item, at)) if (!isBroken || /\.(added|delta)$/.test(event[0])) yield event
      if (isBroken) return
    }
    yield ['response.output_item.done', { output_index: at, item: outputItem(item, true) }]
  }
  if (answer.interruption !== undefined) return
  const whole = body(answer, request)
  yield [`response.${whole.status}`, { response: whole }]
}

export const events = function* (answer, request) {
  let number = 0
  for (const [type, data, at] of unnumberedEvents(answer, request)) {
    yield { event: type, data: { type, sequence_number: number, ...data }, at }
    number += 1
  }
  if (answer.interruption === undefined) return
  const { type: code, message } = answer.interruption
  yield* interruptionEvents(answer.interruption, { event: 'error', data: { type: 'error', sequence_number: number, code, message, param: null } })
}

export { errorBody } from './openai-chat.js'

const inputItems = (input) => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input : []
}

const conversationId = ({ conversation }) => (typeof conversation === 'string' ? conversation : conversation?.id)

/** The request with the history that it refers to. */
export const resolveReferences = (request, references) => {
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const sent = inputItems(request.input)
  const input = sent.map((item, at) => item?.type === 'item_reference' ? references.item(item.id, `input[${at}].id`) : item)
  const isWhole = (before === undefined || before === null) && named === undefined
  if (isWhole && input.every((item, at) => item === sent[at])) return request
  const history = before ? references.historyUpTo(before, 'previous_response_id') : named === undefined ? [] : references.conversation(named)
  return { ...request, input: [...history, ...input] }
}

/** Stores what a later request may refer to. */
export const storeReferences = (request, references, { id, output }) => {
  references.storeItems(output)
  const { previous_response_id: before } = request
  const named = conversationId(request)
  const added = [...resolveReferences({ input: request.input }, references).input ?? []]
  const items = [...(typeof added === 'string' ? inputItems(added) : added), ...output]
  if (named !== undefined) references.addToConversation(named, items)
  references.storeAnswer(id, before ?? undefined, items)
}

const isToolCall = (item) => item?.type === 'function_call' || item?.type === 'custom_tool_call'

const asContentPart = (content) => (typeof content === 'string' ? { type: 'output_text', text: content } : content)

/** Adds a part to a content that may be a text. */
const appendPart = (content, part) => [...(Array.isArray(content) ? content : content === '' ? [] : [asContentPart(content)]), part]

/** Adds an item to the assistant message that it continues. */
const appendItem = (message, item) => {
  const { type = 'message', content, call_id: id, name } = item
  if (type === 'message') {
    const text = joinText(content)
    if (message === undefined) return { role: 'assistant', content: text }
    if (typeof message.content === 'string' && typeof text === 'string') return { ...message, content: message.content + text }
    return { ...message, content: [text].flat().map(asContentPart).reduce(appendPart, message.content) }
  }
  if (isToolCall(item)) {
    const call = { id, name, arguments: item.arguments ?? item.input }
    return { role: 'assistant', content: '', ...message, tool_calls: [...(message?.tool_calls ?? []), call] }
  }
  // Items of the vendor's own tools are sent again unchanged.
  return message === undefined ? { role: 'assistant', content: [item] } : { ...message, content: appendPart(message.content, item) }
}

/** The assistant messages that were built, by the first item of each: a repeated history gives the same objects. */
const assistantMessages = new WeakMap()

/** The assistant message of consecutive items. */
const assistantMessage = (items) => {
  const [first] = items
  const known = assistantMessages.get(first)
  const isKnown = known?.items.length === items.length && known.items.every((item, at) => item === items[at])
  if (isKnown) return known.message
  const message = items.reduce(appendItem, undefined)
  assistantMessages.set(first, { items, message })
  return message
}

/** An item that is a message by itself. */
const standaloneMessage = memoizeByObject(({ type = 'message', role, content, call_id: id, output }) =>
  type === 'message'
    ? { role: role === 'developer' ? 'system' : role, content: joinText(content) }
    : { role: 'tool', content: joinText(output), tool_call_id: id })

const isStandalone = ({ type = 'message', role }) =>
  type === 'message' ? role !== 'assistant' : type === 'function_call_output' || type === 'custom_tool_call_output'

const systemMessage = memoizeLast((content) => ({ role: 'system', content }))

export const messagesOf = ({ instructions, input }) => {
  const found = instructions ? [systemMessage(instructions)] : []
  let items = []
  const end = () => {
    if (items.length > 0) found.push(assistantMessage(items))
    items = []
  }
  for (const item of inputItems(input)) {
    if (isStandalone(item)) {
      end()
      found.push(standaloneMessage(item))
    } else if (item.type !== 'reasoning') items.push(item)
  }
  end()
  return found
}

export const settingsOf = ({ temperature, top_p, max_output_tokens, tool_choice, reasoning, text, tools }) => ({
  config: { temperature, top_p, max_tokens: max_output_tokens, tool_choice, reasoning, response_schema: text?.format?.schema },
  tools: tools?.map(({ type, ...declared }) => (type === 'function' ? declared : { type, name: type, ...declared })),
})

const FINISH = { max_output_tokens: 'length', content_filter: 'content_filter' }

const finishReason = ({ cut, calls, status }) => {
  if (cut?.reason !== undefined) return FINISH[cut.reason] ?? cut.reason
  if (calls.length > 0) return 'tool_calls'
  return status === 'completed' ? 'stop' : undefined
}

/** Whether a body is an answer at all. */
export const isAnswer = (body) => Array.isArray(body?.output)

export const readAnswer = ({ id, model, output = [], usage, status, incomplete_details: cut }) => {
  const itemsOfType = (wanted) => output.filter(({ type }) => type === wanted)
  const parts = itemsOfType('message').flatMap(({ content }) => content ?? [])
  const texts = (kind, key) => parts.filter(({ type }) => type === kind).map((part) => part[key]).join('')
  const thoughts = itemsOfType('reasoning').flatMap(({ summary, content }) => [...(content ?? []), ...(summary ?? [])])
  const calls = output.filter(isToolCall)
  const others = output.filter((item) => !isToolCall(item) && item.type !== 'message' && item.type !== 'reasoning')
  return {
    id, model, usage: usage ?? undefined,
    content: texts('output_text', 'text'),
    refusal: texts('refusal', 'refusal'),
    reasoning: thoughts.map(({ text }) => text ?? '').join('\n'),
    tool_calls: calls.map(({ call_id, name, ...item }) => ({ id: call_id, name, arguments: item.arguments ?? item.input })),
    finish_reason: finishReason({ cut, calls, status }),
    ...(others.length > 0 ? { metadata: { output: others } } : {}),
    output,
  }
}

export const createReader = () => {
  const calls = new Map()
  let response
  let failure
  return {
    take: ({ data }) => {
      switch (data?.type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
        case 'response.reasoning_text.delta':
        case 'response.reasoning_summary_text.delta': {
          const [kind] = /reasoning|refusal|text/.exec(data.type)
          return typeof data.delta === 'string' && data.delta !== '' ? [{ [kind]: data.delta }] : []
        }
        case 'response.output_item.added': {
          if (!isToolCall(data.item)) return []
          const { call_id: id, name } = data.item
          calls.set(data.output_index, calls.size)
          return [{ tool_call_delta: { index: calls.size - 1, id, name, arguments: '' } }]
        }
        case 'response.function_call_arguments.delta':
        case 'response.custom_tool_call_input.delta': {
          const index = calls.get(data.output_index)
          return index === undefined ? [] : [{ tool_call_delta: { index, arguments: data.delta } }]
        }
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          response = data.response
          return []
        case 'error':
          failure = data.error ?? { type: data.code ?? 'error', message: data.message }
          return []
        default: return []
      }
    },
    isDone: () => response !== undefined,
    failure: () => response?.error ?? failure,
    end: () => readAnswer(response ?? {}),
  }
}
