// A recorded answer as the result of `doGenerate`.
import { endOf } from '../adapters/finish.js'
import { usageOf } from './usage.js'

const content = ({ reasoning, content: text, tool_calls: calls }) => [
  ...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []),
  ...(text ? [{ type: 'text', text }] : []),
  // Out of the model the input is a JSON text, though the prompt has it as data.
  ...calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  })),
]

const REASONS = { calls: 'tool-calls', stop: 'stop', length: 'length', filter: 'content-filter' }

/** Words of the SDK for an answer that ended for no reason that others have. */
const OWN = ['error', 'other']

/** Why an answer ended, as recorded: the SDK goes on for `tool-calls`. */
const finish = (response) => {
  const reason = REASONS[endOf(response)]
  return reason === 'stop' && OWN.includes(response.finish_reason) ? response.finish_reason : reason
}

/** The result in the shape of `version`. It depends on the recording alone: no clock, no made-up ids. */
export const generateResult = ({ step, response }, version, modelId) => {
  const reason = finish(response)
  return {
    content: content(response),
    finishReason: version === 'v2' ? reason : { unified: reason, raw: response.finish_reason },
    usage: usageOf(response.usage, version),
    warnings: [],
    response: { id: `step-${step}`, modelId, timestamp: new Date(0) },
    ...(response.refusal ? { providerMetadata: { transcript: { refusal: response.refusal } } } : {}),
  }
}
