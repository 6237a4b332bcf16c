// The examples of the page about tests and of the repository's README in the real Vitest, with the files that they show.
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksIn, blocksOf } from '../support/page.mjs'
import { project } from '../support/runners.mjs'
import { repository } from '../support/tarball.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const { folder, write, read, run } = project(modules, ['vitest', 'vite', 'node', '@vitest', 'ai', '@ai-sdk', 'zod'], { type: 'module' })
const vitest = (args) => run(join(modules, '.bin/node'), [join(modules, 'vitest/vitest.mjs'), 'run', ...args])

const [recording] = blocksOf('testing', undefined, 'yaml')
const [tools, example, ...more] = blocksOf('testing', undefined, 'js')

/** The files of the page, with a tool that returns `temp`. */
const writePage = (code, temp) => {
  write('page/weather.yaml', recording)
  write('page/weather.test.js', code)
  write('page/tools.js', tools.replace('temp: 72', `temp: ${temp}`))
}

test('the example of the page about tests runs', () => {
  assert.deepEqual(more, [])
  writePage(example, 72)
  const { status, out } = vitest(['page/weather.test.js'])
  assert.equal(status, 0, out)
  assert.equal(read('page/weather.yaml'), recording)
})

test('the example of the page about tests fails when a tool drifts, and -u accepts that', () => {
  writePage(example, 60)
  const { status, out } = vitest(['page/weather.test.js'])
  assert.equal(status, 1, out)
  assert.match(out, /step 3: the request differs from the recording\s+at messages\[2\]\.result\.temp/)
  assert.match(out, /run the test with -u/)
  const updated = vitest(['page/weather.test.js', '-u'])
  assert.equal(updated.status, 0, updated.out)
  // The changed result is written anew, so its quotes are those of the writer.
  assert.equal(read('page/weather.yaml'), recording.replace("temp: 72, condition: 'sunny'", 'temp: 60, condition: sunny'))
})

test('-u does not write a run that a replay stopped', () => {
  const code = example.replace(", { ignore: ['messages[*]'] }", '').replace(/(await generateText.*)/, '$1.catch(() => {})')
  writePage(code, 60)
  const { status, out } = vitest(['page/weather.test.js', '-u'])
  assert.equal(status, 1, out)
  assert.match(out, /weather\.yaml is not changed: a replay stopped the run, so its answers are missing/)
  assert.equal(read('page/weather.yaml'), recording)
  writePage(code.replace('toMatchTranscript(file)', "toMatchTranscript('new.yaml')"), 60)
  assert.match(vitest(['page/weather.test.js']).out, /new\.yaml is not written: a replay stopped the run/)
})

test('the test of the page records a missing file, and replays it afterwards', () => {
  const [change, ...others] = blocksOf('testing', 'Record the first run', 'js')
  assert.deepEqual(others, [])
  const [imports, model] = change.trim().split('\n\n')
  const recordingTest = `${imports}\n${example.replace(/const model = .*/, () => model)}`
  assert.ok(recordingTest.includes('existsSync(file) ?'))
  writePage(recordingTest, 72)
  rmSync(join(folder, 'page/weather.yaml'))
  // A mock takes the place of the provider's package.
  write(
    'openai.js',
    `
import { mock } from 'transcript-workbench'
import { aiSdkModel } from 'transcript-workbench/ai-sdk'
export const openai = () => aiSdkModel(mock(mock.toolCall('weather', { location: 'NYC' }), 'Sunny, 72°F.'))
`,
  )
  const config = (alias) => write('vitest.config.js', `export default { resolve: { alias: ${JSON.stringify(alias)} } }\n`)
  config({ '@ai-sdk/openai': join(folder, 'openai.js') })
  const recorded = vitest(['page/weather.test.js'])
  assert.equal(recorded.status, 0, recorded.out)
  const written = read('page/weather.yaml')
  assert.match(written, /Sunny, 72°F\./)
  // From now on, the test must not call the model.
  write('openai.js', 'export const openai = () => { throw new Error("called") }\n')
  const { status, out } = vitest(['page/weather.test.js'])
  config({})
  rmSync(join(folder, 'page/weather.test.js'))
  assert.equal(status, 0, out)
  assert.equal(read('page/weather.yaml'), written)
})

test("the example of the repository's README runs, and prints what it shows when the tool drifts", () => {
  const text = readFileSync(join(repository, 'README.md'), 'utf8').split('## Look at a log')[0]
  const [transcript] = blocksIn(text, 'yaml')
  const [tool, code, ...rest] = blocksIn(text, 'js')
  assert.deepEqual(rest, [])
  write('weather.yaml', transcript)
  write('tools.js', tool)
  write('weather.test.js', code)
  const { status, out } = vitest(['./weather.test.js'])
  assert.equal(status, 0, out)
  write('tools.js', tool.replace("'sunny'", "'cloudy'"))
  const drifted = vitest(['./weather.test.js'])
  assert.equal(drifted.status, 1, drifted.out)
  for (const line of blocksIn(text, 'text')[0].trim().split('\n')) assert.ok(drifted.out.includes(line.trim()), `${line}\n${drifted.out}`)
})

test('a log becomes a test with the commands of its page, which runs an agent in place of the recording', () => {
  write('log/session.jsonl', readFileSync(join(repository, 'tests/imports/fixtures/sessions/claude-code.jsonl'), 'utf8'))
  const [commands] = blocksOf('log-to-test', undefined, 'text')
  const [agent, ...more] = blocksOf('log-to-test', undefined, 'js')
  assert.deepEqual(more, [])
  const lines = commands.trim().split('\n')
  assert.equal(lines.pop(), 'npx vitest run')
  for (const line of lines) {
    const args = line.split(' ').slice(1)
    const inFolder = args.map((arg) => (/\.(jsonl|yaml|js)$/.test(arg) ? `log/${arg}` : arg))
    const { status, out } = run(process.execPath, [join(folder, 'node_modules/transcript-workbench/dist/cli.js'), ...inFolder])
    assert.equal(status, 0, `${line}\n${out}`)
  }
  const passed = vitest(['log/step-3.test.js'])
  assert.equal(passed.status, 0, passed.out)

  const imports = `import { generateText, isStepCount, tool } from 'ai'
import { z } from 'zod'
import { aiSdkModel } from 'transcript-workbench/ai-sdk'
const tools = { Read: tool({ inputSchema: z.object({ file_path: z.string() }), execute: async () => 'fn main(){}' }) }
`
  const code = imports + read('log/step-3.test.js').replace(/const agent = [^]*?\n}\n/, () => agent)
  assert.ok(code.includes('generateText({'))
  write('log/step-3.test.js', code)
  const replaced = vitest(['log/step-3.test.js'])
  assert.equal(replaced.status, 0, replaced.out)
  write('log/step-3.test.js', code.replace('isStepCount(2)', 'isStepCount(1)'))
  assert.match(vitest(['log/step-3.test.js']).out, /the run ended before the recording: 1 model call was not made/)
})
