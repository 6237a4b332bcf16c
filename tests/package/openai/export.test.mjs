// The form of a request, held against the types of the client itself.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { requests } from '../support/exported.mjs'
import { install, load } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = install()
const { exportTranscript } = await load(folder, 'transcript-workbench')

test('the client takes every request as it is written', () => {
  symlinkSync(join(here, 'node_modules/openai'), join(folder, 'node_modules/openai'))
  const type = 'OpenAI.ChatCompletionCreateParamsNonStreaming'
  const lines = Object.entries(requests).map(([name, text]) => {
    const { model = 'gpt-x', ...request } = JSON.parse(exportTranscript(text, { to: 'openai', all: true }).text)
    assert.equal(request.messages.length > 0, true, name)
    return `export const ${name}: ${type} = ${JSON.stringify({ model, ...request }, null, 2)}\n`
  })
  writeFileSync(
    join(folder, 'requests.mts'),
    `import type OpenAI from 'openai'\n${lines.join('')}
// @ts-expect-error
export const wrong: ${type} = { model: 'gpt-x', messages: [{ role: 'tool', content: 'a' }] }
`,
  )
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom,dom.iterable',
    '--skipLibCheck',
    '--types',
    '',
  ]
  const { status, stdout } = spawnSync(join(here, 'node_modules/.bin/tsc'), [...flags, 'requests.mts'], { cwd: folder, encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, ''])
})
