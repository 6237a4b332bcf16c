import type { Fields } from '../../api/fields.ts'
import { DEFAULT_LIMIT } from '../../api/gzip.ts'
import { MISUSE } from '../../api/misuse.ts'
import type { EventLog, EventOrder, Verification } from '../../types/experimental.ts'
import type { Detection } from '../../types/index.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { detect } from '../core.ts'
import { UsageError, ConfigError } from '../failure.ts'
import { type Input, STDIN, inputNames, isNamed, readInput } from '../inputs.ts'
import { printable } from '../printable.ts'
import { BIG, PATIENCE, trackProgress } from '../progress.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError, skippedFilesText, renderWarning } from '../report.ts'
import type { Terminal } from '../terminal.ts'
import { type Verdict, verifyTranscript } from '../verify-transcript.ts'

interface Values {
  tools?: string
  handlers?: string
  timeout?: number
  order: EventOrder
  seed?: number
  json?: true
}

export const verifyDeterminism: Command<Values> = {
  name: 'verify-determinism',
  usage: 'verify-determinism FILES… [--seed N] [--tools FILE] [--handlers FILE] [--order kahn|layers] [--json]',
  about: [
    'FILES are names, folders (searched for .yaml, .yml, .json and .jsonl files), patterns, and - for stdin. Each is a transcript,',
    'handlers with `steps`, an event log, or a recording with `_inter_agent_events`.',
    '',
    'A transcript is replayed strictly, and steps are simulated. The second run has the keys of every map in reverse order. The',
    'first difference is shown with its step, path and both values.',
    '',
    'An event log can run live code: --tools is a module that exports a function for each tool, and other tools return the',
    'recorded results. --handlers is a module, or a YAML or JSON document. Their output goes to stderr. The second run has its own',
    'thread and wasm, shuffled lines and another clock; the third runs the tools again. All three must write the same trace.',
    '',
    'Every file is run, and the exit code is the highest one. With --json, a single FILE prints its result; several print',
    '{"ok", "files"}, with the name of each in "file".',
  ],
  examples: [
    ['transcript verify-determinism run.yaml', 'run a transcript twice'],
    ['transcript verify-determinism events.jsonl', 'replay an event log'],
    ['transcript verify-determinism run.json --tools tools.mjs', 'run live tools'],
    ['transcript verify-determinism events.jsonl --json', 'print JSON'],
    ['transcript verify-determinism run.yaml events.jsonl transcripts/', 'run several files and a folder'],
  ],
  exits: {
    0: 'every file gives the same result each time',
    1: 'the runs differ, or a replay fails',
    2: 'invalid arguments, or a file that cannot be run',
  },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['order', 'simulate', 'record-replay-spec.md'],
  options: {
    tools: { name: 'FILE', help: 'a module with live tools for an event log: (arguments, {agent, callId}) => result' },
    handlers: { name: 'FILE', help: 'a module with models or functions, or a document with handlers, for the agents of an event log' },
    timeout: { number: true, name: 'MS', help: 'how long a tool can take, 60000 by default; 0 for no limit' },
    order: { values: ['kahn', 'layers'], help: 'the order of the events' },
    seed: { number: true, name: 'N', help: 'the seed to shuffle the lines of an event log' },
    json: { flag: true, help: 'print JSON' },
  },
  run,
}

/** The code of a file beyond the limit. */
const TOO_LARGE = 'T004'

const TRANSCRIPTS: readonly (string | undefined)[] = ['full', 'partial', 'compact', 'handlers']

/** What a file is by its content; a log may be larger than any transcript, and is then not searched for one. */
const detectKind = ({ bytes }: Input, { 'max-bytes': most = DEFAULT_LIMIT }: CommonValues) =>
  bytes.length > most ? undefined : detect({ bytes }, { maxBytes: most })

/** Entries to search for an event. */
const FIRST = 1000

/** Whether a log that cannot be read has anything in it that was meant as an event. */
const hasEvents = (log: EventLog) =>
  log.overview.events > 0 && (log.overview.shape === 'recording' || log.rows({ count: FIRST }).some(({ id }) => id !== ''))

