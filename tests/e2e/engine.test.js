// How a worker loads the parts of the workers' module (`web/static/engine.js`), without a browser.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startEngine } from '../../web/static/engine.js'

const name = (text) => [text.length, ...Buffer.from(text)]
const section = (id, ...bytes) => [id, bytes.length, ...bytes]
/** A module that imports the memory of the first part and exports it under the name `exported`. */
const part = (exported) =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(2, 1, ...name('first'), ...name('split_memory'), 2, 0, 0),
    ...section(7, 1, ...name(exported), 2, 0),
  ])
const MODULE = 'http://site.invalid/engine.wasm'
const LATER = ['http://site.invalid/rest.wasm', 'http://site.invalid/logs.wasm']
const FIRST = { split_memory: new WebAssembly.Memory({ initial: 0 }) }

let requests
let missing
beforeEach(() => {
  requests = []
  missing = undefined
  globalThis.fetch = async (address) => {
    requests.push(address)
    // The one that is needed first comes last.
    await new Promise((resolve) => setTimeout(resolve, address === LATER[0] ? 20 : 0))
    return address === missing ? new Response('', { status: 404 }) : new Response(part(address.slice(-9, -5)))
  }
})

/** Starts with those exports of the first part. Returns the names of the exports that were added. */
async function start(exports) {
  const added = []
  const init = async ({ module_or_path: address }) => {
    requests.push(address)
    return exports
  }
  await startEngine({ init, addExports: (more) => added.push(Object.keys(more)), module: MODULE, later: LATER })
  return added
}

test('the later parts are fetched once and added in their order', async () => {
  assert.deepEqual(await start(FIRST), [['rest'], ['logs']])
  assert.deepEqual(requests, [MODULE, ...LATER])
})

test('a module that was not split has no later parts', async () => {
  assert.deepEqual(await start({ memory: FIRST.split_memory }), [])
  assert.deepEqual(requests, [MODULE])
})

test('a part that does not come is an error with its address', async () => {
  missing = LATER[1]
  await assert.rejects(start(FIRST), { message: `404 ${LATER[1]}` })
})
