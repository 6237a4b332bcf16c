// A recorded answer as the result of `doGenerate`.
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

/** The SDK runs tools for `tool-calls` only, and ends its loop for anything else. */
const finish = ({ tool_calls: calls, refusal }) => {
  if (calls.length > 0) return 'tool-calls'
  return refusal ? 'content-filter' : 'stop'
}

/** The result in the shape of `version`. It depends on the recording alone: no clock, no made-up ids. */
export const generateResult = ({ step, response }, version, modelId) => {
  const reason = finish(response)
  return {
    content: content(response),
    finishReason: version === 'v2' ? reason : { unified: reason, raw: undefined },
    usage: usageOf(response.usage, version),
    warnings: [],
    response: { id: `step-${step}`, modelId, timestamp: new Date(0) },
    ...(response.refusal ? { providerMetadata: { transcript: { refusal: response.refusal } } } : {}),
  }
}
