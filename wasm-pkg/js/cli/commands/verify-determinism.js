import { readEvents, verifyDeterminism as prove } from 'transcript-workbench/experimental'
import { onlyInput, readInput } from '../inputs.js'
import { printable } from '../printable.js'
import { BIG, PATIENCE } from '../progress.js'
import { counted, failure, warning } from '../report.js'

export const verifyDeterminism = {
  name: 'verify-determinism',
  group: 'events',
  usage: 'verify-determinism RECORDING [--tools FILE] [--handlers FILE] [--order kahn|layers] [--json]',
  summary: 'replay a log of events apart and again, and prove that each time the same comes of it',
  about: [
    'RECORDING is a log of events, or a recording with `_inter_agent_events`; or - for the standard input.',
    'The tools are the functions that the module FILE exports, by their names; other tools give what was recorded.',
    'The handlers are what a module exports, or those of a document in YAML or JSON; what they print goes to the errors.',
    'The second run has a thread and a wasm of its own, shuffled lines and another clock; the third runs the tools',
    'of the first again. All three must write the same trace, and none may fail or wait for longer than MS.',
  ],
  examples: [
    ['transcript verify-determinism events.jsonl', 'replays a log with what was recorded'],
    ['transcript verify-determinism run.json --tools tools.mjs', 'runs live tools'],
    ['transcript verify-determinism events.jsonl --json', 'tells programs'],
  ],
  exits: {
    0: 'the same trace came of it each time',
    1: 'the traces differ, or the replay fails',
    2: 'misuse, or a log that cannot be replayed',
  },
  see: ['order', 'record-replay-spec.md'],
  options: {
    tools: { name: 'FILE', help: 'a module with live tools: (arguments, {agent, callId}) => result' },
    handlers: { name: 'FILE', help: 'what answers for agents: a module with models or functions, or a document with handlers' },
    timeout: { number: true, name: 'MS', help: 'the longest that a tool may take, 60000 unless set; 0 for ever' },
    order: { values: ['kahn', 'layers'], help: 'the order of the events' },
    seed: { number: true, name: 'N', help: 'decides how the lines are shuffled' },
    json: { flag: true, help: 'print what came of it as JSON' },
  },
  run,
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

async function run({ files, values }, terminal) {
  const input = await readInput(onlyInput(verifyDeterminism, files), terminal, values)
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
  if (diagnostics.length > 0) {
    const log = readEvents(input, { maxBytes: values['max-bytes'] })
    terminal.err(log.render({ color: terminal.colourErr(values.color) }))
    log.free()
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
