// The example of the page about clients, run unchanged.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { install, repository } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = install()
for (const name of ['@ai-sdk', '@aws-sdk', '@smithy', 'ai'])
  symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))

test('the example of Amazon Bedrock runs', async () => {
  const page = readFileSync(join(repository, 'public/docs/fetch.md'), 'utf8')
  const [, code] = /## Amazon Bedrock\n[^]*?```ts\n([^]*?)```/.exec(page)
  assert.match(code, /BedrockRuntimeClient[^]*replayFetch/)
  writeFileSync(join(folder, 'bedrock.mjs'), `import assert from 'node:assert/strict'\n${code}`)
  await promisify(execFile)(process.execPath, ['bedrock.mjs'], { cwd: folder, timeout: 60_000 })
})
