// Answers for the model of a framework: from a tape, or from a mock.
import { misuse } from '../api/misuse.ts'
import type { AgentTape, MockModel, MockRequest, Tape, TapeRequest, TapeResponse } from '../types/index.ts'
import { responseFromMock, isMock, isTape } from './answer.ts'

/** Which agent a tape answers, where it has several. */
export interface PlayerOptions {
  agent?: string
}

/** Answers a request; see `createPlayer`. */
export type Play = (
  request: TapeRequest,
  settings: object | undefined,
  signal: AbortSignal | undefined,
  configOf: () => object,
) => Promise<TapeResponse>

/** What answers for the model of a framework. */
export interface Player {
  modelId: string
  play: Play
  stream: Play
}

/** The number of calls of each mock: several models of one mock get different ids. */
const callCounts = new WeakMap<MockModel, number>()

const nextCallNumber = (mock: MockModel) => {
  const number = (callCounts.get(mock) ?? 0) + 1
  callCounts.set(mock, number)
  return String(number)
}

const checkOptions = (call: string, options: PlayerOptions, names: readonly string[]) => {
  if (typeof options !== 'object' || options === null) throw misuse(`${call}() takes an object of options`)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw misuse(`${call}() has no option \`${unknown}\`; there is: ${names.join(', ')}`)
  const { agent } = options
  if (agent !== undefined && typeof agent !== 'string') throw misuse(`the option \`agent\` of ${call}() is a string`)
}

const tapeForAgent = (call: string, tape: Tape | AgentTape, agent: string | undefined) => {
  if (agent === undefined) return tape
  if ('session' in tape) return tape.session({ agent })
  if (tape.agent === agent) return tape
  throw misuse(`${call}() got a tape of one agent already, and so takes no option \`agent\``)
}

/** An answer of a tape with its recorded chunks, which a host needs only when it streams. */
const withRecordedChunks = (tape: Tape | AgentTape, step: string, response: TapeResponse['response']) => {
  if (response.chunks !== undefined) return response
  const { chunks } = tape.recordedResponse?.(step) ?? {}
  return chunks === undefined ? response : { ...response, chunks }
}

/**
 * The id of the model of `source`, and two functions that answer a request of a framework: `play`, and `stream`, whose answers
 * have the recorded chunks. `settings` go to a mock only: names of tools and settings of the model. `configOf` returns what a
 * tape compares in addition to messages: settings, and tools with their declarations. Errors name the function `call`.
 */
export const createPlayer = (call: string, source: unknown, options: PlayerOptions = {}): Player => {
  checkOptions(call, options, ['agent'])
  const { agent } = options
  if (isMock(source)) {
    const agentField = agent === undefined ? {} : { agent }
    const play: Play = async (request, settings, signal) => {
      signal?.throwIfAborted()
      const step = nextCallNumber(source)
      return responseFromMock(await source.call({ ...settings, ...request, ...agentField } as MockRequest, { signal }), step)
    }
    return { modelId: 'mock', play, stream: play }
  }
  if (!isTape(source)) throw misuse(`${call}() takes a tape or a mock: pass \`await replay(file)\` or \`mock(…)\``)
  const tape = tapeForAgent(call, source, agent)
  const { model } = tape.expectedConfig
  const play: Play = async (request, _settings, signal, configOf) => {
    signal?.throwIfAborted()
    return tape.request(tape.compare?.length > 0 ? { ...configOf(), ...request } : request)
  }
  const stream: Play = async (...args) => {
    const { step, response } = await play(...args)
    return { step, response: withRecordedChunks(tape, step, response) }
  }
  return { modelId: typeof model === 'string' ? model : 'recorded', play, stream }
}
