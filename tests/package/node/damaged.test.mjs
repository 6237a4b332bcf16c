// A part of the wasm that is damaged or missing: the error has a code, names the part and says what to do.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { install } from '../support/tarball.mjs'

const folder = install()
const dist = join(folder, 'node_modules/transcript-workbench/dist')

/** Runs `work` while a file of the package is another; undefined for none. */
const withFile = (name, change, work) => {
  const path = join(dist, name)
  const whole = readFileSync(path)
  const changed = change(whole)
  if (changed === undefined) rmSync(path)
  else writeFileSync(path, changed)
  try {
    return work()
  } finally {
    writeFileSync(path, whole)
  }
}

/** What a program prints, which is a module or of CommonJS. */
const run = (code, name = 'run.mjs') => {
  writeFileSync(join(folder, name), code)
  const { stdout, stderr } = spawnSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' })
  return stdout || stderr
}

/** Imports an entry, and prints the error of that, or of a call that writes. */
const program = (entry) => `
  try {
    const { format, validate } = await import('${entry}')
    console.log(validate('messages: ["user: Hi"]').ok)
    format('name: run')
  } catch ({ name, code, file, message, cause }) {
    console.log([name, code, file, cause instanceof Error].join(' '))
    console.log(message)
  }
`
const node = 'transcript-workbench'
const inline = pathToFileURL(join(dist, 'index.inline.js')).href
const half = (bytes) => bytes.subarray(0, bytes.length / 2)
/** Half of the text in a module. */
const halfText = (bytes) =>
  bytes.toString().replace(/text: '([^']+)'/, (_, text) => `text: '${text.slice(0, 4 * Math.floor(text.length / 8))}'`)
/** The same length, with other letters in the middle. */
const otherText = (bytes) => {
  const text = bytes.toString()
  const at = text.length / 2
  return text.slice(0, at) + 'A'.repeat(400) + text.slice(at + 400)
}
const AGAIN = /; if it is damaged, install transcript-workbench again, and build again what has a copy of it\n$/

for (const [name, entry, file, change] of [
  ['half of a file', node, 'wasm', half],
  ['an empty file', node, 'wasm', () => ''],
  ['half of a text', inline, 'wasm.deflate.js', halfText],
  ['a text with a fault', inline, 'wasm.deflate.js', otherText],
]) {
  for (const part of ['core', 'authoring']) {
    test(`${name}: ${part}`, () => {
      const printed = withFile(`${part}.${file}`, change, () => run(program(entry)))
      // What does not need the damaged part works.
      const [head, ...rest] = printed.split(/(?<=^true\n)/).reverse()
      assert.deepEqual(rest, part === 'core' ? [] : ['true\n'])
      assert.ok(head.startsWith(`WasmLoadError ERR_TRANSCRIPT_WASM ${part}.wasm true\n${part}.wasm cannot be loaded: `), printed)
      assert.match(head, AGAIN)
    })
  }
}

test('a file that is missing', () => {
  const printed = withFile(
    'authoring.wasm',
    () => undefined,
    () => run(program(node)),
  )
  assert.match(
    printed,
    /^true\nWasmLoadError ERR_TRANSCRIPT_WASM authoring\.wasm true\nauthoring\.wasm cannot be loaded: there is no such file/,
  )
  assert.match(printed, /authoring\.wasm; bundle with the condition `module`/)
})

test('a file that cannot be read, for the reason that the system gives', () => {
  const path = join(dist, 'authoring.wasm')
  const printed = withFile(
    'authoring.wasm',
    () => undefined,
    () => {
      mkdirSync(path)
      try {
        return run(program(node))
      } finally {
        rmdirSync(path)
      }
    },
  )
  assert.match(printed, /^true\nWasmLoadError ERR_TRANSCRIPT_WASM authoring\.wasm true\nauthoring\.wasm cannot be loaded: EISDIR: /)
  assert.match(printed, AGAIN)
})

test('a module of CommonJS takes the text in place of a file that is cut', () => {
  const code = `console.log(require('transcript-workbench').format('name:  run').text.trim())`
  assert.equal(
    withFile('authoring.wasm', half, () => run(code, 'run.cjs')),
    'name: run\n',
  )
})

test('the command line says the same and no more', () => {
  const fmt = () => spawnSync(process.execPath, [join(dist, 'cli.js'), 'fmt', '-'], { input: 'name: run', encoding: 'utf8' })
  for (const part of ['core', 'authoring']) {
    const { status, stderr } = withFile(`${part}.wasm`, half, fmt)
    assert.equal(status, 2, stderr)
    assert.ok(stderr.startsWith(`error: ${part}.wasm cannot be loaded: `), stderr)
    assert.match(stderr, AGAIN)
  }
})

test('an address that has no wasm', () => {
  const printed = run(`
    import { init } from 'transcript-workbench/slim'
    const response = new Response('', { status: 404, statusText: 'Not Found' })
    await init(response).catch(({ code, message }) => console.log(code, message))
    await init(new Response('<html>', { headers: { 'content-type': 'application/wasm' } })).catch(({ code }) => console.log(code))
    for (const reason of [new TypeError('fetch failed'), 'offline', undefined]) {
      await init(Promise.reject(reason)).catch(({ code, message }) => console.log(code, message.split(';')[0]))
    }
  `)
  assert.equal(
    printed,
    "ERR_TRANSCRIPT_WASM core.wasm cannot be loaded: 404 Not Found fetching ''; pass the address at which the file of the package is served\n" +
      'ERR_TRANSCRIPT_WASM\n' +
      ['fetch failed', 'offline', 'undefined'].map((reason) => `ERR_TRANSCRIPT_WASM core.wasm cannot be loaded: ${reason}\n`).join(''),
  )
})

test('something else than wasm is a misuse', () => {
  const printed = run(`
    import { init } from 'transcript-workbench/slim'
    for (const source of [undefined, 42, Promise.resolve({})]) {
      await init(source).catch(({ name, code, message }) => console.log(name, code, message.split(' the ')[0]))
    }
  `)
  assert.equal(printed, 'TypeError ERR_TRANSCRIPT_MISUSE init() takes\n'.repeat(3))
})
