// What answers for a model of a framework: a tape, or a mock.
import { answerFromReply, isMock, isTape } from './answer.js'

/** How often each mock was asked: several models of one mock give ids that differ. */
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

/** An answer of a tape with its pieces, which a host asks for only when it streams. */
const withRecordedChunks = (tape, step, response) => {
  if (response.chunks !== undefined) return response
  const { chunks } = tape.recordedAnswer?.(step) ?? {}
  return chunks === undefined ? response : { ...response, chunks }
}

/**
 * The id of the model of `source`, and two ways to answer a request in the words of a framework: `play`, and `stream`, whose
 * answers have the recorded pieces. `settings` go to a mock alone: names of tools and settings of the model. `configOf` gives
 * what a tape compares besides messages, the tools as they are declared. `call` is the function that is told of in errors.
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
