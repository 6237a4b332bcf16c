// Whether a run that is over is the recorded one: its requests are played against the recording, strictly.
import { RecordedModelError, TranscriptDivergence, TranscriptError, replay } from 'transcript-workbench'

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

/** A model of its own gives calls ids of its own, so that they are compared only where that is asked for. */
const settingsOf = ({ ignore = [], compare, ...rest } = {}) => ({
  ...rest,
  ...(compare && { compare }),
  ignore: compare?.includes('ids') || ignore.includes('ids') ? ignore : [...ignore, 'ids'],
  mode: 'strict',
})

/**
 * Plays the run in `text` against `recording`. Returns what is different, in words; undefined for nothing. Both are
 * sources of the package; `options` are those of a strict replay.
 */
export const departure = async (recording, text, options) => {
  const tape = await replay(recording, settingsOf(options))
  let run
  try {
    run = await replay({ text, file: 'the run' }, { unrecorded: 'accept' })
  } catch (error) {
    if (error instanceof TranscriptError) return `the run cannot be held against a recording: ${error.message}`
    throw error
  }
  try {
    for (let messages = run.expectedMessages; messages !== null; messages = run.expectedMessages) {
      const actual = outcomeOf(() => run.rehearse())
      if (actual === null) break
      const recorded = outcomeOf(() => tape.request({ format: 'canonical', messages }))
      const told = difference(recorded.step ?? recorded.error?.step, recorded, actual)
      if (told !== undefined) return told
    }
    tape.assertComplete()
    return undefined
  } catch (error) {
    if (error instanceof TranscriptDivergence) return error.message
    throw error
  }
}
