// What an expansion takes of memory, against what the core counts on beforehand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, load } from '../support/tarball.mjs'

const { parse } = await load(install(), 'transcript-workbench')

/** What the core counts for each message that a full form names as sent: `REFERENCE_BYTES` of `core/src/document/expansion.rs`. */
const COUNTED = 560

test('a message that is named as sent takes no more memory than the core counts on', () => {
  const messages = Array.from({ length: 2_000 }, (_, at) => `  - "${at % 2 === 0 ? 'user' : 'assistant'}: ${at}"\n`)
  const document = parse(`messages:\n${messages.join('')}`, { maxExpanded: 10_000_000 })
  for (const format of ['yaml', 'json']) {
    // The memory of wasm counts as external, and what it took once stays.
    const named = document.expand(format).match(/\bref"?: /g).length
    assert.ok(named > 1_000_000)
    const each = process.memoryUsage().external / named
    assert.ok(each < COUNTED, `${each} bytes of memory for each message in ${format}`)
  }
})
