// The AI SDK plays a tape as its model. Structural: nothing of `ai` is imported, and nothing of the core.
import { generateResult } from './generate.js'
import { asRecorded } from './failure.js'
import { isMock, mockAnswer } from './mock.js'
import { erroring, streamResult } from './stream.js'

const VERSIONS = ['v4', 'v3', 'v2']

const isTape = (tape) => typeof tape?.request === 'function' && typeof tape.assertComplete === 'function'

/** Throws what the caller gave as the reason when it has given up already. */
const throwIfAborted = (signal) => signal?.throwIfAborted()

/** The id of the model, and what answers a call. */
const playerOf = (source) => {
  if (isMock(source)) {
    let calls = 0
    return { modelId: 'mock', play: (call) => mockAnswer(source, call, String((calls += 1))) }
  }
  if (!isTape(source)) {
    const help = typeof source?.then === 'function' ? '; replay() gives a promise, which has to be awaited' : ''
    throw new TypeError(`aiSdkModel() takes a tape, which replay() makes, or a mock, which mock() makes${help}`)
  }
  const { model } = source.expectedConfig
  const play = ({ prompt }) => source.request({ format: 'ai-sdk', messages: prompt })
  return { modelId: typeof model === 'string' ? model : 'recorded', play }
}

/** A language model of the AI SDK that answers from a tape, or as a mock does. */
export const aiSdkModel = (source, options = {}) => {
  const { modelId, play } = playerOf(source)
  const { specificationVersion = 'v4' } = options
  if (!VERSIONS.includes(specificationVersion)) {
    throw new TypeError(`the option \`specificationVersion\` of aiSdkModel() is one of ${VERSIONS.join(', ')}`)
  }
  const answer = async (call) => {
    throwIfAborted(call.abortSignal)
    return generateResult(await play(call), specificationVersion, modelId)
  }
  return {
    specificationVersion,
    provider: 'transcript-workbench',
    modelId,
    // Every address counts as one that the model fetches by itself, so that a replay downloads nothing.
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async (call) => {
      try {
        return await answer(call)
      } catch (error) {
        throw asRecorded(error)
      }
    },
    doStream: async (call) => {
      try {
        return streamResult(await answer(call), call.abortSignal)
      } catch (error) {
        const shown = asRecorded(error)
        // streamText loses what doStream throws after the first step, and gives the text of that step as if
        // all were well; an error inside of the stream reaches the caller. Only a failure that the recording
        // shows retried is thrown, for what is thrown is what streamText retries.
        if (shown.isRetryable) throw shown
        return { stream: erroring(shown) }
      }
    },
  }
}

export { recordAiSdk } from './recorder.js'
