// OpenAI's Responses.
import { textOf } from '../adapters/content.js'
import { finishOf } from '../adapters/finish.js'
import { breakOf } from './interrupted.js'
import { latest, once } from './memoize.js'
import { blocksOf } from './answer-blocks.js'
import { openaiUsage } from './usage.js'

export const format = 'openai-responses'
/** The key of the list of messages. */
export const list = 'input'

const CUT = { length: 'max_output_tokens', filter: 'content_filter' }

const told = ({ step }) => step.replaceAll('.', '_')

/** The parts of an answer by the items that they are of: texts that follow one another are one message. */
const itemsOf = (answer) => {
  const items = []
  for (const block of blocksOf(answer)) {
    const kind = block.kind === 'call' || block.kind === 'reasoning' ? block.kind : 'message'
    const last = items.at(-1)
    if (kind === 'message' && last?.kind === 'message') last.parts.push(block)
    else items.push({ kind, parts: [block], id: `${{ call: 'fc', reasoning: 'rs', message: 'msg' }[kind]}_${told(answer)}_${items.length + 1}` })
  }
  // What the vendor did itself stands before what it said of it.
  const output = Array.isArray(answer.metadata?.output) ? answer.metadata.output : []
  const own = output.filter((item) => typeof item?.type === 'string').map((item) => ({ kind: 'own', item, parts: [] }))
  const begin = items.findIndex(({ kind }) => kind !== 'reasoning')
  items.splice(begin < 0 ? items.length : begin, 0, ...own)
  return items
}

const partOf = (kind, text) => {
  if (kind === 'refusal') return { type: 'refusal', refusal: text }
  return kind === 'reasoning' ? { type: 'summary_text', text } : { type: 'output_text', text, annotations: [], logprobs: [] }
}

/** An item, whole or as it is when it begins. */
const itemOf = ({ kind, id, parts, item }, isWhole) => {
  if (kind === 'own') return item
  const status = isWhole ? 'completed' : 'in_progress'
  const said = isWhole ? parts.map((part) => partOf(part.kind, part.text)) : []
  if (kind === 'reasoning') return { type: 'reasoning', id, summary: said }
  if (kind === 'message') return { type: 'message', id, status, role: 'assistant', content: said }
  const [{ call, text }] = parts
  return { type: 'function_call', id, call_id: call.id, name: call.name, arguments: isWhole ? text : '', status }
}

const usageOf = ({ usage }) => openaiUsage(usage, ['input', 'output'])

/** What a response says again of its request, with what is said where the request does not. */
const SAID_AGAIN = {
  instructions: null, max_output_tokens: null, metadata: {}, parallel_tool_calls: true, previous_response_id: null,
  reasoning: { effort: null, summary: null }, store: true, temperature: 1, text: { format: { type: 'text' } }, tool_choice: 'auto',
  tools: [], top_p: 1, truncation: 'disabled',
}

const responseOf = (answer, request, state) => ({
  id: `resp_${told(answer)}`,
  object: 'response',
  created_at: 0,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  model: request.model,
  output: [],
  ...Object.fromEntries(Object.entries(SAID_AGAIN).map(([key, otherwise]) => [key, request[key] ?? otherwise])),
  usage: null,
  ...state,
})

const endOf = (answer) => {
  const reason = CUT[finishOf(answer)]
  return reason === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason } }
}

export const body = (answer, request) => {
  const output = itemsOf(answer).map((item) => itemOf(item, true))
  return responseOf(answer, request, { ...endOf(answer), output, usage: usageOf(answer) })
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
  yield [`response.${part}.added`, { ...inside, part: partOf(kind, '') }]
  for (const delta of deltas) yield [`response.${name}.delta`, { ...inside, delta: delta.text, ...logprobs }, delta.at]
  yield [`response.${name}.done`, { ...inside, [kind === 'refusal' ? kind : 'text']: text, ...logprobs }]
  yield [`response.${part}.done`, { ...inside, part: partOf(kind, text) }]
}

const unnumbered = function* (answer, request) {
  const begun = responseOf(answer, request, {})
  yield ['response.created', { response: begun }]
  yield ['response.in_progress', { response: begun }]
  const items = itemsOf(answer)
  for (const [at, item] of items.entries()) {
    yield ['response.output_item.added', { output_index: at, item: itemOf(item, false) }]
    for (const [index, part] of item.parts.entries()) {
      const isBroken = answer.broken !== undefined && at === items.length - 1 && index === item.parts.length - 1
      for (const event of partEvents(part, item, at)) if (!isBroken || /\.(added|delta)$/.test(event[0])) yield event
      if (isBroken) return
    }
    yield ['response.output_item.done', { output_index: at, item: itemOf(item, true) }]
  }
  if (answer.broken !== undefined) return
  const whole = body(answer, request)
  yield [`response.${whole.status}`, { response: whole }]
}

export const events = function* (answer, request) {
  let number = 0
  for (const [type, data, at] of unnumbered(answer, request)) {
    yield { event: type, data: { type, sequence_number: number, ...data }, at }
    number += 1
  }
  if (answer.broken === undefined) return
  const { type: code, message } = answer.broken
  yield* breakOf(answer.broken, { event: 'error', data: { type: 'error', sequence_number: number, code, message, param: null } })
}

export { errorBody } from './openai-chat.js'

