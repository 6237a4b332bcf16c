// The package in a page: a script of type module, no bundler.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { launch, serve } from '../support/browser.mjs'
import { unknownRef, weather } from '../support/samples.mjs'
import { install } from '../support/tarball.mjs'

const DIST = '/node_modules/transcript-workbench/dist'

const html = (script) => `<!doctype html><meta charset="utf-8"><title>consumer</title>
<script type="importmap">{"imports": {
  "transcript-workbench": "${DIST}/index.inline.js",
  "transcript-workbench/slim": "${DIST}/slim.js",
  "transcript-workbench/ai-sdk": "${DIST}/ai-sdk.js"
}}</script>
<script type="module">${script}</script>`

const inline = html(`
import * as workbench from 'transcript-workbench'
import { aiSdkModel } from 'transcript-workbench/ai-sdk'
window.workbench = { ...workbench, aiSdkModel }`)

const slim = html(`
import { format, init, initAuthoring, validate } from 'transcript-workbench/slim'
await init(new URL('${DIST}/core.wasm', location.href))
window.workbench = {
  validate,
  format: async (text) => {
    await initAuthoring(new URL('${DIST}/authoring.wasm', location.href))
    return format(text)
  },
}`)

let browser
let server

before(async () => {
  server = await serve(install(), { '/inline.html': inline, '/slim.html': slim })
  browser = await launch(chromium)
})

after(async () => {
  await browser?.close()
  server?.close()
})

/** Opens a page, waits for the package, and collects what goes wrong and what is fetched. */
const open = async (path) => {
  const page = await browser.newPage()
  const faults = []
  const fetched = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await page.goto(`${server.origin}${path}`)
  await page.waitForFunction(() => window.workbench !== undefined)
  return { page, faults, fetched: fetched.filter((path) => path !== '/favicon.ico') }
}

test('a plain page validates, expands, replays, formats and builds, with no request for the wasm', async () => {
  const { page, faults, fetched } = await open('/inline.html')
  const answers = await page.evaluate(
    async ([weather, unknownRef]) => {
      const { aiSdkModel, expand, format, replay, transcript, validate } = window.workbench
      const tape = await replay(weather)
      const prompt = [
        { role: 'system', content: 'You are helpful' },
        { role: 'user', content: [{ type: 'text', text: "What's the weather?" }] },
      ]
      const { content } = await aiSdkModel(tape).doGenerate({ prompt })
      const refused = await replay('weather.yaml').catch((error) => error.message)
      const found = validate({ text: unknownRef, file: 'run.yaml' })
      return {
        kinds: expand(weather).transcript.execution.map(({ type }) => type),
        codes: found.diagnostics.map(({ code }) => code),
        formatted: format('name:   run\n').text,
        built: transcript('hello').withUserMessage('Hi').build().metadata.name,
        saved: await transcript('hello')
          .withUserMessage('Hi')
          .save('hello.yaml')
          .catch((error) => error.message),
        content,
        refused,
        left: tape.leftover,
      }
    },
    [weather, unknownRef],
  )
  assert.deepEqual(answers.kinds, ['llm_call', 'tool_call', 'llm_call'])
  assert.ok(answers.codes.includes('T201'))
  assert.deepEqual([answers.formatted, answers.built], ['name: run\n', 'hello'])
  assert.match(answers.saved, /only Node can: use toYaml\(\) here/)
  assert.deepEqual(answers.content, [{ type: 'tool-call', toolCallId: 'call_001', toolName: 'weather', input: '{"location":"NYC"}' }])
  assert.deepEqual(answers.left, ['3'])
  assert.match(answers.refused, /takes text here/)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    fetched.filter((path) => path.endsWith('.wasm')),
    [],
  )
})

test('a plain page starts the slim entry with the addresses of the wasm, the second when it is needed', async () => {
  const { page, faults, fetched } = await open('/slim.html')
  const ok = await page.evaluate((weather) => window.workbench.validate(weather).ok, weather)
  assert.equal(ok, true)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    fetched.filter((path) => /wasm/.test(path)),
    [`${DIST}/core.wasm`],
  )
  assert.equal(await page.evaluate(async () => (await window.workbench.format('name:   run\n')).text), 'name: run\n')
})
