// Answers for the model of a framework: from a tape, or from a mock.
import { answerFromReply, isMock, isTape } from './answer.ts'

/** The number of calls of each mock: several models of one mock get different ids. */
const callCounts = new WeakMap()

const nextCallNumber = (mock) => {
  const number = (callCounts.get(mock) ?? 0) + 1
  callCounts.set(mock, number)
  return String(number)
}

const checkOptions = (call, options, names) => {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${call}() takes an object of options`)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`${call}() has no option \`${unknown}\`; there is: ${names.join(', ')}`)
  const { agent } = options
  if (agent !== undefined && typeof agent !== 'string') throw new TypeError(`the option \`agent\` of ${call}() is a text`)
}

const tapeForAgent = (call, tape, agent) => {
  if (agent === undefined) return tape
  if (typeof tape.session === 'function') return tape.session({ agent })
  if (tape.agent === agent) return tape
  throw new TypeError(`${call}() got a tape of one agent already, and so takes no option \`agent\``)
}

/** An answer of a tape with its recorded chunks, which a host needs only when it streams. */
const withRecordedChunks = (tape, step, response) => {
  if (response.chunks !== undefined) return response
  const { chunks } = tape.recordedAnswer?.(step) ?? {}
  return chunks === undefined ? response : { ...response, chunks }
}

/**
 * The id of the model of `source`, and two functions that answer a request of a framework: `play`, and `stream`, whose answers
 * have the recorded chunks. `settings` go to a mock only: names of tools and settings of the model. `configOf` returns what a
 * tape compares in addition to messages: settings, and tools with their declarations. Errors name the function `call`.
 */
export const createPlayer = (call, source, options = {}) => {
  checkOptions(call, options, ['agent'])
  const { agent } = options
  if (isMock(source)) {
    const agentField = agent === undefined ? {} : { agent }
    const play = async (request, settings, signal) => {
      signal?.throwIfAborted()
      const step = nextCallNumber(source)
      return answerFromReply(await source.call({ ...settings, ...request, ...agentField }, { signal }), step)
    }
    return { modelId: 'mock', play, stream: play }
  }
  if (!isTape(source)) {
    const help = typeof source?.then === 'function' ? '; replay() gives a promise, which has to be awaited' : ''
    throw new TypeError(`${call}() takes a tape, which replay() makes, or a mock, which mock() makes${help}`)
  }
  const tape = tapeForAgent(call, source, agent)
  const { model } = tape.expectedConfig
  const play = async (request, _settings, signal, configOf) => {
    signal?.throwIfAborted()
    return tape.request(tape.compare?.length > 0 ? { ...configOf(), ...request } : request)
  }
  const stream = async (...args) => {
    const { step, response } = await play(...args)
    return { step, response: withRecordedChunks(tape, step, response) }
  }
  return { modelId: typeof model === 'string' ? model : 'recorded', play, stream }
}
