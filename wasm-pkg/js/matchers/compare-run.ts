// Compares a finished run with its recording: its requests are replayed strictly.
import {
  type CanonicalMessage,
  type Json,
  type ReplaySettings,
  type Source,
  type Tape,
  type TapeRequest,
  RecordedModelError,
  TranscriptDivergenceError,
  replay,
} from 'transcript-workbench'
import { misuse } from '../api/misuse.ts'
import type { MatchTranscriptOptions } from '../types/matchers.ts'

/** A message of a run, which may be a refusal. */
export type RunMessage = CanonicalMessage & { refusal?: Json }

/** The compared part of an answer. */
interface Answer {
  content: Json
  refusal?: Json
  tool_calls?: readonly { name: string; arguments: unknown }[] | undefined
}

/** A call of a model: its answer, or how it failed. */
interface PlayedCall {
  step?: string
  response?: Answer
  error?: { message: string; step?: string }
}

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as { [key: string]: unknown })[key], (b as { [key: string]: unknown })[key]))
  )
}

/** Makes a call, or returns how it failed, in the same form as a recorded one. */
const playCall = (play: () => PlayedCall): PlayedCall => {
  try {
    return play()
  } catch (error) {
    if (error instanceof RecordedModelError) return { error }
    throw error
  }
}

const comparedFields = ({ error, response }: PlayedCall) => ({
  error: error?.message ?? null,
  content: response?.content ?? null,
  refusal: response?.refusal ?? null,
  calls: (response?.tool_calls ?? []).map(({ name, arguments: args }) => ({ name, arguments: args })),
})

const KINDS: readonly [key: keyof ReturnType<typeof comparedFields>, what: string][] = [
  ['error', 'the failure of the call'],
  ['content', 'the text of the response'],
  ['refusal', 'the refusal'],
  ['calls', 'the list of tool calls'],
]

/** Describes how two answers to the same request differ; undefined if they are equal. */
const describeDifference = (step: string | undefined, recorded: PlayedCall, actual: PlayedCall) => {
  const [left, right] = [comparedFields(recorded), comparedFields(actual)]
  const found = KINDS.find(([key]) => !isSame(left[key], right[key]))
  if (found === undefined) return undefined
  const [key, what] = found
  return `step ${step}: ${what} differs from the recording\n  expected: ${JSON.stringify(left[key])}\n  actual:   ${JSON.stringify(right[key])}`
}

/** What `compare` may add: a run has no request with a model, settings or tools. */
const COMPARED: readonly string[] = ['result_order', 'error_text']

/** Refuses what a strict replay compares, and a run does not have. */
export const checkCompared = ({ compare }: MatchTranscriptOptions = {}) => {
  // `replay` refuses what is no list.
  const unknown = Array.isArray(compare) ? compare.find((what) => !COMPARED.includes(what)) : undefined
  if (unknown !== undefined) throw misuse(`\`compare\` of toMatchTranscript() has no \`${unknown}\`; there is: ${COMPARED.join(', ')}`)
}

/** A model of its own gives calls ids of its own, so that those are never compared. */
const settingsOf = ({ ignore = [], ...rest }: MatchTranscriptOptions = {}): ReplaySettings & { mode: 'strict' } => ({
  ...rest,
  ignore: ignore.includes('ids') ? ignore : [...ignore, 'ids'],
  mode: 'strict',
})

/** The messages of a request, and what came back. */
type Call = [messages: readonly RunMessage[], actual: PlayedCall]

/** The calls of a run that is plain data: the messages of each request, and its answer. */
const callsOfMessages = function* (messages: readonly RunMessage[]): Generator<Call> {
  for (const [at, { role, content, refusal, tool_calls: calls }] of messages.entries()) {
    if (role === 'assistant')
      yield [messages.slice(0, at), { response: { content: content ?? '', refusal: refusal ?? null, tool_calls: calls } }]
  }
}

/** The same for a transcript. */
const callsOfTranscript = function* (run: Tape): Generator<Call> {
  for (let messages = run.expectedMessages; messages !== null; messages = run.expectedMessages) {
    const actual = run.replayNext()
    if (actual === null) return
    yield [messages, actual]
  }
}

/**
 * Replays a run against `recording`. Returns the first difference as text; undefined if there is none. The run is a list of
 * canonical messages, or a source of the package, like the recording; `options` are those of a strict replay.
 */
export const findDifference = async (
  recording: Source,
  run: readonly RunMessage[] | Source,
  options: MatchTranscriptOptions | undefined,
) => {
  const tape = await replay(recording, settingsOf(options))
  const calls = Array.isArray(run) ? callsOfMessages(run) : callsOfTranscript(await replay(run as Source, { unrecorded: 'allow' }))
  try {
    for (const [messages, actual] of calls) {
      const recorded = playCall(() => tape.request({ format: 'canonical', messages } as TapeRequest))
      const found = describeDifference(recorded.step ?? recorded.error?.step, recorded, actual)
      if (found !== undefined) return `${tape.file}: ${found}`
    }
    tape.assertComplete()
    return undefined
  } catch (error) {
    if (error instanceof TranscriptDivergenceError) return error.message
    throw error
  }
}
