// OpenAI's Responses.
import { finishKind } from '../adapters/finish.js'
import { interruptionEvents } from './interrupted.js'
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
