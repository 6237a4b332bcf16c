// How a module in two parts loads its rest (`web/static/two-parts.js`), without a browser.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { twoParts } from '../../web/static/two-parts.js'

const ADDRESS = 'http://site.invalid/rest.wasm'
const name = (text) => [text.length, ...Buffer.from(text)]
const imported = [1, ...name('first'), ...name('split_memory'), 2, 0, 0]
/** A module that imports the memory of the first part, and nothing else. */
const REST = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 2, imported.length, ...imported])
const FIRST = { split_memory: new WebAssembly.Memory({ initial: 0 }) }

let requests
let isOnline
beforeEach(() => {
  requests = []
  isOnline = true
  globalThis.fetch = async (address) => {
    requests.push(['fetch', address])
    return isOnline ? new Response(REST) : new Response('', { status: 503 })
  }
  globalThis.XMLHttpRequest = class {
    open(method, address) {
      requests.push([method, address])
    }
    send() {
      this.status = isOnline ? 200 : 503
      this.response = REST.buffer
    }
  }
})

test('the rest is fetched once, after the start', async () => {
  const parts = twoParts(ADDRESS)
  const loads = [parts.load(), parts.load()]
  await parts.fetchRest()
  parts.started(FIRST)
  await Promise.all([...loads, parts.load()])
  parts.loadNow(FIRST)
  assert.deepEqual(requests, [['fetch', ADDRESS]])
})

test('a rest that was needed during the start is not loaded again', async () => {
  const parts = twoParts(ADDRESS)
  parts.loadNow(FIRST)
  parts.started(FIRST)
  await parts.load()
  assert.deepEqual(requests, [['GET', ADDRESS]])
})

test('a load that failed is tried again', async () => {
  const parts = twoParts(ADDRESS)
  parts.started(FIRST)
  isOnline = false
  await assert.rejects(parts.load(), { message: `503 ${ADDRESS}` })
  assert.throws(() => parts.loadNow(FIRST), { message: `503 ${ADDRESS}` })
  isOnline = true
  await parts.load()
  assert.equal(requests.length, 3)
})

test('a module that was not split has no rest', async () => {
  const parts = twoParts(ADDRESS)
  parts.started({ memory: FIRST.split_memory })
  await parts.load()
  parts.loadNow({})
  assert.deepEqual(requests, [])
})
