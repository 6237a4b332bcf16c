import { detect } from 'transcript-workbench'
import { readEvents, verifyDeterminism as prove } from 'transcript-workbench/experimental'
import { DEFAULT_LIMIT } from '../../api/gzip.js'
import { onlyInput, readInput } from '../inputs.js'
import { printable } from '../printable.js'
import { BIG, PATIENCE } from '../progress.js'
import { NAMED, SETTINGS } from '../reads.js'
import { counted, failure, warning } from '../report.js'
import { verifyTwice } from '../twice.js'

export const verifyDeterminism = {
  name: 'verify-determinism',
  group: 'events',
  usage: 'verify-determinism FILE [--seed N] [--tools FILE] [--handlers FILE] [--order kahn|layers] [--json]',
  summary: 'run a transcript or a log of events again, and prove that each time the same comes of it',
  about: [
    'FILE is a transcript, handlers with `steps`, a log of events, or a recording with `_inter_agent_events`; or - for',
    'the standard input.',
    'A transcript is replayed strictly, and steps are simulated; the second run has the keys of every map the other way',
    'round. Where it parts from the first, the step, the path and both values are told, with the steps around.',
    'A log of events may run live code. The tools are the functions that the module FILE exports, by their names;',
    'other tools give what was recorded.',
    'The handlers are what a module exports, or those of a document in YAML or JSON; what they print goes to the errors.',
    'The second run has a thread and a wasm of its own, shuffled lines and another clock; the third runs the tools',
    'of the first again. All three must write the same trace, and none may fail or wait for longer than MS.',
  ],
  examples: [
    ['transcript verify-determinism run.yaml', 'runs a transcript twice'],
    ['transcript verify-determinism events.jsonl', 'replays a log with what was recorded'],
    ['transcript verify-determinism run.json --tools tools.mjs', 'runs live tools'],
    ['transcript verify-determinism events.jsonl --json', 'tells programs'],
  ],
  exits: {
    0: 'the same came of it each time',
    1: 'the runs differ, or the replay fails',
    2: 'misuse, or a file that cannot be run',
  },
  reads: [SETTINGS, NAMED],
  see: ['order', 'simulate', 'record-replay-spec.md'],
  options: {
    tools: { name: 'FILE', help: 'a module with live tools for a log: (arguments, {agent, callId}) => result' },
    handlers: { name: 'FILE', help: 'what answers for agents of a log: a module with models or functions, or a document with handlers' },
    timeout: { number: true, name: 'MS', help: 'the longest that a tool may take, 60000 unless set; 0 for ever' },
    order: { values: ['kahn', 'layers'], help: 'the order of the events of a log' },
    seed: { number: true, name: 'N', help: 'decides how the lines of a log are shuffled' },
    json: { flag: true, help: 'print what came of it as JSON' },
  },
  run,
}

const TRANSCRIPTS = ['full', 'partial', 'compact', 'handlers']

/** What a file is by its content; a log may be larger than any transcript, and is then not looked through for one. */
const looksLike = ({ bytes }, { 'max-bytes': most = DEFAULT_LIMIT }) => (bytes.length > most ? undefined : detect({ bytes }))

/** Entries among which one that is an event is looked for. */
const FIRST = 1000

/** Whether a log that cannot be read has anything in it that was meant as an event. */
const hasEvents = (log) =>
  log.card.events > 0 && (log.card.shape === 'recording' || log.rows({ count: FIRST }).some(({ id }) => id !== ''))

/** What is said of a file that can be run in neither way, and the remedy. */
const strangerWords = (file, found) => {
  const words = `\`${file}\` is neither a transcript nor a log of events`
  if (found === undefined) return [words]
  if (found.kind === 'unknown') return [`${words}: ${found.reason}`]
  return [`${words}, but looks like ${found.kind}: ${found.reason}`, '`transcript convert` makes a transcript of it']
}

const WHICH = [undefined, 'first', 'second', 'third']

const value = (data) => (data === null || data === undefined ? 'nothing' : JSON.stringify(data))

