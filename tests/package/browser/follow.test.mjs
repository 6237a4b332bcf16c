// `transcript open --follow`, as a person at a browser meets it.
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { launch } from '../support/browser.mjs'
import { startIn } from '../support/listening.mjs'
import { installWithSite } from '../support/site.mjs'

const folder = installWithSite()
const start = startIn(folder)
const path = (name) => join(folder, name)

let browser
before(async () => (browser = await launch(chromium)))
after(() => browser?.close())

/** Lines of a session of Claude Code from one number up to another. */
const lines = (from, to, session = 'one') => {
  const all = []
  for (let number = from; number <= to; number += 1) {
    const role = number % 2 ? 'user' : 'assistant'
    const content = `Line ${number} of ${session}`
    const message =
      role === 'user' ? { role, content } : { role, id: `m${number}`, model: 'claude', content: [{ type: 'text', text: content }] }
    const [uuid, parentUuid] = [`${session}-${number}`, number > 1 ? `${session}-${number - 1}` : null]
    all.push(`${JSON.stringify({ type: role, sessionId: session, uuid, parentUuid, isSidechain: false, message })}\n`)
  }
  return all.join('')
}

const opened = async (name) => {
  const server = await start('open', '--follow', name, '--no-browser')
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const faults = []
  context.on('weberror', (error) => faults.push(String(error.error())))
  await page.goto(server.url)
  const message = (text) => page.getByRole('article').filter({ hasText: text }).waitFor()
  const says = (text) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const close = async () => {
    await context.close()
    assert.deepEqual(faults, [])
    await server.stop()
  }
  return { server, page, message, says, close }
}

test('the page shows what an agent adds within two seconds, in the same place of the history', async () => {
  writeFileSync(path('live.jsonl'), lines(1, 4))
  const { page, message, says, server, close } = await opened('live.jsonl')
  await message('Line 4 of one')
  await says('Following')
  const [before, address] = [await page.evaluate(() => history.length), page.url()]
  appendFileSync(path('live.jsonl'), lines(5, 6))
  const begin = Date.now()
  await message('Line 6 of one')
  assert.ok(Date.now() - begin < 4_000, `${Date.now() - begin} ms`)
  assert.deepEqual([await page.evaluate(() => history.length), page.url()], [before, address])
  // It is there again after a reload, and follows on.
  await page.reload()
  await message('Line 6 of one')
  appendFileSync(path('live.jsonl'), lines(7, 8))
  await message('Line 8 of one')
  // A log that is gone for a moment stays on screen.
  rmSync(path('live.jsonl'))
  await new Promise((done) => setTimeout(done, 2_500))
  await message('Line 8 of one')
  writeFileSync(path('live.jsonl'), lines(1, 10))
  await message('Line 10 of one')
  await server.stop()
  await says('`transcript open` has ended')
  await message('Line 10 of one')
  await close()
})

test('what is typed is kept as a copy, and the log is followed no longer', async () => {
  writeFileSync(path('typed.jsonl'), lines(1, 4))
  const { page, message, says, close } = await opened('typed.jsonl')
  await message('Line 4 of one')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Edit' }).click()
  await page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
  await page.locator('#source-field').evaluate((field) => {
    field.focus()
    field.setSelectionRange(0, 0)
  })
  await page.keyboard.type('# mine')
  await page.keyboard.press('Enter')
  await says('The transcript no longer follows the log')
  appendFileSync(path('typed.jsonl'), lines(5, 6))
  await new Promise((done) => setTimeout(done, 2_500))
  const text = await page.locator('#source-field').evaluate((field) => field.value)
  assert.deepEqual([text.startsWith('# mine'), text.includes('Line 5')], [true, false])
  assert.match(page.url(), /d=l:/)
  await close()
})

test('the newest session of a folder is shown, and the page says when another one begins', async () => {
  mkdirSync(path('logs/one/subagents'), { recursive: true })
  const { page, message, says, close } = await opened('logs')
  await page.getByText('There is nothing in the log yet').waitFor()
  writeFileSync(path('logs/one.jsonl'), lines(1, 4))
  await message('Line 4 of one')
  writeFileSync(path('logs/two.jsonl'), lines(1, 2, 'two'))
  await says('A newer session began.')
  await message('Line 2 of two')
  // The other one goes on at the same time: the page does not change between them.
  appendFileSync(path('logs/two.jsonl'), lines(3, 4, 'two'))
  appendFileSync(path('logs/one.jsonl'), lines(5, 6))
  utimesSync(path('logs/one.jsonl'), new Date(), new Date(Date.now() + 1_000))
  await message('Line 4 of two')
  await new Promise((done) => setTimeout(done, 2_500))
  await message('Line 4 of two')
  // It is shown once the first one is quiet.
  const quiet = new Date(Date.now() - 60_000)
  utimesSync(path('logs/two.jsonl'), quiet, quiet)
  await message('Line 6 of one')
  await close()
})
