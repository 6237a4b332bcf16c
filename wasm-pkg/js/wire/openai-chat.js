// OpenAI's chat completions.
import { joinText } from '../adapters/content.js'
import { finishKind } from '../adapters/finish.js'
import { mergeChunks } from '../adapters/partial-answer.js'
import { interruptionEvents } from './interrupted.js'
import { memoizeByObject } from './memoize.js'
import { answerBlocks } from './answer-blocks.js'
import { openaiUsage } from './usage.js'

export const format = 'openai-chat'
/** The key of the list of messages. */
export const messagesKey = 'messages'

const FINISH = { calls: 'tool_calls', stop: 'stop', length: 'length', filter: 'content_filter' }

const completionId = ({ step }) => `chatcmpl-${step.replaceAll('.', '_')}`

const usageFields = ({ usage }) => openaiUsage(usage, ['prompt', 'completion'])

/** The answer as the body of a response. */
export const body = (answer, { model }) => {
  const { content, reasoning, refusal } = answer
  const calls = answerBlocks(answer).filter(({ kind }) => kind === 'call')
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
    id: completionId(answer),
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[finishKind(answer)] }],
    usage: usageFields(answer),
    service_tier: 'default',
  }
}

/** The answer as the events of a stream; `at` is when one was recorded, in milliseconds. */
export const events = function* (answer, { model, stream_options: wishes }) {
  const head = { id: completionId(answer), object: 'chat.completion.chunk', created: 0, model }
  const event = (delta, finish = null, at = undefined) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
    return { data: { ...head, choices }, at }
  }
  yield event({ role: 'assistant', content: answer.content === '' ? null : '', refusal: null })
  let index = -1
  for (const { kind, call, deltas } of answerBlocks(answer)) {
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
  if (answer.interruption !== undefined) {
    yield* interruptionEvents(answer.interruption, { data: errorBody(answer.interruption) })
    return
  }
  yield event({}, FINISH[finishKind(answer)])
  if (wishes?.include_usage) yield { data: { ...head, choices: [], usage: usageFields(answer) } }
  yield { data: '[DONE]' }
}

/** An error as the body of a response. */
export const errorBody = ({ type, message, code = null, param = null, divergence }) => ({
  error: { message, type, param, code, ...(divergence ? { divergence } : {}) },
})

/** Every request has its whole history. */
export const resolveReferences = (request) => request

export const storeReferences = () => {}

// What is recorded.

const toolCall = ({ id, function: called, custom }) => ({
  id, name: (called ?? custom)?.name, arguments: called ? called.arguments : custom?.input,
})

const storeMessage = memoizeByObject(({ role, content, tool_calls: calls, tool_call_id: answers }) => ({
  role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
  content: joinText(content),
  ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
  ...(answers === undefined ? {} : { tool_call_id: answers }),
}))

/** What was sent, as messages of a store; the same objects for the same. */
export const messagesOf = ({ messages }) => messages.map((message) => storeMessage(message))

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

const SEVERAL_CHOICES = 'has several choices, of which only the first is recorded'
const LEGACY_FUNCTION_CALL = 'calls a function by `function_call`, which is not recorded'

/** What of an answer is not recorded, for reports. */
export const unrecordedParts = ({ choices }) => [
  ...(choices.length > 1 ? [SEVERAL_CHOICES] : []),
  ...(choices[0].message.function_call ? [LEGACY_FUNCTION_CALL] : []),
]

/** An answer as it is recorded, of the body of a response. */
export const readAnswer = ({ id, model, choices, usage }) => {
  const [{ message = {}, finish_reason } = {}] = choices ?? []
  return {
    id, model, usage, finish_reason,
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning,
    refusal: message.refusal,
    tool_calls: message.tool_calls?.map(toolCall) ?? [],
  }
}

/** The same of the events of a stream: `take` gives the pieces of each. */
export const createReader = () => {
  const answer = {}
  const chunks = []
  const unrecorded = new Set()
  const callDelta = ({ index = 0, id, function: called }) =>
    ({ tool_call_delta: { index, ...(id ? { id } : {}), ...(called?.name ? { name: called.name } : {}), arguments: called?.arguments ?? '' } })
  return {
    take: ({ data }) => {
      const { id, model, usage, choices } = data ?? {}
      answer.id ??= id
      answer.model ??= model
      if (usage) answer.usage = usage
      if (choices?.some(({ index }) => index)) unrecorded.add(SEVERAL_CHOICES)
      const [{ delta = {}, finish_reason: finish } = {}] = choices?.filter(({ index }) => !index) ?? []
      if (finish) answer.finish_reason = finish
      const { content, refusal, reasoning_content: thought, reasoning = thought, tool_calls: calls } = delta
      if (delta.function_call) unrecorded.add(LEGACY_FUNCTION_CALL)
      const texts = Object.entries({ reasoning, text: content, refusal }).filter(([, text]) => typeof text === 'string' && text !== '')
      const found = [...texts.map(([kind, text]) => ({ [kind]: text })), ...(calls ?? []).map(callDelta)]
      chunks.push(...found)
      return found
    },
    unrecordedParts: () => [...unrecorded],
    isDone: () => answer.finish_reason !== undefined,
    end: () => ({ ...answer, ...mergeChunks(chunks) }),
  }
}
