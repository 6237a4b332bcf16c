// `transcript open`, as a person at a browser meets it.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { launch } from '../support/browser.mjs'
import { startIn } from '../support/listening.mjs'
import { installWithSite } from '../support/site.mjs'

const folder = installWithSite()
const start = startIn(folder)
const path = (name) => join(folder, name)
const write = (name, content) => writeFileSync(path(name), content)
const read = (name) => readFileSync(path(name), 'utf8')

const HELLO = '# a greeting\nname: hello\nmessages:\n  - "user: Hi"\n  - "assistant: Hello!"\n'

let browser
before(async () => (browser = await launch(chromium)))
after(() => browser?.close())

/** The whole source, once the editor has taken the place of the plain text area. */
const textOf = async (page, source) => {
  await page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
  return source.evaluate((field) => field.value)
}

/** Opens a file as its command and a browser do; what the page requests of other places is collected. */
const opened = async (name, ...options) => {
  const server = await start('open', name, '--no-browser', ...options)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const { origin } = new URL(server.url)
  const faults = []
  context.on(
    'request',
    (request) => request.url().startsWith('http') && new URL(request.url()).origin !== origin && faults.push(request.url()),
  )
  context.on('weberror', (error) => faults.push(String(error.error())))
  await page.goto(server.url)
  const source = page.getByRole('textbox', { name: 'Source text of the transcript' })
  const bannerShows = (text) => page.getByRole('banner').getByText(text).waitFor()
  await source.or(page.getByRole('article').first()).waitFor()
  return {
    server,
    context,
    page,
    source,
    bannerShows,
    faults,
    origin,
    text: () => textOf(page, source),
    save: () => page.keyboard.press('Control+s'),
    close: async () => {
      await context.close()
      assert.deepEqual(faults, [])
      await server.stop()
    },
  }
}

/** Puts the caret behind the text `found` and types. */
const typeAfter = async ({ source, page }, found, text) => {
  await textOf(page, source)
  await source.evaluate((field, found) => {
    const at = field.value.indexOf(found) + found.length
    field.focus()
    field.setSelectionRange(at, at)
  }, found)
  await page.keyboard.type(text)
}

const eventually = async (look, expected) => {
  for (const until = Date.now() + 10_000; ; ) {
    const value = await look()
    if (value === expected || Date.now() > until) return assert.equal(value, expected)
    await new Promise((done) => setTimeout(done, 50))
  }
}

test('what is typed goes into the file on Ctrl+S, and only then', async () => {
  write('run.yaml', HELLO)
  const bench = await opened('run.yaml')
  await eventually(() => bench.text(), HELLO)
  await bench.bannerShows('run.yaml')
  await bench.bannerShows('Same as the file')
  await typeAfter(bench, 'user: Hi', ' there')
  await bench.bannerShows('Not yet in the file')
  assert.equal(read('run.yaml'), HELLO)
  await bench.save()
  await bench.bannerShows(/^Saved to the file · \d\d:\d\d$/)
  assert.equal(read('run.yaml'), HELLO.replace('Hi', 'Hi there'))
  // The same by the button, and back to what it was by undo.
  await bench.page.keyboard.press('Control+z')
  await bench.bannerShows('Not yet in the file')
  const now = await bench.text()
  await bench.page.getByRole('button', { name: 'Save to the file (Ctrl+S)' }).click()
  await eventually(() => read('run.yaml'), now)
  await bench.close()
})

