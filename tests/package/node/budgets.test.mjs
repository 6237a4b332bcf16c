// What the package costs: the bytes of its parts, and the wasm instructions that the usual tasks take. Times depend on the machine,
// instructions do not. The budgets are in `tests/budgets.json`; `UPDATE=1` rewrites the instructions.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { compact, conversation, converse, full } from '../../bench/reading/generate.mjs'
import { log } from '../../bench/reading/log.mjs'
import { session } from '../../bench/reading/session.mjs'
import { install, repository } from '../support/tarball.mjs'

const TURNS = 1_000
const EVENTS = 2_000
const STEPS = 10_000
/** A change below a tenth is no reason to look. */
const TOLERANCE = 0.1

const path = join(repository, 'tests/budgets.json')
const budgets = JSON.parse(readFileSync(path, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'transcript-budgets-'))
const counters = []
let workbench
let verifyDeterminism

/** A module of the package that counts its instructions. */
const metered = (wasm, name) => {
  const [from, to] = [join(folder, `whole-${name}`), join(folder, name)]
  writeFileSync(from, wasm)
  const xtask = process.env.TRANSCRIPT_XTASK
  const [program, ...words] = xtask ? [xtask] : ['cargo', 'run', '--quiet', '--package', 'xtask', '--']
  execFileSync(program, [...words, 'wasm', 'meter', from, to], { cwd: repository, stdio: 'inherit' })
  return readFileSync(to)
}

const dist = join(install(), 'node_modules/transcript-workbench/dist')
const wasm = (name) => readFileSync(join(dist, name))

before(async () => {
  const { Instance } = WebAssembly
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args)
      counters.push(this.exports.instructions)
    }
  }
  workbench = await import(pathToFileURL(join(dist, 'slim.js')))
  workbench.initSync(metered(wasm('core.wasm'), 'core.wasm'))
  workbench.initAuthoringSync(metered(wasm('authoring.wasm'), 'authoring.wasm'))
  // The first call that needs the second part starts it.
  workbench.format('name: run')
  WebAssembly.Instance = Instance
  const { experimental } = await import(pathToFileURL(join(dist, 'authoring.js')))
  // Both parts have started.
  ;({ verifyDeterminism } = experimental(assert.fail, assert.fail))
  assert.equal(counters.length, 2)
})

after(() => {
  rmSync(folder, { recursive: true, force: true })
  if (process.env.UPDATE) writeFileSync(path, `${JSON.stringify(budgets, null, 2)}\n`)
})

test('the modules keep within their bytes', () => {
  for (const name of ['core.wasm', 'authoring.wasm']) {
    const bytes = brotliCompressSync(wasm(name)).length
    assert.ok(bytes <= budgets.bytes[`${name}, brotli`], `${name}: ${bytes} bytes`)
  }
})

/** How many instructions something takes once what it needs for the first time is there. */
const instructions = async (run) => {
  const executed = () => counters.reduce((sum, counter) => sum + counter.value, 0n)
  await run()
  const start = executed()
  await run()
  return Number(executed() - start)
}

/** Records an agent that sends its whole history at each model call; every second turn is a call of a tool. */
const record = (turns) => {
  const recorder = workbench.createRecorder({ recording: 'r' })
  const messages = []
  const append = (fact, message) => {
    recorder.messageAppended({ ...fact, ...message })
    messages.push(message)
  }
  append({ id: 'm0' }, { role: 'user', content: "What's the weather?" })
  for (let at = 0; at < turns / 2; at += 1) {
    const [call, id] = [`c${at}`, `t${at}`]
    const tool = { name: 'weather', arguments: { city: `City ${at % 97}` } }
    recorder.modelCalled({ call, request: { format: 'openai-chat', messages } })
    recorder.modelResponded({ call, tool_calls: [{ id, ...tool }] })
    const sent = [{ id, type: 'function', function: { name: tool.name, arguments: JSON.stringify(tool.arguments) } }]
    append({ id: `a${at}`, call }, { role: 'assistant', content: null, tool_calls: sent })
    recorder.toolCalled({ id, ...tool })
    recorder.toolReturned({ id, result: { temp: at % 40 } })
    append({ id: `r${at}` }, { role: 'tool', tool_call_id: id, content: JSON.stringify({ temp: at % 40 }) })
  }
  const recording = recorder.finish()
  recorder.free()
  return recording
}

const TASKS = {
  [`validate a full transcript of ${TURNS} turns`]: () => assert.ok(workbench.validate(full(TURNS)).ok),
  [`validate a compact one of ${TURNS} messages`]: () => assert.ok(workbench.validate(compact(TURNS)).ok),
  [`expand the compact one`]: () => assert.ok(workbench.expand(compact(TURNS)).text),
  [`compact the full one`]: () => assert.ok(workbench.compact(full(TURNS), { force: true }).text),
  [`format the full one`]: () => assert.ok(workbench.format(full(TURNS)).ok),
  [`replay ${TURNS} turns`]: async () => {
    const tape = await workbench.replay({ text: conversation(TURNS), file: 'run.yaml' })
    converse(TURNS, (messages) => tape.request({ format: 'openai-chat', messages }).response)
    tape.assertComplete()
  },
  [`open a compact document of ${STEPS} steps and read its last one`]: () => {
    const document = workbench.parse(compact(STEPS))
    // The initial state is a step, too.
    assert.equal(document.steps.length, STEPS + 1)
    assert.equal(document.step(STEPS).tool.name, 'weather')
    document.free()
  },
  [`record ${TURNS} turns`]: () => {
    const { transcript, problems } = record(TURNS)
    assert.deepEqual([transcript.execution.length, problems], [TURNS, []])
  },
  [`import a session of ${TURNS} turns`]: () => {
    const { transcript, problem } = workbench.importLog(session(TURNS / 4))
    // The first question is a message of the initial state.
    assert.deepEqual([transcript.execution.length, problem], [TURNS - 1, null])
  },
  [`verify a log of ${EVENTS} events`]: async () => {
    const { ok, events } = await verifyDeterminism(log(EVENTS).join(''))
    assert.deepEqual([ok, events], [true, EVENTS])
  },
}

for (const [task, run] of Object.entries(TASKS)) {
  test(`${task}: as many instructions as before`, async () => {
    const found = await instructions(run)
    if (process.env.UPDATE) budgets.instructions[task] = found
    const budget = budgets.instructions[task]
    const change = found / budget - 1
    const figures = `${found.toLocaleString('en-US')} instructions, budget ${budget?.toLocaleString('en-US')}`
    assert.ok(change <= TOLERANCE, `${figures}: make it cheaper`)
    assert.ok(change >= -TOLERANCE, `${figures}: it is cheaper now; lower the budget with UPDATE=1`)
  })
}
