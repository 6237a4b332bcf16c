// The matchers in the oldest Vitest that the package supports, and their types there.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { project } from '../support/runners.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const { write, run } = project(modules, ['vitest', '@vitest', 'vite', 'typescript'], { type: 'module' })

const body = `
import { expect, test } from 'vitest'
import 'transcript-workbench/vitest'
const run = {
  format: 'openai-chat' as const,
  messages: [
    { role: 'user', content: 'How warm is it in Rome?' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
    { role: 'tool', tool_call_id: 'c', content: '21' },
    { role: 'assistant', content: 'It is 21 degrees.' },
  ],
}
test('it', async () => {
  expect(run).toHaveCalledTool('weather', { city: 'Rome' })
  expect(run).not.toHaveCalledTool('weather', { city: 'Oslo' })
  await expect(Promise.resolve(run)).resolves.toHaveFinalResponse('21')
})
`

test('they hold and fail as in later versions', () => {
  write('run.test.ts', body)
  const passed = run(process.execPath, [join(modules, 'vitest/vitest.mjs'), 'run'])
  assert.equal(passed.status, 0, passed.out)
  write('run.test.ts', body.replace("resolves.toHaveFinalResponse('21')", "resolves.toHaveFinalResponse('22')"))
  const failed = run(process.execPath, [join(modules, 'vitest/vitest.mjs'), 'run'])
  assert.equal(failed.status, 1)
  assert.match(failed.out, /toHaveFinalResponse/)
})

test('their types are those of that version', () => {
  const more = `
export const resolved: Promise<void> = expect(Promise.resolve(run)).resolves.toHaveCalledTool('weather')
// @ts-expect-error
expect(run).toHaveCalledTool(5)
`
  write('types.ts', body + more)
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  assert.deepEqual(run(join(modules, '.bin/tsc'), [...flags, 'types.ts']), { status: 0, out: '' })
})
