import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { compareTraces, readEvents } from 'transcript-workbench/experimental'
import { Misuse } from '../failure.js'
import { onlyInput, readInput } from '../inputs.js'
import { printable } from '../printable.js'
import { counted, failure } from '../report.js'
import { toolsIn } from '../tools-module.js'

export const verifyDeterminism = {
  name: 'verify-determinism',
  usage: 'verify-determinism RECORDING [--tools FILE] [--order kahn|layers] [--seed N] [--json]',
  summary: 'replay a log of events apart and again, and prove that each time the same comes of it',
  about: [
    'RECORDING is a log of events, or a recording with `_inter_agent_events`; or - for the standard input.',
    'The tools are the functions that the module FILE exports, by their names; other tools give what was recorded.',
    'The second run has a thread and a wasm of its own, shuffled lines and another clock; the third runs the tools',
    'of the first again. All three must write the same trace, and none may fail.',
  ],
  example: 'transcript verify-determinism run.json --tools tools.mjs',
  options: {
    tools: { name: 'FILE', help: 'a module with live tools: (arguments, {agent, callId}) => result' },
    order: { values: ['kahn', 'layers'], help: 'the order of the events' },
    seed: { number: true, name: 'N', help: 'decides how the lines are shuffled' },
    json: { flag: true, help: 'print what came of it as JSON' },
  },
  run,
}

/** The second run, in a thread of its own. */
const apart = (workerData) =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL('./verify-worker.js', import.meta.url), { workerData })
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', (code) => fail(new Error(`the second run ended early, with code ${code}`)))
  })

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
  const log = readEvents(input, { maxBytes: values['max-bytes'] })
  const { order, seed = 1 } = values
  const told = (answer) => {
    if (values.json) terminal.out(`${JSON.stringify(answer, null, 2)}\n`)
  }
  if (!log.ok) {
    terminal.err(log.render({ color: terminal.colourErr(values.color) }))
    terminal.err(failure('the log has errors, and cannot be replayed'))
    told({ ok: false, identical: false, divergence: null, failed: 0, failures: [], diagnostics: log.diagnostics })
    return 2
  }
  const module = values.tools === undefined ? undefined : pathToFileURL(resolve(values.tools)).href
  const tools = await toolsIn(module).catch((error) => {
    throw new Misuse(`cannot load the tools of \`${values.tools}\`: ${error.message}`, 'it is a module whose exports are functions')
  })
  const first = await log.replay({ order, tools })
  const shuffled = (by) => log.shuffled((seed + by) % 0xffffffff)
  const second = await apart({ text: shuffled(0), order, module })
  let which = 'second'
  let divergence = compareTraces(first.trace, second.trace)
  if (divergence === null && Object.keys(tools).length > 0) {
    which = 'third'
    const again = readEvents(shuffled(1))
    divergence = compareTraces(first.trace, (await again.replay({ order, tools })).trace)
  }
  const { failed, failures, ran, drifted, events } = first
  const ok = divergence === null && failed === 0
  told({ ok, identical: divergence === null, divergence, run: divergence ? which : null, failed, failures, ran, drifted, events, diagnostics: log.diagnostics })
  if (!ok) {
    terminal.err(words({ divergence, failures, failed }, which))
    return 1
  }
  if (drifted > 0) terminal.err(`${counted(drifted, 'tool result')} did not fit the hash in the log\n`)
  if (!values.json) terminal.out(`${counted(events, 'event')}, ${ran > 0 ? `${counted(ran, 'tool call')} run, ` : ''}the same trace each time\n`)
  return 0
}
