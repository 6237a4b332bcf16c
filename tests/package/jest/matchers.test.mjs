// The matchers in the real Jest.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { messages, project, recording } from '../support/runners.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const { write, read, run } = project(modules, ['@types', '@jest', 'expect'], {
  jest: { testEnvironment: 'node', transform: {}, setupFilesAfterEnv: ['transcript-workbench/jest'], watchman: false },
})

const jest = (args, env) => run(process.execPath, [join(modules, 'jest/bin/jest.js'), ...args], env)

const source = (answer) => `
const messages = ${JSON.stringify(messages.map((message, at) => (at === 1 ? { ...message, content: answer } : message)))}
const run = { format: 'openai-chat', messages }
test('it follows', () => expect(run).toMatchTranscript('weather.yaml'))
test('it calls', () => {
  expect(run).toHaveCalledTool('weather', { city: 'Rome' })
  expect(run).not.toHaveCalledTool('search')
  expect(run).toHaveCalledTools(['weather'], { mode: 'strict' })
  expect(run).toHaveFinalResponse('ROME', { ignoreCase: true })
})
test('it satisfies assertions', () => {
  const assertions = [{ type: 'tool_called', tool: 'weather' }]
  expect(run).toSatisfyAssertions(JSON.stringify({ messages: ['user: x'], assertions }, null, 2))
  expect(run).not.toSatisfyAssertions(JSON.stringify({ messages: ['user: x'], assertions: [{ type: 'tool_not_called', tool: 'weather' }] }, null, 2))
})
`

test('a run follows its recording', () => {
  write('a/weather.yaml', recording)
  write('a/it.test.js', source("What's the weather?"))
  const { status, out } = jest(['a/it.test.js'])
  assert.equal(status, 0, out)
})

test('a run that does not is reported with both texts, and -u changes the recording', () => {
  write('b/weather.yaml', recording)
  write('b/it.test.js', source('Is it warm?'))
  const { status, out } = jest(['b/it.test.js'])
  assert.equal(status, 1)
  assert.match(out, /expected: "What's the weather\?"/)
  assert.match(out, /actual: {3}"Is it warm\?"/)
  const updated = jest(['b/it.test.js', '-u'])
  assert.equal(updated.status, 0, updated.out)
  assert.equal(read('b/weather.yaml'), recording.replace("user: What's the weather?", 'user: Is it warm?'))
})

test('a recording that is missing is written, save in continuous integration', () => {
  write('c/it.test.js', source('Hi'))
  const inCi = jest(['c/it.test.js', '--ci'])
  assert.equal(inCi.status, 1)
  assert.match(inCi.out, /there is no recording/)
  assert.equal(jest(['c/it.test.js']).status, 0)
  assert.match(read('c/weather.yaml'), /user: Hi/)
})

test('the types are those of the runner', () => {
  write(
    'types.ts',
    `
import 'transcript-workbench/jest'
const run = { format: 'openai-chat' as const, messages: [] }
expect(run).toHaveCalledTool('weather', { city: 'Rome' })
expect(run).toSatisfyAssertions(new URL('file:///weather.yaml'))
export const done: Promise<void> = expect(run).toMatchTranscript('weather.yaml')
// @ts-expect-error
expect(run).toHaveCalledTool(5)
`,
  )
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
  assert.deepEqual(run(join(modules, '.bin/tsc'), [...flags, '--types', 'jest', 'types.ts']), { status: 0, out: '' })
  // The same without globals.
  write('imported.ts', `import { expect } from '@jest/globals'\n${read('types.ts')}`)
  assert.deepEqual(run(join(modules, '.bin/tsc'), [...flags, '--types', '', 'imported.ts']), { status: 0, out: '' })
})
