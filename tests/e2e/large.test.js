// Logs that are too large to be held.
import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { journey } from './harness.js'

/** Writes a file of these lines, drops it as a file manager does, and removes it. */
async function drop({ page, context }, name, lines) {
  const folder = await mkdtemp(join(tmpdir(), 'transcript-'))
  const file = await open(join(folder, name), 'w')
  for (const line of lines) await file.write(`${JSON.stringify(line)}\n`)
  await file.close()
  const client = await context.newCDPSession(page)
  const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  return () => rm(folder, { recursive: true })
}

const gallery = ({ page }) => page.getByRole('heading', { name: 'Examples' }).waitFor()
const banner = ({ page }, text) => page.getByRole('status').filter({ hasText: text })

/** A session of Claude Code with a tool that returns `length` characters each time. */
function* session(calls, length) {
  let parent = null
  const record = (at, type, message) => {
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const made = {
      parentUuid: parent,
      uuid,
      type,
      message,
      sessionId: 's',
      cwd: '/srv',
      version: '2.0.1',
      isSidechain: false,
      userType: 'external',
    }
    parent = uuid
    return { ...made, timestamp: new Date(Date.UTC(2026, 0, 14, 3) + at * 1000).toISOString() }
  }
  yield record(0, 'user', { role: 'user', content: 'Read it all.' })
  for (let call = 1; call <= calls; call += 1) {
    const id = `toolu_${call}`
    const use = { type: 'tool_use', id, name: 'Read', input: { file_path: `notes/${call}.txt` } }
    yield record(call * 2 - 1, 'assistant', { id: `msg_${call}`, type: 'message', role: 'assistant', model: 'm', content: [use] })
    const content = `begin of ${call} ${'word '.repeat(length / 5)}end of ${call}`
    yield record(call * 2, 'user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
  }
}

journey('of a log beyond what is held the long texts are cut, and no step is missing', {}, async (bench) => {
  await gallery(bench)
  const remove = await drop(bench, 'big.jsonl', session(90, 400_000))
  const { page } = bench
  await banner(bench, 'Imported a Claude Code session: 181 records').waitFor({ timeout: 60_000 })
  await remove()
  // 36 MB to 4 MiB: of 400,000 bytes 32 KiB are left, about 367 kB less for each.
  await banner(bench, '90 long texts are shortened, by 33 MB in total').waitFor()
  const text = await bench.text()
  assert.ok(text.includes('begin of 90 word') && text.includes('end of 90'))
  // Each call's result is in the step and in its message.
  assert.deepEqual([...new Set(text.match(/ \[… .*? omitted …\] /g))], [' [… 367 kB omitted …] '])
  for (let call = 1; call <= 90; call += 1) assert.match(text, new RegExp(`begin of ${call} word[^…]*…[^…]*…[^…]*end of ${call}\\b`))
  await page.getByRole('article').filter({ hasText: 'Read it all.' }).first().waitFor()
})

journey('of many short records a part is chosen', {}, async (bench) => {
  await gallery(bench)
  const examples = Array.from({ length: 40_000 }, (_, at) => ({
    messages: [
      { role: 'user', content: `question ${at}` },
      { role: 'assistant', content: `answer ${at} ${'word '.repeat(180)}` },
    ],
  }))
  const remove = await drop(bench, 'examples.jsonl', examples)
  const { page } = bench
  const parts = page.getByRole('button', { name: /^lines [\d,]+ to [\d,]+$/ })
  await parts.first().waitFor({ timeout: 60_000 })
  assert.match(await parts.last().innerText(), / to 40,000$/)
  assert.ok((await parts.count()) > 2)
  const [, first] = (await parts.nth(1).innerText()).match(/^lines ([\d,]+) to/)
  await parts.nth(1).click()
  const one = page.getByRole('button', { name: /^conversation-/ }).first()
  await one.waitFor({ timeout: 60_000 })
  await one.click()
  // Lines are counted from 1, questions from 0.
  const question = `question ${Number(first.replaceAll(',', '')) - 1}`
  await page.getByRole('article').filter({ hasText: question }).first().waitFor({ timeout: 60_000 })
  await remove()
  assert.ok((await bench.text()).includes(question))
})

journey('a large document that is no log is refused, and how it can be read is reported', {}, async (bench) => {
  await gallery(bench)
  const remove = await drop(bench, 'own.json', [{ messages: Array.from({ length: 90 }, () => `user: ${'word '.repeat(80_000)}`) }])
  const dialog = bench.page.getByRole('dialog', { name: 'own.json was not opened' })
  await dialog.waitFor({ timeout: 60_000 })
  await remove()
  assert.match(await dialog.innerText(), /it has 36 MB; .* limit .* is 32 MiB/)
  assert.match(await dialog.innerText(), /transcript convert --max-bytes/)
})

// 11 MB of messages; the full transcript exceeds the 32 MiB limit of a document.
journey('a chat of 100,000 messages opens, and its last step is a key away', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const messages = Array.from({ length: 100_000 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: `Message ${at} of a long chat, in which each one says about as much as fits a line.`,
  }))
  const remove = await drop(bench, 'chat.jsonl', messages)
  await banner(bench, 'Imported a chat: 100000 messages and requests').waitFor({ timeout: 60_000 })
  await remove()
  await page.getByRole('article').first().waitFor({ timeout: 60_000 })
  await page.keyboard.press('End')
  await page.getByRole('article').filter({ hasText: 'Message 99999 of' }).waitFor()
  await bench.edit()
  await bench.steps.getByRole('option').first().click({ timeout: 60_000 })
  await bench.page.keyboard.press('End')
  await bench.selected.filter({ hasText: 'Message 99999 of' }).waitFor({ timeout: 60_000 })
})
