// A log that was dropped on the page and is followed while its program writes it.
import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const record = (session, number, role, message) =>
  JSON.stringify({
    type: role,
    sessionId: session,
    uuid: `${session}-${number}`,
    parentUuid: number > 1 ? `${session}-${number - 1}` : null,
    timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, number)).toISOString(),
    isSidechain: false,
    message: { role, ...message },
  })

/** Lines of a session of Claude Code from one number up to another: a question and an answer, in turns. */
const lines = (from, to, session = 'one') => {
  const all = []
  for (let number = from; number <= to; number += 1) {
    const content = `${number % 2 ? 'Question' : 'Answer'} ${number} of ${session}`
    const message = number % 2 ? { content } : { id: `m${number}`, model: 'claude', content: [{ type: 'text', text: content }] }
    all.push(`${record(session, number, number % 2 ? 'user' : 'assistant', message)}\n`)
  }
  return all.join('')
}

/**
 * Drops a file as a browser with handles gets it: one in the private file system of the page, which the page may write as
 * another program would.
 */
async function dropHandle({ page }, name, text) {
  await page.locator('.bar').first().waitFor({ state: 'attached' })
  await page.evaluate(
    async ([name, text]) => {
      const root = await navigator.storage.getDirectory()
      window.writeLog = async (text, keepExistingData = false) => {
        const handle = await root.getFileHandle(name, { create: true })
        const { size } = await handle.getFile()
        const stream = await handle.createWritable({ keepExistingData })
        await stream.write({ type: 'write', position: keepExistingData ? size : 0, data: text })
        await stream.close()
      }
      window.removeLog = () => root.removeEntry(name)
      await window.writeLog(text)
      const handle = await root.getFileHandle(name)
      DataTransferItem.prototype.getAsFileSystemHandle = async () => handle
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    [name, text],
  )
  await page.getByRole('article').first().waitFor()
}
const append = ({ page }, text) => page.evaluate((text) => window.writeLog(text, true), text)

/** Drops files and folders of this machine, as a file manager does. */
async function dropPaths({ page, context }, paths) {
  await page.locator('.bar').first().waitFor({ state: 'attached' })
  const client = await context.newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  await page.getByRole('article').first().waitFor()
}

const button = ({ page }, name) => page.getByRole('button', { name, exact: true })
const says = ({ page }, text) => page.getByRole('status').filter({ hasText: text }).waitFor()
const message = ({ page }, text) => page.getByRole('article').filter({ hasText: text })
/** How far the list is scrolled, and how far it is from its end. */
const scrolled = ({ page }) =>
  page.locator('#read-list').evaluate((list) => [list.scrollTop, list.scrollHeight - list.clientHeight - list.scrollTop].map(Math.round))

const follow = async (bench) => {
  await button(bench, 'Follow').click()
  await says(bench, 'Following')
  await bench.page.getByText(/· \d\d:\d\d:\d\d$/).waitFor()
}

journey('what is added to a dropped log is shown in the same document, and the reader stays where they are', {}, async (bench) => {
  const { page } = bench
  await dropHandle(bench, 'session.jsonl', lines(1, 40))
  await follow(bench)
  const before = await page.evaluate(() => history.length)
  await message(bench, 'Question 3 of one').click()
  await eventually(() => bench.fragment().includes('s='), true)
  const there = bench.fragment()
  // A reader in the middle is not moved.
  await page.locator('#read-list').evaluate((list) => list.scrollTo(0, 200))
  await page.waitForTimeout(2_000)
  const [top] = await scrolled(bench)
  await append(bench, lines(41, 44))
  await eventually(
    () =>
      page
        .locator('[aria-setsize="44"]')
        .count()
        .then((count) => count > 0),
    true,
  )
  assert.deepEqual([(await scrolled(bench))[0], bench.fragment()], [top, there])
  // A reader at the end sees what comes.
  await page.locator('#read-list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await message(bench, 'Answer 44 of one').waitFor()
  await eventually(async () => (await scrolled(bench))[1] <= 1, true)
  await append(bench, lines(45, 48))
  await message(bench, 'Answer 48 of one').waitFor()
  await eventually(async () => (await scrolled(bench))[1] <= 1, true)
  assert.deepEqual([await page.evaluate(() => history.length), bench.fragment()], [before, there])
  assert.deepEqual(await complaints(page), [])
  // It is the same document after a reload, with all that was shown.
  await eventually(() => page.getByText(/^Saved/).count(), 1)
  await page.reload()
  await message(bench, 'Question 3 of one').waitFor()
  await eventually(
    () =>
      page
        .locator('[aria-setsize="48"]')
        .count()
        .then((count) => count > 0),
    true,
  )
})

journey('a line that is half written is no problem, and shows when it is whole', {}, async (bench) => {
  const { page } = bench
  await dropHandle(bench, 'session.jsonl', lines(1, 4))
  await follow(bench)
  const verdict = await page.locator('.verdict').innerText()
  const next = lines(5, 5)
  await append(bench, next.slice(0, 60))
  await page.waitForTimeout(2_500)
  assert.equal(await page.locator('.verdict').innerText(), verdict)
  assert.equal(await page.getByRole('article').count(), 4)
  await append(bench, next.slice(60))
  await message(bench, 'Question 5 of one').waitFor()
  assert.equal(await page.locator('.verdict').innerText(), verdict)
})

journey('a log that is emptied or gone for a moment stays on screen', {}, async (bench) => {
  const { page } = bench
  await dropHandle(bench, 'session.jsonl', lines(1, 4))
  await follow(bench)
  await page.evaluate(() => window.writeLog(''))
  await page.waitForTimeout(3_500)
  await message(bench, 'Answer 4 of one').waitFor()
  await page.evaluate(() => window.removeLog())
  await page.waitForTimeout(1_500)
  await message(bench, 'Answer 4 of one').waitFor()
  await page.evaluate((text) => window.writeLog(text), lines(1, 6))
  await message(bench, 'Answer 6 of one').waitFor()
  // Another session in the same file is another document; the one before is kept.
  await page.evaluate((text) => window.writeLog(text), lines(1, 2, 'two'))
  await says(bench, 'A newer session began.')
  await message(bench, 'Answer 2 of two').waitFor()
  await page.goto(`${bench.url}#/gallery`)
  await eventually(() => page.getByRole('region', { name: 'Recent' }).getByRole('listitem').count(), 3)
})

journey('following is stopped and resumed', {}, async (bench) => {
  const { page } = bench
  await dropHandle(bench, 'session.jsonl', lines(1, 4))
  await follow(bench)
  await button(bench, 'Stop').click()
  await says(bench, 'Paused')
  await append(bench, lines(5, 6))
  await page.waitForTimeout(2_500)
  assert.equal(await page.getByRole('article').count(), 4)
  await button(bench, 'Resume').click()
  await message(bench, 'Answer 6 of one').waitFor()
  // It goes on while another view is open.
  await bench.edit()
  await append(bench, lines(7, 8))
  await eventually(async () => (await bench.text()).includes('Answer 8 of one'), true)
})

journey('who changes the transcript is asked nothing and loses nothing', {}, async (bench) => {
  const { page } = bench
  await dropHandle(bench, 'session.jsonl', lines(1, 4))
  await follow(bench)
  await bench.edit()
  await bench.typeOver('Answer 4 of one', 'Mine')
  await says(bench, 'The transcript no longer follows the log')
  await append(bench, lines(5, 6))
  await page.waitForTimeout(2_500)
  const text = await bench.text()
  assert.deepEqual([text.includes('Mine'), text.includes('Question 5')], [true, false])
})

journey('a filter and open details stay while the log grows', {}, async (bench) => {
  const { page } = bench
  const call = record('one', 5, 'assistant', {
    id: 'm5',
    model: 'claude',
    content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls -la' } }],
  })
  const result = record('one', 6, 'user', { content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'calc.js' }] })
  await dropHandle(bench, 'session.jsonl', `${lines(1, 4)}${call}\n`)
  await follow(bench)
  await append(bench, `${result}\n`)
  const tool = page.getByRole('article').getByRole('button', { name: /Bash/ })
  await tool.click()
  await page.getByRole('region', { name: 'Read' }).getByText('calc.js').waitFor()
  await append(bench, lines(7, 8))
  await message(bench, 'Answer 8 of one').waitFor()
  await page.getByRole('region', { name: 'Read' }).getByText('calc.js').waitFor()
  assert.equal(await tool.getAttribute('aria-expanded'), 'true')
  await page.getByRole('searchbox').first().fill('Question')
  await eventually(() => page.getByRole('article').count(), 3)
  await append(bench, lines(9, 10))
  await message(bench, 'Question 9 of one').waitFor()
  await eventually(() => page.getByRole('article').count(), 4)
})

