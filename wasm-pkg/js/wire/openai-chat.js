// OpenAI's chat completions.
import { finishKind } from '../adapters/finish.js'
import { interruptionEvents } from './interrupted.js'
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
