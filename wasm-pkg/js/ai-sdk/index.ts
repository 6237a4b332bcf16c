// The AI SDK plays a tape as its model. Structural: nothing of `ai` is imported, and nothing of the core.
import { misuse } from '../api/misuse.ts'
import type { AiSdkCall, AiSdkModel, SpecificationVersion } from '../types/ai-sdk.ts'
import type { AgentTape, MockModel, Tape } from '../types/index.ts'
import { chunksOfError } from '../adapters/partial-answer.ts'
import { type Play, createPlayer } from '../adapters/player.ts'
import { generateResult } from './generate.ts'
import { type ThrownError, asApiCallError } from './api-call-error.ts'
import { failingStream, streamResult } from './stream.ts'

export { recordAiSdk } from './recorder.ts'
export type * from '../types/ai-sdk.ts'

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

/** A call of the model with what a mock or a comparison looks at. */
interface ModelCall extends AiSdkCall {
  tools?: readonly { name: string }[]
  [setting: string]: unknown
}

/** Settings of the model that a mock may look at. */
const settingsOf = (call: ModelCall) => ({
  ...Object.fromEntries(SETTINGS.filter((name) => call[name] !== undefined).map((name) => [name, call[name]])),
  tools: (call.tools ?? []).map(({ name }) => name),
})

/**
 * A model for `generateText`, `streamText`, agents of the AI SDK and of Mastra that answers from a tape.
 *
 * A run that diverges rejects with a `TranscriptDivergenceError`; in `streamText` its text and its streams do. Call
 * `tape.assertComplete()` afterwards to know that the whole recording was played. A mock model answers according to its
 * handler; a handler that fails on purpose with the status 408, 409, 429 or 5xx is one that the SDK retries.
 *
 * @example
 * const tape = await replay('run.yaml')
 * const { text } = await generateText({ model: aiSdkModel(tape), prompt, tools, stopWhen: isStepCount(9) })
 * tape.assertComplete()
 */
export function aiSdkModel(source: Tape | AgentTape | MockModel, options?: { specificationVersion?: 'v4' }): AiSdkModel
export function aiSdkModel<V extends SpecificationVersion>(
  source: Tape | AgentTape | MockModel,
  options: { specificationVersion: V },
): AiSdkModel<V>
export function aiSdkModel(source: unknown, options: { specificationVersion?: SpecificationVersion } = {}): unknown {
  const { modelId, play, stream } = createPlayer('aiSdkModel', source)
  const { specificationVersion = 'v4' } = options
  if (!VERSIONS.includes(specificationVersion)) {
    throw misuse(`the option \`specificationVersion\` of aiSdkModel() is one of ${VERSIONS.join(', ')}`)
  }
  const answer = async (requestAnswer: Play, call: ModelCall) => {
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
    doGenerate: async (call: ModelCall) => {
      try {
        return (await answer(play, call)).result
      } catch (error) {
        throw asApiCallError(error as ThrownError)
      }
    },
    doStream: async (call: ModelCall) => {
      try {
        const { result, recorded } = await answer(stream, call)
        return streamResult(result, recorded, call.abortSignal)
      } catch (error) {
        const failure = asApiCallError(error as ThrownError)
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
