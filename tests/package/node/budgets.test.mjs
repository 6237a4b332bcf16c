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
import { install, repository } from '../support/tarball.mjs'

const TURNS = 1_000
/** A change below a tenth is no reason to look. */
const TOLERANCE = 0.1

const path = join(repository, 'tests/budgets.json')
const budgets = JSON.parse(readFileSync(path, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'transcript-budgets-'))
const counters = []
let workbench

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
