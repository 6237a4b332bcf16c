// The example of the README, run as it stands there.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateText, isStepCount } from 'ai'
import { install, load } from '../support/tarball.mjs'
import { sunny, weatherTool } from './agent.mjs'

const folder = install()
const { aiSdkModel, replay } = await load(folder, 'transcript-workbench', 'transcript-workbench/ai-sdk')
const readme = readFileSync(join(folder, 'node_modules/transcript-workbench/README.md'), 'utf8')
const block = (language) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)[1]
const file = join(folder, 'weather.yaml')
writeFileSync(file, block('yaml'))

/** The program without its imports, which are those of this file; it reads its transcript beside the package. */
const program = (tools) => {
  const code = block('js').replace(/^import .*\n/gm, '').replace("'weather.yaml'", JSON.stringify(file))
  const names = ['generateText', 'isStepCount', 'replay', 'aiSdkModel', 'tools']
  const AsyncFunction = (async () => {}).constructor
  return new AsyncFunction(...names, code)(generateText, isStepCount, replay, aiSdkModel, tools)
}

test('the example passes', async () => {
  const { ran, tools } = weatherTool(sunny)
  await program(tools)
  assert.deepEqual(ran, ['NYC'])
})

test('the example fails with the words of the README when the tool drifts', async () => {
  const { tools } = weatherTool(() => ({ temp: 72, condition: 'cloudy' }))
  await assert.rejects(program(tools), (error) => {
    assert.equal(`${error}\n`.replaceAll(file, 'weather.yaml'), block('text'))
    return true
  })
})