journey('without handles, or for another file, nothing is offered', {}, async (bench) => {
  const { page } = bench
  await bench.drop('session.jsonl', [...Buffer.from(lines(1, 4))])
  await message(bench, 'Answer 4 of one').waitFor()
  await page.getByRole('button', { name: 'Make a test' }).waitFor()
  await page.waitForTimeout(500)
  assert.equal(await button(bench, 'Follow').count(), 0)
})

journey('a file of this machine is followed', {}, async (bench) => {
  const folder = await mkdtemp(join(tmpdir(), 'transcript-'))
  const file = join(folder, 'session.jsonl')
  await writeFile(file, lines(1, 4))
  await dropPaths(bench, [file])
  await follow(bench)
  await appendFile(file, lines(5, 6))
  await message(bench, 'Answer 6 of one').waitFor()
  await rm(folder, { recursive: true })
})

journey('of a folder of this machine the newest session is followed', {}, async (bench) => {
  const folder = await mkdtemp(join(tmpdir(), 'transcript-'))
  await writeFile(join(folder, 'one.jsonl'), lines(1, 4))
  await writeFile(join(folder, 'sessions-index.json'), '{}')
  await dropPaths(bench, [folder])
  await message(bench, 'Answer 4 of one').waitFor()
  await follow(bench)
  await appendFile(join(folder, 'one.jsonl'), lines(5, 6))
  await message(bench, 'Answer 6 of one').waitFor()
  await mkdir(join(folder, 'two'))
  await writeFile(join(folder, 'two.jsonl'), lines(1, 2, 'two'))
  await says(bench, 'A newer session began.')
  await message(bench, 'Answer 2 of two').waitFor()
  await rm(folder, { recursive: true })
})

journey(
  'the page says it in German, and it fits on a phone',
  { viewport: { width: 390, height: 800 }, fragment: '#/gallery?lang=de' },
  async (bench) => {
    const { page } = bench
    await dropHandle(bench, 'session.jsonl', lines(1, 4))
    await button(bench, 'Folgen').click()
    await says(bench, 'Folgt')
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [390, 390])
    await button(bench, 'Anhalten').click()
    await button(bench, 'Fortsetzen').waitFor()
  },
)