/** The message about a file that is neither a transcript nor an event log, and the help. */
const unrelatedFileText = (file: string, found: Detection | undefined): [message: string, help?: string] => {
  const message = `\`${file}\` is neither a transcript nor an event log`
  if (found === undefined) return [message]
  if (found.kind === 'unknown') return [`${message}: ${found.reason}`]
  return [`${message}, but looks like ${found.kind}: ${found.reason}`, 'convert it with `transcript convert`']
}

const RUN_NAMES = [undefined, 'first', 'second', 'third']

const value = (data: unknown) => (data === null || data === undefined ? 'nothing' : JSON.stringify(data))

const renderProblems = (
  { divergence, failures, failed }: Pick<Verification, 'divergence' | 'failures' | 'failed'>,
  which: string | undefined,
) => {
  const lines: string[] = []
  if (divergence) {
    const { event, field, line, first, second } = divergence
    const place = event ? `the event ${event}` : `line ${line} of the traces`
    lines.push(renderError(`the ${which} run differs from the first at ${place}${field ? `, in \`${field}\`` : ''}`))
    lines.push(`  first run: ${printable(value(first))}\n  ${which} run: ${printable(value(second))}\n\n`)
    lines.push(`${divergence.diff.split('\n').map(printable).join('\n')}`)
  }
  if (failed > 0) {
    lines.push(
      renderError(
        `the replay fails: ${pluralize(failed, 'event')} could not be replayed`,
        'a replay that always fails the same way is still a failure',
      ),
    )
    for (const { event, message } of failures.slice(0, 10)) lines.push(`  ${printable(`${event}: ${message}`)}\n`)
  }
  return lines.join('')
}

/** Replays a log of events; the answer is that of `verifyTranscript`. */
const verifyLog = async (
  input: Input,
  kind: Detection | undefined,
  values: Values & CommonValues,
  terminal: Terminal,
): Promise<Verdict> => {
  const { order, seed = 1, tools, handlers, timeout } = values
  const begin = performance.now()
  const onProgress = ({ done, total }: { done: number; total: number }) => {
    const isLong = input.bytes.length >= BIG || performance.now() - begin >= PATIENCE
    if (terminal.showsProgress && isLong && done < total) terminal.progress(`run ${done + 1} of ${total}`)
  }
  const options = { order, seed, timeout, tools, handlers, isolate: true, maxBytes: values['max-bytes'], onProgress }
  terminal.modulesToErr()
  // What a tool left running must not keep the program from its end.
  terminal.endNow = true
  const { readEvents, verifyDeterminism: verifyEvents } = await import('transcript-workbench/experimental')
  const { readable, diagnostics, warnings, ...proved } = await verifyEvents(input, options)
  let rendered = ''
  if (diagnostics.length > 0) {
    const log = readEvents(input, { maxBytes: values['max-bytes'] })
    // A diagnostic for each line of a file that is not a log does not help. What is too large was not read.
    const isTooLarge = diagnostics.some(({ code }) => code === TOO_LARGE)
    if (!readable && !isTooLarge && kind?.kind !== 'event-log' && !hasEvents(log)) {
      const [message, help] = unrelatedFileText(input.file, kind)
      return { code: 2, skipReason: 'unrelated', data: { ok: false, problem: { message } }, line: '', errors: renderError(message, help) }
    }
    rendered = log.render({ color: terminal.colorErr(values.color) })
    log.free()
  }
  if (!readable) {
    const data = { ok: false, identical: false, divergence: null, failed: 0, failures: [], warnings, diagnostics }
    return { code: 2, data, line: '', errors: `${rendered}${renderError('the log has errors and cannot be replayed')}` }
  }
  const { ok, identical, divergence, differingRun, failed, failures, toolCallCount, changedResults, answered, events } = proved
  if (events === 0) {
    const data = { ok, identical, divergence, failed, failures, events, warnings, diagnostics }
    return { code: 2, data, line: '', errors: rendered + warnings.map((message) => renderError(message)).join('') }
  }
  const which = RUN_NAMES[differingRun ?? 0]
  const data = {
    ok,
    identical,
    divergence,
    run: which ?? null,
    failed,
    failures,
    toolCallCount,
    answered,
    changedResults,
    events,
    warnings,
    diagnostics,
  }
  const notes = rendered + warnings.map((message) => renderWarning(message)).join('')
  if (!ok) return { code: 1, data, line: '', errors: notes + renderProblems({ divergence, failures, failed }, which) }
  const what =
    answered > 0
      ? pluralize(changedResults, 'tool result or response', 'tool results or responses')
      : pluralize(changedResults, 'tool result')
  const drift = changedResults > 0 ? `${what} did not match the ${answered > 0 ? 'log' : 'hash in the log'}\n` : ''
  const parts = [pluralize(events, 'event')]
  if (toolCallCount > 0) parts.push(`${pluralize(toolCallCount, 'tool call')} run`)
  if (answered > 0) parts.push(`${pluralize(answered, 'response')} from handlers`)
  return { code: 0, data, line: `${parts.join(', ')}, the same trace each time\n`, errors: notes + drift }
}

const verify = async (name: string, { values, set }: Arguments<Values>, terminal: Terminal) => {
  const input = await readInput(name, terminal, values)
  const kind = detectKind(input, values)
  if (TRANSCRIPTS.includes(kind?.kind)) return verifyTranscript(input, kind!.kind, { name, values, set }, terminal)
  return verifyLog(input, kind, values, terminal)
}

/** The result for a file that could not be run: it does not keep the others from being run. */
const errorResult = (error: unknown): Verdict => {
  if ((!(error instanceof UsageError) && (error as Fields)?.code !== MISUSE) || error instanceof ConfigError) throw error
  const { message, help } = error as UsageError
  return { code: 2, data: { ok: false, problem: { message } }, line: '', errors: renderError(message, help) }
}

/** A result among those of other files: each line that begins it names the file. */
const resultOfFile = (file: string, { code, line, errors }: Verdict) => ({
  out: `${file}: ${code === 0 ? line : `${code === 1 ? 'failed' : 'cannot be run'}\n`}`,
  err: errors === '' ? '' : `${file}:\n${errors}`,
})

async function run(parsed: Arguments<Values>, terminal: Terminal): Promise<number> {
  const { files, values } = parsed
  const names = inputNames(files, /\.(ya?ml|jsonl?)(\.gz)?$/i)
  if (names.length === 0) throw new UsageError('`verify-determinism` needs a file', `transcript ${verifyDeterminism.usage}`)
  const printJson = (data: object) => terminal.out(values.json ? `${JSON.stringify(data, null, 2)}\n` : '')
  if (files.length === 1 && isNamed(names[0]!, files)) {
    const found = await verify(names[0]!, parsed, terminal).catch((error: Error) => {
      // Programs read the reason on the standard output.
      if (!(error instanceof UsageError)) printJson({ ok: false, problem: { message: error.message } })
      throw error
    })
    printJson(found.data)
    terminal.err(found.errors)
    terminal.out(values.json ? '' : found.line)
    return found.code
  }
  const results: (Verdict & { file: string })[] = []
  const skipped = { unrelated: 0, handlers: 0 }
  const progress = trackProgress(terminal, names)
  for (const name of names) {
    progress.next(name)
    const found = await verify(name, parsed, terminal).catch(errorResult)
    if (found.skipReason !== undefined && !isNamed(name, files)) {
      skipped[found.skipReason] += 1
      continue
    }
    const file = name === '-' ? STDIN : name
    results.push({ file, ...found })
    const { out, err } = resultOfFile(printable(file), found)
    terminal.err(err)
    terminal.out(values.json ? '' : out)
  }
  terminal.err(skippedFilesText(skipped.unrelated, skipped.handlers))
  const okCount = results.filter(({ code }) => code === 0).length
  // Nothing was proved of no file.
  const code = results.length === 0 ? 2 : Math.max(...results.map(({ code }) => code))
  printJson({ ok: code === 0, files: results.map(({ file, data }) => ({ file, ...data })) })
  if (results.length === 0) terminal.err(renderError('nothing was verified: no file has a run'))
  else if (!values.json) terminal.out(`${okCount} of ${pluralize(results.length, 'file')} ran the same each time\n`)
  return code
}