test('line ends of every kind and a byte order mark stay where nobody typed', async () => {
  write('mixed.yaml', '\uFEFF# one\r\nname: hello\nmessages:\r\n  - "user: Hi"\r\n  - "assistant: Hello!"')
  const bench = await opened('mixed.yaml')
  await bench.bannerShows('Same as the file')
  await typeAfter(bench, 'user: Hi"', '\n- "assistant: Ho"')
  await bench.save()
  await bench.bannerShows(/Saved to the file/)
  const saved = read('mixed.yaml')
  assert.match(saved, /^\uFEFF# one\r\nname: hello\nmessages:\r\n {2}- "user: Hi"\r\n *- "assistant: Ho"\r\n {2}- "assistant: Hello!"$/)
  await bench.close()
})

test('what something else writes is shown while nothing is unsaved', async () => {
  write('watched.yaml', HELLO)
  const bench = await opened('watched.yaml')
  await bench.bannerShows('Same as the file')
  const theirs = HELLO.replace('Hello!', 'Good day!')
  write('watched.yaml', theirs)
  await eventually(() => bench.text(), theirs)
  // Removed: the text stays, and can be written anew.
  rmSync(path('watched.yaml'))
  await bench.bannerShows('Not yet in the file')
  assert.equal(await bench.text(), theirs)
  await bench.save()
  await bench.bannerShows(/Saved to the file/)
  assert.equal(read('watched.yaml'), theirs)
  await bench.close()
})

for (const [choice, wins] of [
  ['Use the file', 'theirs'],
  ['Overwrite the file', 'mine'],
]) {
  test(`when both have changed, a person chooses, and the other version is kept: ${wins}`, async () => {
    write('both.yaml', HELLO)
    const bench = await opened('both.yaml')
    const { page } = bench
    await bench.bannerShows('Same as the file')
    await typeAfter(bench, 'user: Hi', ' from me')
    const mine = await bench.text()
    const theirs = HELLO.replace('Hello!', 'Hello from them!')
    write('both.yaml', theirs)
    await bench.bannerShows('The file has changed too')
    await bench.save()
    const dialog = page.getByRole('dialog', { name: 'both.yaml has changed' })
    await dialog.waitFor()
    assert.equal(read('both.yaml'), theirs)
    // Deciding later changes nothing.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(read('both.yaml'), theirs)
    assert.equal(await bench.text(), mine)
    await bench.save()
    await dialog.waitFor()
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
    await dialog.getByRole('button', { name: choice }).click()
    const [kept, other] = wins === 'mine' ? [mine, theirs] : [theirs, mine]
    await eventually(() => bench.text(), kept)
    await eventually(() => read('both.yaml'), kept)
    await bench.bannerShows(wins === 'mine' ? /Saved to the file/ : 'Same as the file')
    await page.getByRole('link', { name: 'Transcript Workbench' }).click()
    await page.getByRole('link', { name: /copy of both\.yaml/ }).click()
    await eventually(() => bench.text(), other)
    assert.equal(read('both.yaml'), kept)
    await bench.close()
  })
}

test('what was not saved is there again after the tab was closed', async () => {
  write('closed.yaml', HELLO)
  const bench = await opened('closed.yaml')
  await bench.bannerShows('Same as the file')
  await typeAfter(bench, 'user: Hi', ' again')
  await bench.bannerShows('Not yet in the file')
  const page = await bench.context.newPage()
  await bench.page.close({ runBeforeUnload: false })
  await page.goto(bench.server.url)
  const source = page.getByRole('textbox', { name: 'Source text of the transcript' })
  await eventually(() => textOf(page, source), HELLO.replace('Hi', 'Hi again'))
  await page.getByText('Not yet in the file').waitFor()
  assert.equal(read('closed.yaml'), HELLO)
  await page.keyboard.press('Control+s')
  await page.getByText(/Saved to the file/).waitFor()
  assert.equal(read('closed.yaml'), HELLO.replace('Hi', 'Hi again'))
  // Saved and closed, there is nothing left to restore.
  write('closed.yaml', HELLO)
  await page.reload()
  await eventually(() => textOf(page, source), HELLO)
  await page.getByText('Same as the file').waitFor()
  await bench.close()
})

test('a file that does not exist is made by the first save', async () => {
  rmSync(path('new.yaml'), { force: true })
  const bench = await opened('new.yaml')
  await bench.bannerShows('Same as the file')
  assert.equal(await bench.text(), '')
  await bench.source.click()
  await bench.page.keyboard.type('name: new')
  await bench.bannerShows('Not yet in the file')
  assert.equal(existsSync(path('new.yaml')), false)
  await bench.save()
  await bench.bannerShows(/Saved to the file/)
  assert.equal(read('new.yaml'), 'name: new')
  await bench.close()
})

test('with --autosave nothing has to be pressed', async () => {
  write('auto.yaml', HELLO)
  const bench = await opened('auto.yaml', '--autosave')
  await bench.bannerShows('Same as the file')
  await typeAfter(bench, 'user: Hi', '!')
  await eventually(() => read('auto.yaml'), HELLO.replace('Hi', 'Hi!'))
  await bench.bannerShows(/Saved to the file/)
  await bench.close()
})

test('a file that cannot be written and a server that has gone are reported, with a download', async () => {
  write('locked.yaml', HELLO)
  chmodSync(path('locked.yaml'), 0o444)
  const bench = await opened('locked.yaml')
  await bench.bannerShows('Same as the file')
  await typeAfter(bench, 'user: Hi', '!')
  await bench.save()
  const alert = bench.page.getByRole('alert').filter({ visible: true })
  await alert.getByText(/is read-only/).waitFor()
  assert.equal(read('locked.yaml'), HELLO)
  const [download] = await Promise.all([bench.page.waitForEvent('download'), alert.getByRole('button', { name: 'Download' }).click()])
  assert.equal(readFileSync(await download.path(), 'utf8'), HELLO.replace('Hi', 'Hi!'))

  chmodSync(path('locked.yaml'), 0o644)
  await bench.save()
  await bench.bannerShows(/Saved to the file/)
  await bench.server.stop()
  await bench.bannerShows('`transcript open` has ended')
  await typeAfter(bench, 'user: Hi', '?')
  await alert.getByText(/`transcript open` has ended.*Download/).waitFor()
  await bench.context.close()
  assert.deepEqual(bench.faults, [])
})

test('the log of another program is opened as a transcript and left as it is', async () => {
  const log = readFileSync(new URL('../../imports/fixtures/agentloom/v0.4.0/record_and_replay.json', import.meta.url), 'utf8')
  write('log.json', log)
  const bench = await opened('log.json')
  await bench.page.waitForURL((url) => url.hash.includes('d=l:'))
  // A log opens in the view to read it.
  await bench.page.getByRole('article').first().waitFor()
  await bench.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Edit' }).click()
  await eventually(async () => (await bench.text()).includes('messages'), true)
  const [download] = await Promise.all([bench.page.waitForEvent('download'), bench.save()])
  assert.ok(readFileSync(await download.path()).length > 0)
  // Its own text is shown on demand, and a change of that is a copy.
  await bench.page.getByRole('button', { name: 'Show the original' }).click()
  await bench.bannerShows('Read-only')
  await bench.source.click()
  await bench.page.keyboard.type('x')
  await bench.page.waitForURL((url) => url.hash.includes('d=l:'))
  assert.equal(read('log.json'), log)
  await bench.close()
})

test('a token of another run opens nothing', async () => {
  write('token.yaml', HELLO)
  const bench = await opened('token.yaml')
  await bench.bannerShows('Same as the file')
  const page = await bench.context.newPage()
  await page.goto(`${bench.origin}/#/edit?d=f:of-another-run`)
  await page.getByText(/belongs to another run of `transcript open`/).waitFor()
  await page.close()
  await bench.close()
})
