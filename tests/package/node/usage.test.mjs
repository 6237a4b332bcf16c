// The names of token counts and the finish reasons that vendors, frameworks and logs have. The core reads the same files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../support/tarball.mjs'
import { importSource } from './source.mjs'

const { tokenCounts } = await importSource('adapters/usage')
const { usageOf } = await importSource('ai-sdk/usage')
const { classifyFinishReason } = await importSource('adapters/finish')
const { shapes } = JSON.parse(readFileSync(join(repository, 'tests/model/usage-shapes.json'), 'utf8'))

for (const { name, usage, counts } of shapes) {
  test(`the usage of ${name}`, () => {
    const found = Object.fromEntries(Object.entries(tokenCounts(usage)).map(([key, count]) => [key, count ?? null]))
    assert.deepEqual(found, counts)
  })
}

test('no usage has no counts', () => {
  assert.deepEqual(Object.values(tokenCounts(undefined)), Array(6).fill(undefined))
})

test('what the AI SDK counts as not of the cache is neither read from it nor written to it', () => {
  const anthropic = { input_tokens: 30, cache_creation_input_tokens: 10, cache_read_input_tokens: 60, output_tokens: 17 }
  assert.deepEqual(usageOf(anthropic, 'v3').inputTokens, { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 })
  assert.equal(usageOf({ prompt_tokens: 100 }, 'v3').inputTokens.noCache, undefined)
  const openai = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 60 } }
  assert.equal(usageOf(openai, 'v3').inputTokens.noCache, 40)
})

test('the finish reasons of every vendor are classified, in any case', () => {
  const { normal, ...kinds } = JSON.parse(readFileSync(join(repository, 'tests/model/finish-reasons.json'), 'utf8'))
  for (const [kind, reasons] of Object.entries(kinds)) {
    for (const reason of reasons) assert.deepEqual([reason, reason.toUpperCase()].map(classifyFinishReason), [kind, kind])
  }
  for (const reason of normal) assert.equal(classifyFinishReason(reason), undefined)
})
