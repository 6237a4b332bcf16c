// The examples of the pages about clients of vendors, run unchanged.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { install, repository } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = install()
for (const scope of ['@anthropic-ai', '@google']) mkdirSync(join(folder, 'node_modules', scope))
for (const name of ['openai', '@anthropic-ai/sdk', '@google/genai'])
  symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))

for (const page of ['fetch', 'server']) {
  test(`the page about ${page} runs from its beginning to its end`, async () => {
    const text = readFileSync(join(repository, `public/docs/${page}.md`), 'utf8')
    const code = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, block]) => block)
    assert.ok(code.length > 3)
    writeFileSync(join(folder, `${page}.mjs`), `import assert from 'node:assert/strict'\n${code.join('\n')}`)
    await promisify(execFile)(process.execPath, [`${page}.mjs`], { cwd: folder, timeout: 60_000 })
  })
}
