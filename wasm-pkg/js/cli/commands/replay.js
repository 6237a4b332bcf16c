import { RecordedModelError, TranscriptDivergence, TranscriptError, parse, replay as play } from 'transcript-workbench'
import { openingOf } from '../arguments.js'
import { onlyInput, readInput } from '../inputs.js'
import { withFiles } from '../opening.js'
import { outline } from '../outline.js'
import { counted, failure } from '../report.js'

export const replay = {
  name: 'replay',
  usage: 'replay FILE [--format text|json]',
  summary: 'play a recording against itself, step by step',
  about: [
    'Sends each recorded request and checks that the recorded answer comes, up to the end of the run.',
    'FILE is a name, or - for the standard input.',
  ],
  example: 'transcript replay run.yaml',
  options: {
    format: { values: ['text', 'json'], help: 'for people, or for programs' },
  },
  run,
}

/** Asks for every recorded call in order. A call whose request is not recorded takes any request. */
const playAll = (tape) => {
  const outcomes = new Map()
  let divergence = null
  let played
  while (divergence === null && played !== null) {
    try {
      played = tape.rehearse()
      if (played !== null) outcomes.set(played.step, 'response')
    } catch (error) {
      if (error instanceof RecordedModelError) outcomes.set(error.step, 'error')
      else if (error instanceof TranscriptDivergence) divergence = error
      else throw error
    }
  }
  return { outcomes, divergence }
}

const report = ({ divergence, ...rest }, diagnostics) => {
  const { step, path, recorded, expected, actual, missing, nearest, hint, message } = divergence ?? {}
  const shown = divergence && { step, path, recorded, expected, actual, missing, nearest, hint, message }
  return `${JSON.stringify({ ...rest, divergence: shown ?? null, diagnostics }, null, 2)}\n`
}

async function run({ files, values }, terminal) {
  const name = onlyInput(replay, files)
  const input = await readInput(name, terminal, values)
  const options = withFiles(input, openingOf(values, name, terminal))
  const document = parse(input, options)
  const { diagnostics } = document
  const asText = values.format === 'text'
  if (asText) terminal.out(document.render({ color: terminal.colourOut(values.color) }))
  let tape
  try {
    // What was not recorded cannot differ from itself.
    tape = await play(input, { ...options, unrecorded: 'accept' })
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    const [message] = error.message.split('\n')
    if (asText) terminal.err(failure(message))
    else terminal.out(report({ file: input.file, ok: false, calls: 0, leftover: [], steps: [] }, diagnostics))
    return 1
  }
  const total = tape.remainingSteps
  const { outcomes, divergence } = playAll(tape)
  const { leftover } = tape
  const ok = divergence === null && leftover.length === 0
  const steps = document.steps
  if (asText) {
    terminal.out(outline(input.file, document, outcomes, terminal.columns))
    if (divergence) {
      const [what, where = ''] = divergence.message.split('\n')
      terminal.err(failure(/^ +at /.test(where) ? `${what} ${where.trim()}` : what, divergence.hint))
    }
    const left = leftover.length === 0 ? 'nothing is left over' : `left over: ${leftover.join(', ')}`
    terminal.out(`${outcomes.size} of ${counted(total, 'model call')} answered as recorded, ${left}\n`)
  } else {
    const told = steps.map(({ path, kind }) => ({ path, kind, outcome: outcomes.get(path) ?? null }))
    terminal.out(report({ file: input.file, ok, calls: total, leftover, steps: told, divergence }, diagnostics))
  }
  return ok ? 0 : 1
}
