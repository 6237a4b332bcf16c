// The AI SDK plays a tape as its model. Structural: nothing of `ai` is imported, and nothing of the core.
import { chunksOfError } from '../adapters/partial-answer.ts'
import { createPlayer } from '../adapters/player.ts'
import { generateResult } from './generate.js'
import { asApiCallError } from './api-call-error.js'
import { failingStream, streamResult } from './stream.js'

export { recordAiSdk } from './recorder.js'

const VERSIONS = ['v4', 'v3', 'v2']

const SETTINGS = [
  'temperature',
  'maxOutputTokens',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'responseFormat',
  'toolChoice',
]

/** Settings of the model that a mock may look at. */
const settingsOf = (call) => ({
  ...Object.fromEntries(SETTINGS.filter((name) => call[name] !== undefined).map((name) => [name, call[name]])),
  tools: (call.tools ?? []).map(({ name }) => name),
})

/** A language model of the AI SDK that answers from a tape, or as a mock does. */
export const aiSdkModel = (source, options = {}) => {
  const { modelId, play, stream } = createPlayer('aiSdkModel', source)
  const { specificationVersion = 'v4' } = options
  if (!VERSIONS.includes(specificationVersion)) {
    throw new TypeError(`the option \`specificationVersion\` of aiSdkModel() is one of ${VERSIONS.join(', ')}`)
  }
  const answer = async (requestAnswer, call) => {
    const settings = settingsOf(call)
    const configOf = () => ({ ...settings, tools: call.tools ?? [] })
    const played = await requestAnswer({ format: 'ai-sdk', messages: call.prompt }, settings, call.abortSignal, configOf)
    return { result: generateResult(played, specificationVersion, modelId), recorded: played.response }
  }
  return {
    specificationVersion,
    provider: 'transcript-workbench',
    modelId,
    // Every address counts as one that the model fetches by itself, so that a replay downloads nothing.
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async (call) => {
      try {
        return (await answer(play, call)).result
      } catch (error) {
        throw asApiCallError(error)
      }
    },
    doStream: async (call) => {
      try {
        const { result, recorded } = await answer(stream, call)
        return streamResult(result, recorded, call.abortSignal)
      } catch (error) {
        const failure = asApiCallError(error)
        // streamText loses what doStream throws after the first step, and returns the text of that step as if nothing had
        // failed; an error inside the stream reaches the caller. Only a failure that was retried in the recording is thrown,
        // since streamText retries what is thrown. A failure after the stream has started is not: the caller has received
        // chunks already.
        const chunks = chunksOfError(error)
        if (failure.isRetryable && chunks === undefined) throw failure
        return { stream: failingStream(failure, chunks, modelId) }
      }
    },
  }
}
