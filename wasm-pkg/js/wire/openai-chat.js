// OpenAI's chat completions.
import { textOf } from '../adapters/content.js'
import { finishOf } from '../adapters/finish.js'
import { saidOf } from '../adapters/partial-answer.js'
import { breakOf } from './interrupted.js'
import { once } from './memoize.js'
import { blocksOf } from './answer-blocks.js'
import { openaiUsage } from './usage.js'

export const format = 'openai-chat'
/** The key of the list of messages. */
export const list = 'messages'

const FINISH = { calls: 'tool_calls', stop: 'stop', length: 'length', filter: 'content_filter' }

const idOf = ({ step }) => `chatcmpl-${step.replaceAll('.', '_')}`

const usageOf = ({ usage }) => openaiUsage(usage, ['prompt', 'completion'])

/** The answer as the body of a response. */
export const body = (answer, { model }) => {
  const { content, reasoning, refusal } = answer
  const calls = blocksOf(answer).filter(({ kind }) => kind === 'call')
  const message = {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal) ? null : content,
    refusal: refusal ?? null,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(calls.length === 0 ? {} : {
      tool_calls: calls.map(({ call: { id, name }, text }) => ({ id, type: 'function', function: { name, arguments: text } })),
    }),
    annotations: [],
  }
  return {
    id: idOf(answer),
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[finishOf(answer)] }],
    usage: usageOf(answer),
    service_tier: 'default',
  }
}

/** The answer as the events of a stream; `at` is when one was recorded, in milliseconds. */
export const events = function* (answer, { model, stream_options: wishes }) {
  const head = { id: idOf(answer), object: 'chat.completion.chunk', created: 0, model }
  const event = (delta, finish = null, at = undefined) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
    return { data: { ...head, choices }, at }
  }
  yield event({ role: 'assistant', content: answer.content === '' ? null : '', refusal: null })
  let index = -1
  for (const { kind, call, deltas } of blocksOf(answer)) {
    if (kind === 'call') {
      index += 1
      const { id, name } = call
      yield event({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }, null, deltas[0]?.at)
    }
    for (const { text, at } of deltas) {
      if (kind === 'call') yield event({ tool_calls: [{ index, function: { arguments: text } }] }, null, at)
      else yield event({ [{ text: 'content', reasoning: 'reasoning_content' }[kind] ?? kind]: text }, null, at)
    }
  }
  if (answer.broken !== undefined) {
    yield* breakOf(answer.broken, { data: errorBody(answer.broken) })
    return
  }
  yield event({}, FINISH[finishOf(answer)])
  if (wishes?.include_usage) yield { data: { ...head, choices: [], usage: usageOf(answer) } }
  yield { data: '[DONE]' }
}

/** An error as the body of a response. */
export const errorBody = ({ type, message, code = null, param = null, divergence }) => ({
  error: { message, type, param, code, ...(divergence ? { divergence } : {}) },
})

/** Every request has its whole history. */
export const unfold = (request) => request

export const keep = () => {}

// What is recorded.

const callOf = ({ id, function: called, custom }) => ({
  id, name: (called ?? custom)?.name, arguments: called ? called.arguments : custom?.input,
})

const messageOf = once(({ role, content, tool_calls: calls, tool_call_id: answers }) => ({
  role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
  content: textOf(content),
  ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
  ...(answers === undefined ? {} : { tool_call_id: answers }),
}))

/** What was sent, as messages of a store; the same objects for the same. */
export const messagesOf = ({ messages }) => messages.map((message) => messageOf(message))

/** The settings of a request, and the tools it declares. */
export const settingsOf = ({ temperature, top_p, max_tokens, max_completion_tokens, stop, seed, tool_choice, reasoning_effort, response_format, tools }) => ({
  config: {
    temperature, top_p, max_tokens: max_completion_tokens ?? max_tokens, stop, seed, tool_choice, reasoning_effort,
    response_schema: response_format?.json_schema?.schema,
  },
  tools: tools?.map(({ function: declared, ...other }) => declared ?? other.custom ?? other),
})

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body is an answer at all. */
export const isAnswer = (body) => isMap(body?.choices?.[0]?.message)

const OTHER_CHOICES = 'has several choices, of which only the first is recorded'
const OLD_CALL = 'calls a function by `function_call`, which is not recorded'

/** What of an answer is not recorded, in words. */
export const leftOut = ({ choices }) => [
  ...(choices.length > 1 ? [OTHER_CHOICES] : []),
  ...(choices[0].message.function_call ? [OLD_CALL] : []),
]

/** An answer as it is recorded, of the body of a response. */
export const read = ({ id, model, choices, usage }) => {
  const [{ message = {}, finish_reason } = {}] = choices ?? []
  return {
    id, model, usage, finish_reason,
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning,
    refusal: message.refusal,
    tool_calls: message.tool_calls?.map(callOf) ?? [],
  }
}

/** The same of the events of a stream: `take` gives the pieces of each. */
export const reader = () => {
  const answer = {}
  const pieces = []
  const left = new Set()
  const pieceOfCall = ({ index = 0, id, function: called }) =>
    ({ tool_call_delta: { index, ...(id ? { id } : {}), ...(called?.name ? { name: called.name } : {}), arguments: called?.arguments ?? '' } })
  return {
    take: ({ data }) => {
      const { id, model, usage, choices } = data ?? {}
      answer.id ??= id
      answer.model ??= model
      if (usage) answer.usage = usage
      if (choices?.some(({ index }) => index)) left.add(OTHER_CHOICES)
      const [{ delta = {}, finish_reason: finish } = {}] = choices?.filter(({ index }) => !index) ?? []
      if (finish) answer.finish_reason = finish
      const { content, refusal, reasoning_content: thought, reasoning = thought, tool_calls: calls } = delta
      if (delta.function_call) left.add(OLD_CALL)
      const said = Object.entries({ reasoning, text: content, refusal }).filter(([, text]) => typeof text === 'string' && text !== '')
      const found = [...said.map(([kind, text]) => ({ [kind]: text })), ...(calls ?? []).map(pieceOfCall)]
      pieces.push(...found)
      return found
    },
    leftOut: () => [...left],
    isDone: () => answer.finish_reason !== undefined,
    end: () => ({ ...answer, ...saidOf(pieces) }),
  }
}
