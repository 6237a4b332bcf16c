// What tests expect of runs, in Vitest and in Jest.
import { TranscriptDivergence, TranscriptError, compact, expand } from 'transcript-workbench'
import { pathOf, textAt, updating, writeText } from './files.js'
import { departure } from './follow.js'
import { holds } from './holds.js'
import { rewrite } from './rewrite.js'
import { transcriptOf } from './subject.js'

/** A matcher of one assertion; `assertion` is made of its arguments. */
const asserting = (name, assertion) => (run, ...given) => {
  const { pass, words } = holds(run, assertion(...given))
  return { pass, message: () => (pass ? `${name}: it does, and was expected not to` : `${name}: ${words}`) }
}

const isBounds = (value) => typeof value === 'object' && value !== null

const countOf = (count) => (isBounds(count) ? count : { value: count })

const isJson = (path) => /\.json$/i.test(path)

/** A new recording: in the short form where it says all of the run. */
const begin = (path, run) => {
  const text = isJson(path) ? expand(run, { format: 'json' }).text : (compact(run).text ?? run)
  writeText(path, text)
  return { pass: true, message: () => `${path} was written` }
}

const written = (path, old, run) => {
  const { text, kept } = rewrite(old, run)
  if (text === null) {
    return { pass: false, message: () => `${path} cannot be read, so that it is not changed: mend or delete it first` }
  }
  if (text !== old) writeText(path, text)
  return { pass: true, message: () => `${path} was ${kept ? 'changed' : 'written anew'}` }
}

async function toFollowTranscript(run, file, options) {
  const path = pathOf(file, this.testPath)
  const text = await transcriptOf(run)
  const update = updating(this)
  const recording = textAt(path)
  if (recording === undefined) {
    if (this.isNot || update === 'none') {
      return { pass: this.isNot, message: () => `there is no recording ${path}; run the test with -u to write it` }
    }
    return begin(path, text)
  }
  let found
  try {
    found = await departure({ text: recording, file: path }, text, options)
  } catch (error) {
    if (error instanceof TranscriptDivergence || !(error instanceof TranscriptError)) throw error
    found = `${path} cannot be replayed: ${error.message}`
  }
  if (found === undefined) return { pass: true, message: () => `the run follows ${path}, and was expected not to` }
  if (update === 'all' && !this.isNot) return written(path, recording, text)
  return { pass: false, message: () => `${found}\n\nif the change is meant, run the test with -u: it changes ${path}` }
}

function toBeComplete(tape) {
  try {
    tape.assertComplete()
    return { pass: true, message: () => 'the whole recording was played, and was expected not to be' }
  } catch (error) {
    return { pass: false, message: () => error.message }
  }
}

/** All matchers, for `expect.extend()`. */
export const matchers = {
  toFollowTranscript,
  toBeComplete,
  toCallTool: asserting('toCallTool', (tool, parameters) => ({ type: 'tool_called', tool, ...(parameters && { parameters }) })),
  toCallToolTimes: asserting('toCallToolTimes', (tool, count) => ({ type: 'tool_call_count', tool, ...countOf(count) })),
  toCallToolsInOrder: asserting('toCallToolsInOrder', (tools, mode = 'strict') => ({ type: 'tool_sequence', tools, mode })),
  toAnswer: asserting('toAnswer', (pattern, more) => ({ type: 'final_response_contains', pattern, ...more })),
  toHaveContext: asserting('toHaveContext', (key, value) => ({ type: 'context_value', key, value })),
  toStayWithinTurns: asserting('toStayWithinTurns', (most) => ({ type: 'max_turns', value: most })),
  toStayWithinTokens: asserting('toStayWithinTokens', (most) => ({ type: 'max_tokens', value: most })),
  toRunWithoutErrors: asserting('toRunWithoutErrors', () => ({ type: 'no_errors' })),
  toHold: asserting('toHold', (type, fields) => ({ type, ...fields })),
}