const words = ({ divergence, failures, failed }, which) => {
  const lines = []
  if (divergence) {
    const { event, field, line, first, second } = divergence
    const place = event ? `the event ${event}` : `line ${line} of the traces`
    lines.push(failure(`the ${which} run parts from the first at ${place}${field ? `, in \`${field}\`` : ''}`))
    lines.push(`  first run: ${printable(value(first))}\n  ${which} run: ${printable(value(second))}\n\n`)
    lines.push(`${divergence.diff.split('\n').map(printable).join('\n')}`)
  }
  if (failed > 0) {
    lines.push(failure(`the replay fails: ${counted(failed, 'event')} could not be done as the log has it`, 'a replay that fails the same way each time is no success'))
    for (const { event, message } of failures.slice(0, 10)) lines.push(`  ${printable(`${event}: ${message}`)}\n`)
  }
  return lines.join('')
}

async function run({ files, values, set }, terminal) {
  const name = onlyInput(verifyDeterminism, files)
  const input = await readInput(name, terminal, values)
  const found = looksLike(input, values)
  if (TRANSCRIPTS.includes(found?.kind)) return verifyTwice(input, found.kind, { files: [name], values, set }, terminal)
  const { order, seed = 1, tools, handlers, timeout } = values
  const told = (answer) => {
    if (values.json) terminal.out(`${JSON.stringify(answer, null, 2)}\n`)
  }
  const begin = performance.now()
  const onProgress = ({ done, total }) => {
    const isLong = input.bytes.length >= BIG || performance.now() - begin >= PATIENCE
    if (terminal.showsProgress && isLong && done < total) terminal.progress(`run ${done + 1} of ${total}`)
  }
  const options = { order, seed, timeout, tools, handlers, apart: true, maxBytes: values['max-bytes'], onProgress }
  terminal.modulesToErr()
  // What a tool left running must not keep the program from its end.
  terminal.endNow = true
  const { readable, diagnostics, warnings, ...proved } = await prove(input, options).catch((error) => {
    told({ ok: false, problem: { message: error.message } })
    throw error
  })
  let isStranger = false
  if (diagnostics.length > 0) {
    const log = readEvents(input, { maxBytes: values['max-bytes'] })
    // A diagnostic for each line of a text that was never meant as a log helps nobody.
    isStranger = !readable && found?.kind !== 'event-log' && !hasEvents(log)
    if (!isStranger) terminal.err(log.render({ color: terminal.colourErr(values.color) }))
    log.free()
  }
  if (isStranger) {
    const [message, help] = strangerWords(input.file, found)
    terminal.err(failure(message, help))
    told({ ok: false, problem: { message } })
    return 2
  }
  if (!readable) {
    terminal.err(failure('the log has errors, and cannot be replayed'))
    told({ ok: false, identical: false, divergence: null, failed: 0, failures: [], warnings, diagnostics })
    return 2
  }
  const { ok, identical, divergence, parted, failed, failures, ran, drifted, answered, events } = proved
  if (events === 0) {
    for (const words of warnings) terminal.err(failure(words))
    told({ ok, identical, divergence, failed, failures, events, warnings, diagnostics })
    return 2
  }
  for (const words of warnings) terminal.err(warning(words))
  const which = WHICH[parted ?? 0]
  told({ ok, identical, divergence, run: which ?? null, failed, failures, ran, answered, drifted, events, warnings, diagnostics })
  if (!ok) {
    terminal.err(words({ divergence, failures, failed }, which))
    return 1
  }
  if (drifted > 0) {
    terminal.err(answered > 0
      ? `${counted(drifted, 'tool result or answer', 'tool results or answers')} did not fit the log\n`
      : `${counted(drifted, 'tool result')} did not fit the hash in the log\n`)
  }
  if (!values.json) {
    const parts = [counted(events, 'event')]
    if (ran > 0) parts.push(`${counted(ran, 'tool call')} run`)
    if (answered > 0) parts.push(`${counted(answered, 'answer')} given by handlers`)
    terminal.out(`${parts.join(', ')}, the same trace each time\n`)
  }
  return 0
}