const listOf = (input) => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input : []
}

const conversationOf = ({ conversation }) => (typeof conversation === 'string' ? conversation : conversation?.id)

/** The request with the history that it refers to. */
export const unfold = (request, memory) => {
  const { previous_response_id: before } = request
  const named = conversationOf(request)
  const own = listOf(request.input)
  const input = own.map((item, at) => item?.type === 'item_reference' ? memory.item(item.id, `input[${at}].id`) : item)
  const isWhole = (before === undefined || before === null) && named === undefined
  if (isWhole && input.every((item, at) => item === own[at])) return request
  const history = before ? memory.upTo(before, 'previous_response_id') : named === undefined ? [] : memory.conversation(named)
  return { ...request, input: [...history, ...input] }
}

/** Keeps what a later request may refer to. */
export const keep = (request, memory, { id, output }) => {
  memory.keepItems(output)
  const { previous_response_id: before } = request
  const named = conversationOf(request)
  const added = [...unfold({ input: request.input }, memory).input ?? []]
  const items = [...(typeof added === 'string' ? listOf(added) : added), ...output]
  if (named !== undefined) memory.addToConversation(named, items)
  memory.keepAnswer(id, before ?? undefined, items)
}

const isCall = (item) => item?.type === 'function_call' || item?.type === 'custom_tool_call'

const partOfText = (said) => (typeof said === 'string' ? { type: 'output_text', text: said } : said)

/** A text and a part of another kind, as one content. */
const withPart = (content, part) => [...(Array.isArray(content) ? content : content === '' ? [] : [partOfText(content)]), part]

/** Adds an item to the message of the model that it goes on with. */
const joined = (message, item) => {
  const { type = 'message', content, call_id: id, name } = item
  if (type === 'message') {
    const said = textOf(content)
    if (message === undefined) return { role: 'assistant', content: said }
    if (typeof message.content === 'string' && typeof said === 'string') return { ...message, content: message.content + said }
    return { ...message, content: [said].flat().map(partOfText).reduce(withPart, message.content) }
  }
  if (isCall(item)) {
    const call = { id, name, arguments: item.arguments ?? item.input }
    return { role: 'assistant', content: '', ...message, tool_calls: [...(message?.tool_calls ?? []), call] }
  }
  // What the vendor did itself is sent again as it came.
  return message === undefined ? { role: 'assistant', content: [item] } : { ...message, content: withPart(message.content, item) }
}

/** The messages of the model that were made, by the first item of each: a history that is sent again gives the same objects. */
const spoken = new WeakMap()

/** The message of the model that items are which follow one another. */
const spokenOf = (items) => {
  const [first] = items
  const known = spoken.get(first)
  const isKnown = known?.items.length === items.length && known.items.every((item, at) => item === items[at])
  if (isKnown) return known.message
  const message = items.reduce(joined, undefined)
  spoken.set(first, { items, message })
  return message
}

/** An item that is a message by itself. */
const aloneOf = once(({ type = 'message', role, content, call_id: id, output }) =>
  type === 'message'
    ? { role: role === 'developer' ? 'system' : role, content: textOf(content) }
    : { role: 'tool', content: textOf(output), tool_call_id: id })

const isAlone = ({ type = 'message', role }) =>
  type === 'message' ? role !== 'assistant' : type === 'function_call_output' || type === 'custom_tool_call_output'

const instructed = latest((content) => ({ role: 'system', content }))

export const messagesOf = ({ instructions, input }) => {
  const found = instructions ? [instructed(instructions)] : []
  let items = []
  const end = () => {
    if (items.length > 0) found.push(spokenOf(items))
    items = []
  }
  for (const item of listOf(input)) {
    if (isAlone(item)) {
      end()
      found.push(aloneOf(item))
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

const finishIn = ({ cut, calls, status }) => {
  if (cut?.reason !== undefined) return FINISH[cut.reason] ?? cut.reason
  if (calls.length > 0) return 'tool_calls'
  return status === 'completed' ? 'stop' : undefined
}

/** Whether a body is an answer at all. */
export const isAnswer = (body) => Array.isArray(body?.output)

export const read = ({ id, model, output = [], usage, status, incomplete_details: cut }) => {
  const of = (wanted) => output.filter(({ type }) => type === wanted)
  const parts = of('message').flatMap(({ content }) => content ?? [])
  const texts = (kind, key) => parts.filter(({ type }) => type === kind).map((part) => part[key]).join('')
  const thoughts = of('reasoning').flatMap(({ summary, content }) => [...(content ?? []), ...(summary ?? [])])
  const calls = output.filter(isCall)
  const others = output.filter((item) => !isCall(item) && item.type !== 'message' && item.type !== 'reasoning')
  return {
    id, model, usage: usage ?? undefined,
    content: texts('output_text', 'text'),
    refusal: texts('refusal', 'refusal'),
    reasoning: thoughts.map(({ text }) => text ?? '').join('\n'),
    tool_calls: calls.map(({ call_id, name, ...item }) => ({ id: call_id, name, arguments: item.arguments ?? item.input })),
    finish_reason: finishIn({ cut, calls, status }),
    ...(others.length > 0 ? { metadata: { output: others } } : {}),
    output,
  }
}

export const reader = () => {
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
          if (!isCall(data.item)) return []
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
    end: () => read(response ?? {}),
  }
}
