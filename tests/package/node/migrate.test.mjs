// The examples of the pages about coming from other mocks: every block in YAML is valid, every program runs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksIn, pageText } from '../support/page.mjs'
import { programIn } from '../support/program.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { detect, validate } = await load(folder, 'transcript-workbench')
const { run } = programIn(folder)
const page = pageText('migrate-agent-mock')

/** The blocks in YAML by the names in their first lines. */
const documents = blocksIn(page, 'yaml').map((text) => [/^# (\S+\.yaml)\n/.exec(text)[1], text])
for (const [name, text] of documents) writeFileSync(join(folder, name), text)

test('each document is valid, and its kind is known', () => {
  assert.equal(new Set(documents.map(([name]) => name)).size, documents.length)
  assert.ok(documents.length >= 9)
  for (const [name, text] of documents) {
    // A simulation is no document of the workbench; it runs below.
    if (/^agents:/m.test(text)) continue
    assert.deepEqual(validate({ text, file: name }).diagnostics, [], name)
    assert.equal(detect(text).kind, /^handlers:/m.test(text) ? 'handlers' : 'compact', name)
  }
})

test('handlers answer what the page promises', () => {
  const output = (file, ...words) => {
    const args = words.flatMap((word) => ['--user', word])
    const { status, stdout, stderr } = run(['simulate', file, ...args, '--format', 'json'])
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout).steps.map(({ returned, yielded }) => (returned ?? yielded.at(-1)).content)
  }
  assert.deepEqual(output('queue.yaml', 'Question 1', 'Question 2'), ['Response 1', 'Response 2'])
  assert.deepEqual(output('conditional.yaml', 'Hello', 'Hello', 'The weather?'), ["I don't know", 'Again?', "It's sunny!"])
  assert.deepEqual(output('states.yaml', 'The weather?', 'Well?', 'Hi'), [
    'Hello! How can I help?',
    "It's sunny!",
    'Hello! How can I help?',
  ])
  assert.deepEqual(output('counting.yaml', 'Hi', 'Hi'), ['Message 1', 'Message 2'])
  for (const name of ['tool.yaml', 'agents.yaml']) assert.equal(run(['simulate', name]).status, 0, name)
})

blocksIn(page, 'js').forEach((code, at) => {
  test(`the program ${at + 1} of the page about agent.mock runs`, () => {
    assert.ok(code.includes('assert.'))
    writeFileSync(join(folder, `program-${at}.mjs`), `import assert from 'node:assert/strict'\n${code}`)
    execFileSync(process.execPath, [`program-${at}.mjs`], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  })
})
