// A mock model plays where a recording would.
import { answerOf } from '../wire/mock.js'

export { isMock } from '../wire/mock.js'

const SETTINGS = [
  'temperature', 'maxOutputTokens', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty', 'stopSequences', 'seed',
  'responseFormat', 'toolChoice',
]

/** What the mock answers to a call of the SDK, as a tape would; `step` is the number of the call. */
export const mockAnswer = async (mock, { prompt, tools, abortSignal, ...call }, step) => {
  const given = SETTINGS.filter((name) => call[name] !== undefined).map((name) => [name, call[name]])
  const reply = await mock.call({
    format: 'ai-sdk',
    messages: prompt,
    tools: (tools ?? []).map(({ name }) => name),
    ...Object.fromEntries(given),
  }, { signal: abortSignal })
  return answerOf(reply, step)
}
