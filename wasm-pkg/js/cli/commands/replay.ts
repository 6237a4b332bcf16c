import type { Fields } from '../../api/fields.ts'
import type { Diagnostic, Options, ReplayedCall, ReplayMode, ReplaySettings, Source, Tape } from '../../types/index.ts'
import { type AnyTape, loadAgent, runAgent } from '../agent.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { TranscriptAssertionError, TranscriptDivergenceError, TranscriptError, parse, replay as play } from '../core.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
import { type Input, onlyInput, readInput } from '../inputs.ts'
import { withFiles } from '../opening.ts'
import { type Outcome, outline } from '../outline.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError, renderLongError } from '../report.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  agent?: string
  mode: ReplayMode
  ignore?: string[]
  compare?: ReplaySettings['compare']
  order: 'sequence' | 'any'
  timeout?: number
  format: 'text' | 'json'
}

export const replay: Command<Values> = {
  name: 'replay',
  usage: 'replay FILE [--agent MODULE] [--timeout MS] [--format text|json]',
  about: [
    'Sends each recorded request and checks that the recorded response comes back. FILE is a name, or - for stdin.',
    '',
    'With --agent, your agent sends the requests. The default export of MODULE is an async function that takes the tape and passes',
    'it to `aiSdkModel(tape)` or another adapter. In the mode `property`, it returns its messages or reports them to the tape. The',
    'output of the agent goes to stderr.',
  ],
  examples: [
    ['transcript replay run.yaml', 'replay a recording against itself'],
    ['transcript replay run.yaml --agent agent.mjs', 'test an agent against it'],
    ['transcript replay run.yaml --agent agent.mjs --ignore ids,whitespace', 'ignore ids and white space'],
  ],
  exits: { 0: 'the run matches the recording', 1: 'the run differs, or the agent failed', 2: 'invalid arguments, or an unreadable file' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['test', 'serve', 'replay.md', 'adapters.md'],
  options: {
    agent: { name: 'MODULE', help: 'the module with the agent to test' },
    mode: { values: ['strict', 'mocked-tools', 'property'], help: 'how the agent is compared' },
    ignore: { name: 'WHAT', many: true, help: 'differences to ignore: ids, whitespace, …, or a path' },
    compare: { name: 'WHAT', many: true, help: 'also compare: model, settings, tools, result_order, error_text' },
    order: { values: ['sequence', 'any'], help: 'whether agents send requests in the recorded order' },
    timeout: {
      number: true,
      name: 'MS',
      help: 'how long the agent can run, in milliseconds; no limit by default; a loop without await is not stopped',
    },
    format: { values: ['text', 'json'], help: 'for people or programs' },
  },
  run,
}

/** Plays every recorded call in order. A call whose request is not recorded accepts any request. */
export const playAll = (tape: Tape) => {
  const outcomes = new Map<string, Outcome>()
  let divergence: TranscriptDivergenceError | null = null
  let played: ReplayedCall | null | undefined
  while (divergence === null && played !== null) {
    try {
      played = tape.replayNext()
      if (played !== null) outcomes.set(played.step, played.error === undefined ? 'response' : 'error')
    } catch (error) {
      if (!(error instanceof TranscriptDivergenceError)) throw error
      divergence = error
    }
  }
  return { outcomes, divergence }
}

/** The text of an error: the assertions that do not hold, or where the agent threw. */
const renderAgentError = (error: unknown) => {
  if (error instanceof TranscriptAssertionError) return error.rendered
  return renderLongError(`the agent failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}

/** What tapes of some modes have. */
interface PlayedTape extends AnyTape {
  leftover?: readonly string[]
  calls?: readonly unknown[]
}

/** A replay with a mode not known in advance. */
type ReplayOfAnyMode = (source: Source, options: Options & ReplaySettings & { mode: ReplayMode }) => Promise<PlayedTape>

/** Holds an agent against the recording; the exit code. */
const runAgainst = async (input: Input, options: Options, values: Values & CommonValues, terminal: Terminal) => {
  const agent = await loadAgent(values.agent!)
  const { mode, ignore, compare, timeout = 0 } = values
  const strict = mode === 'strict' ? { order: values.order } : {}
  const tape = await (play as ReplayOfAnyMode)(input, {
    ...options,
    mode,
    ...(ignore && { ignore }),
    ...(compare && { compare }),
    ...strict,
  })
  const { divergence, error } = await runAgent(agent, tape, timeout)
  const ok = divergence === null && error === null
  const leftover = tape.leftover ?? []
  if (values.format === 'json') {
    const failed = error === null ? null : { name: (error as Fields)?.name ?? null, message: (error as Fields)?.message ?? String(error) }
    terminal.out(jsonReport({ file: input.file, ok, mode, error: failed, leftover, divergence }))
  } else {
    if (divergence) terminal.err(renderLongError(divergence.message))
    if (error) terminal.err(renderAgentError(error))
    const calls = tape.calls ? `${pluralize(tape.calls.length, 'model call')}, ` : ''
    terminal.out(
      `${ok ? 'the agent matches the recording' : 'the agent does not match the recording'}: ${calls}${leftover.length} left over\n`,
    )
  }
  // An agent may leave a connection open, which would keep the program from ending.
  terminal.endNow = true
  return ok ? 0 : 1
}

const jsonReport = (
  { divergence, ...rest }: { divergence?: TranscriptDivergenceError | null; [field: string]: unknown },
  diagnostics?: readonly Diagnostic[],
) => {
  const { step, path, recorded, expected, actual, missing, nearest, hint, message } =
    divergence ?? ({} as Partial<TranscriptDivergenceError>)
  const fields = divergence && { step, path, recorded, expected, actual, missing, nearest, hint, message }
  return `${JSON.stringify({ ...rest, divergence: fields ?? null, diagnostics }, null, 2)}\n`
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(replay, files)
  const input = await readInput(name, terminal, values)
  const options = withFiles(input, openOptions(values, name, terminal))
  const document = parse(input, options)
  const { diagnostics } = document
  if (hasOnlyHandlers(document)) {
    const { message, help } = handlersProblem(document, input.file)
    throw new UsageError(message, help)
  }
  if (values.agent !== undefined) return runAgainst(input, options, values, terminal)
  if (values.mode !== 'strict' || values.ignore || values.compare || values.order !== 'sequence' || values.timeout !== undefined) {
    throw new UsageError('--mode, --ignore, --compare, --order and --timeout need --agent', 'name the module of your agent with --agent')
  }
  const asText = values.format === 'text'
  if (asText) terminal.out(document.render({ color: terminal.colorOut(values.color) }))
  let tape: Tape
  try {
    // A call without a recording cannot differ.
    tape = await play(input, { ...options, unrecorded: 'allow' })
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    const [message] = error.message.split('\n')
    if (asText) terminal.err(renderError(message!))
    else terminal.out(jsonReport({ file: input.file, ok: false, calls: 0, leftover: [], steps: [] }, diagnostics))
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
      const [what, where = ''] = divergence.message.split('\n') as [string, string?]
      terminal.err(renderError(/^ +at /.test(where) ? `${what} ${where.trim()}` : what, divergence.hint))
    }
    if (total === 0) {
      terminal.out('the run has no model calls, so there is nothing to replay\n')
      return 0
    }
    const left = leftover.length === 0 ? 'nothing left over' : `left over: ${leftover.join(', ')}`
    terminal.out(`${outcomes.size} of ${pluralize(total, 'model call')} match the recording, ${left}\n`)
  } else {
    const stepOutcomes = steps.map(({ path, kind }) => ({ path, kind, outcome: outcomes.get(path) ?? null }))
    terminal.out(jsonReport({ file: input.file, ok, calls: total, leftover, steps: stepOutcomes, divergence }, diagnostics))
  }
  return ok ? 0 : 1
}
