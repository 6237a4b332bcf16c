// Whether a run that is over is the recorded one: its requests are played against the recording, strictly.
import { RecordedModelError, TranscriptDivergence, replay } from 'transcript-workbench'

const same = (a, b) => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
}

/** Makes a call, or says how it failed, as the recording of the same would. */
const outcomeOf = (play) => {
  try {
    return play()
  } catch (error) {
    if (error instanceof RecordedModelError) return { error }
    throw error
  }
}

const saidOf = ({ error, response }) => ({
  error: error?.message ?? null,
  content: response?.content ?? null,
  refusal: response?.refusal ?? null,
  calls: (response?.tool_calls ?? []).map(({ name, arguments: given }) => ({ name, arguments: given })),
})

const KINDS = [['error', 'the failure of the call'], ['content', 'the text of the answer'], ['refusal', 'the refusal'], ['calls', 'the calls of tools']]

/** In what way two answers to the same request differ; undefined when they are alike. */
const difference = (step, recorded, actual) => {
  const [left, right] = [saidOf(recorded), saidOf(actual)]
  const found = KINDS.find(([key]) => !same(left[key], right[key]))
  if (found === undefined) return undefined
  const [key, what] = found
  return `step ${step}: ${what} ${key === 'calls' ? 'are others' : 'is another'} than recorded\n  expected: ${JSON.stringify(left[key])}\n  actual:   ${JSON.stringify(right[key])}`
}

/** A model of its own gives calls ids of its own, so that those are never compared. */
const settingsOf = ({ ignore = [], ...rest } = {}) => ({
  ...rest,
  ignore: ignore.includes('ids') ? ignore : [...ignore, 'ids'],
  mode: 'strict',
})

/** Calls of a run that is plain data: what each was asked with, and what came. */
const callsOf = function* (messages) {
  for (const [at, { role, content, refusal, tool_calls: calls }] of messages.entries()) {
    if (role === 'assistant') yield [messages.slice(0, at), { response: { content: content ?? '', refusal: refusal ?? null, tool_calls: calls } }]
  }
}

/** The same of a transcript. */
const recordedCalls = function* (run) {
  for (let messages = run.expectedMessages; messages !== null; messages = run.expectedMessages) {
    const actual = run.rehearse()
    if (actual === null) return
    yield [messages, actual]
  }
}

/**
 * Plays a run against `recording`. Returns what is different, in words; undefined for nothing. The run is a list of
 * canonical messages, or a source of the package, as the recording; `options` are those of a strict replay.
 */
export const departure = async (recording, run, options) => {
  const tape = await replay(recording, settingsOf(options))
  const calls = Array.isArray(run) ? callsOf(run) : recordedCalls(await replay(run, { unrecorded: 'accept' }))
  try {
    for (const [messages, actual] of calls) {
      const recorded = outcomeOf(() => tape.request({ format: 'canonical', messages }))
      const told = difference(recorded.step ?? recorded.error?.step, recorded, actual)
      if (told !== undefined) return `${tape.file}: ${told}`
    }
    tape.assertComplete()
    return undefined
  } catch (error) {
    if (error instanceof TranscriptDivergence) return error.message
    throw error
  }
}
