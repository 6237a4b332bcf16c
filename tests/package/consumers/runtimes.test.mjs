// The package in the runtimes next to Node.js that npm has.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../support/tarball.mjs'
import {
  expected,
  fetchExpected,
  fetchNames,
  fetchProgram,
  names,
  program,
  workerExpected,
  workerNames,
  workerProgram,
} from './programs.mjs'

const bin = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/.bin')
const folder = install({ type: 'module' })
const write = (name, code) => writeFileSync(join(folder, name), code)
const esm = `import { ${names} } from 'transcript-workbench'\n${program}console.log(outcome)\n`

/** A program that answers requests and calls a worker. */
const inWorkers = `import { ${names} } from 'transcript-workbench'
import { ${fetchNames} } from 'transcript-workbench/fetch'
import { ${workerNames} } from 'transcript-workbench/worker'
${program}${fetchProgram}${workerProgram}console.log(JSON.stringify([fetched, worked]))
`

/** The code that Node.js finds for the sample's wrong tool, so that all agree on one. */
const code = (() => {
  write('code.mjs', esm)
  const { stdout } = spawnSync(process.execPath, ['code.mjs'], { cwd: folder, encoding: 'utf8' })
  return JSON.parse(stdout).code
})()

const outputOf = (runtime, args) => {
  const { status, stdout, stderr } = spawnSync(join(bin, runtime), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

test('the sample has a problem that Node.js reports', () => {
  assert.match(code, /^T\d{3}$/)
})

test('Deno runs it, and may read nothing but what it is shown', () => {
  write('app.mjs', esm)
  assert.deepEqual(outputOf('deno', ['run', '--no-prompt', '--allow-read=.', '--allow-env', 'app.mjs']), expected(code))
})

test('Bun imports it and requires it', () => {
  write('app.mjs', esm)
  assert.deepEqual(outputOf('bun', ['run', 'app.mjs']), expected(code))
  write('app.cjs', `const { ${names} } = require('transcript-workbench')\n;(async () => {${program}console.log(outcome)})()\n`)
  assert.deepEqual(outputOf('bun', ['run', 'app.cjs']), expected(code))
})

test('Node.js, Deno and Bun answer requests, ask a worker, and end by themselves', () => {
  write('pool.mjs', inWorkers)
  const runs = [
    ['node', ['pool.mjs']],
    ['deno', ['run', '--no-prompt', '--allow-read=.', '--allow-env', 'pool.mjs']],
    ['bun', ['run', 'pool.mjs']],
  ]
  for (const [runtime, args] of runs) assert.deepEqual(outputOf(runtime, args), [fetchExpected, workerExpected], runtime)
})

/** The files of the package as modules of workerd, by the names that they import each other by. */
const modules = () =>
  readdirSync(join(folder, 'node_modules/transcript-workbench/dist'))
    .filter((name) => /^(index\.workerd|authoring\.workerd|worker\.workerd|worker|fetch|wire|core|authoring)\.(js|wasm)$/.test(name))
    .map(
      (name) =>
        `(name = "dist/${name}", ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed "node_modules/transcript-workbench/dist/${name}")`,
    )

test('workerd runs it in a Worker, answers requests, and says that it has no workers', async () => {
  write(
    'worker.mjs',
    `import { ${names} } from './dist/index.workerd.js'
import { ${fetchNames} } from './dist/fetch.js'
import { ${workerNames} } from './dist/worker.workerd.js'
export default { async fetch() {
${program}${fetchProgram}
let none
try { createWorkerPool() } catch (error) { none = error.code }
return new Response(JSON.stringify([JSON.parse(outcome), fetched, none]))
} }`,
  )
  write(
    'workerd.capnp',
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), ${modules().join(', ')}],
  compatibilityDate = "2025-01-01",
);
`,
  )
  const child = spawn(join(bin, 'workerd'), ['serve', '--control-fd=3', 'workerd.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  try {
    const port = await new Promise((resolve, reject) => {
      let report = ''
      child.stdio[3].setEncoding('utf8').on('data', (piece) => {
        report += piece
        const [, found] = /"port":(\d+)/.exec(report) ?? []
        if (found) resolve(found)
      })
      child.once('exit', (status) => reject(new Error(`workerd ended with ${status}`)))
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const outcome = await response.text()
    assert.equal(response.status, 200, outcome)
    assert.deepEqual(JSON.parse(outcome), [expected(code), fetchExpected, 'ERR_TRANSCRIPT_NO_WORKERS'])
  } finally {
    child.removeAllListeners('exit').kill()
  }
})
