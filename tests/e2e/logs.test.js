import assert from 'node:assert/strict'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, journey } from './harness.js'
import { zip } from './zip.js'

const fixtures = fileURLToPath(new URL('../imports/fixtures', import.meta.url))
const session = join(fixtures, 'qbit/transcripts/sess-jsonl-head')
const events = fileURLToPath(new URL('../events/samples', import.meta.url))

const fixture = (path) => readFile(join(fixtures, path))
const banner = ({ page }, text) => page.getByRole('status').filter({ hasText: text })
const button = ({ page }, name) => page.getByRole('button', { name, exact: true })
const gallery = ({ page }) => page.getByRole('heading', { name: 'Examples' }).waitFor()

/** Drops files and folders of this machine onto the middle of the window, as a file manager does. */
async function dropPaths({ page, context }, paths) {
  const client = await context.newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
}

/** Drops several files at once. */
async function dropFiles({ page }, files) {
  await page.evaluate((files) => {
    const dataTransfer = new DataTransfer()
    for (const [name, text] of files) dataTransfer.items.add(new File([text], name))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }, files)
}

async function folder(files) {
  const root = await mkdtemp(join(tmpdir(), 'transcript-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

/** Where nothing sticks out of a page of this width. */
async function fits({ page }) {
  assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [390, 390])
}

journey('a dropped folder of a session is one transcript with its agents joined', {}, async (bench) => {
  await gallery(bench)
  await dropPaths(bench, [session])
  await banner(bench, /Imported a qbit session log: \d+ events, in 2 files\./).waitFor()
  await bench.page.getByText('sess-jsonl-head.yaml', { exact: true }).waitFor()
  await bench.edit()
  assert.match(await bench.text(), /nested_transcript:/)
  await button(bench, 'Import details').click()
  const dialog = bench.page.getByRole('dialog', { name: 'Import details' })
  await dialog.getByText('sess-jsonl-head/subagents/coder-toolu_01Cd4/transcript.json', { exact: true }).waitFor()
  // The text of a file is there as it was.
  await dialog.getByRole('button', { name: 'Open the text of sess-jsonl-head/transcript.json' }).click()
  await banner(bench, 'This is a log in the format “qbit”, not a transcript.').waitFor()
  assert.equal(await bench.text(), await readFile(join(session, 'transcript.json'), 'utf8'))
  await bench.page.goBack()
  await banner(bench, 'Imported a qbit session log').waitFor()
})

journey('a folder is chosen in the dialog as well', {}, async (bench) => {
  await gallery(bench)
  const [chooser] = await Promise.all([bench.page.waitForEvent('filechooser'), button(bench, 'Open a folder').click()])
  await chooser.setFiles(session)
  await banner(bench, 'in 2 files').waitFor()
})

journey('a zip file of a session is one transcript, and what was not read is reported', {}, async (bench) => {
  await gallery(bench)
  const agent = 'sess-jsonl-head/subagents/coder-toolu_01Cd4/transcript.json'
  const bytes = zip([
    ['sess-jsonl-head/transcript.json', await readFile(join(session, 'transcript.json'))],
    [agent, await readFile(join(dirname(session), agent))],
    ['sess-jsonl-head/secret.json', '{}', { flags: 1 }],
    ['../../transcript.json', '{}'],
    ['__MACOSX/._transcript.json', 'x'],
  ])
  await bench.drop('session.zip', [...bytes])
  await banner(bench, 'in 2 files').waitFor()
  await button(bench, 'Import details').click()
  const dialog = bench.page.getByRole('dialog', { name: 'Import details' })
  await dialog.getByText('sess-jsonl-head/secret.json: it is encrypted').waitFor()
  await dialog.getByText('../../transcript.json: its path is outside of the zip file').waitFor()
  assert.equal(await dialog.getByText('MACOSX').count(), 0)
})

for (const [what, name, entries, expected] of [
  ['with nothing to read', 'photos.zip', [['a.png', 'x']], /it contains no log files/],
  ['of which all is encrypted', 'locked.zip', [['transcript.json', '{}', { flags: 1 }]], /transcript\.json: it is encrypted/],
  [
    'that is a bomb',
    'bomb.zip',
    Array.from({ length: 5 }, (_, at) => [`${at}.json`, Buffer.alloc(33 << 20, 0x20)]),
    /unpacked, the zip file has more than 128 MiB/,
  ],
  ['of too many files', 'many.zip', Array.from({ length: 10_001 }, (_, at) => [`f/${at}.json`, '']), /more than 10000 entries/],
]) {
  journey(`a zip file ${what} is refused in words`, {}, async (bench) => {
    await gallery(bench)
    await bench.drop(name, [...zip(entries)])
    const dialog = bench.page.getByRole('dialog', { name: `${name} was not opened` })
    await dialog.waitFor({ timeout: 60_000 })
    assert.match(await dialog.innerText(), expected)
    await bench.page.keyboard.press('Escape')
    await gallery(bench)
  })
}

journey('of the sessions in a folder one is chosen, by keys alone', {}, async (bench) => {
  await gallery(bench)
  await dropPaths(bench, [join(fixtures, 'qbit/transcripts')])
  const { page } = bench
  const list = page.getByRole('dialog', { name: 'Choose a session' }).getByRole('list', { name: 'Sessions' })
  await list.getByRole('button', { name: 'sess-truncated', exact: true }).waitFor()
  assert.equal(await list.getByRole('button').count(), 16)
  await list.getByRole('button', { name: 'sess-truncated', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('sess-truncated.yaml', { exact: true }).waitFor()
  await banner(bench, 'Imported a qbit session log: 14 events.').waitFor()
})

journey('each session that is offered has its first words next to it', {}, async (bench) => {
  await gallery(bench)
  const list = (prompt) => [
    { role: 'user', content: prompt },
    { role: 'assistant', content: 'Yes.' },
  ]
  await bench.drop('chats.json', [...Buffer.from(JSON.stringify([list('One?'), list('Two?')]))])
  const sessions = bench.page.getByRole('dialog', { name: 'Choose a session' }).getByRole('list', { name: 'Sessions' })
  const second = sessions.getByRole('listitem').filter({ hasText: 'Two?' })
  // The sizes of the sessions come a moment later.
  await second.getByText('1 response', { exact: true }).waitFor()
  await second.getByRole('button', { name: 'conversation-2', exact: true }).click()
  await banner(bench, 'Imported a chat: 2 messages and requests.').waitFor()
})

journey('a large document leaves the files of an earlier log at hand', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  await dropPaths(bench, [session])
  await banner(bench, 'in 2 files').waitFor()
  const messages = Array.from({ length: 300 }, (_, at) => `${at % 2 ? 'assistant' : 'user'}: ${'word '.repeat(1_000)}`)
  const folder = await mkdtemp(join(tmpdir(), 'transcript-'))
  await writeFile(join(folder, 'large.json'), JSON.stringify({ messages }))
  await dropPaths(bench, [join(folder, 'large.json')])
  await page.getByText('large.json', { exact: true }).waitFor()
  await rm(folder, { recursive: true })
  await bench.steps.getByRole('option').first().waitFor()
  await page.goBack()
  await page.getByText('sess-jsonl-head.yaml', { exact: true }).waitFor()
  await bench.edit()
  await button(bench, 'Import details').click()
  await page.getByRole('button', { name: 'Open the text of sess-jsonl-head/transcript.json' }).click()
  await banner(bench, 'This is a log in the format “qbit”, not a transcript.').waitFor()
  assert.equal(await bench.text(), await readFile(join(session, 'transcript.json'), 'utf8'))
})

journey('a log in Zstandard is what is in it, and one that is damaged is reported', {}, async (bench) => {
  await gallery(bench)
  const text = Buffer.from('{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello!"}\n')
  // A frame by RFC 8878 of one segment, with the content as it is in one block.
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length, ((text.length << 3) | 1) & 0xff, text.length >> 5, 0, ...text]
  await bench.drop('chat.jsonl.zst', frame.slice(0, -1))
  await bench.page
    .getByText(/chat\.jsonl\.zst/)
    .first()
    .waitFor()
  await bench.page.getByText('Imported a').waitFor({ state: 'detached' })
  await bench.drop('chat.jsonl.zst', frame)
  await banner(bench, 'Imported a chat: 2 messages and requests.').waitFor()
})

journey('a log that was cut opens with all before the cut, and Back leads to where it was dropped', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const bytes = await fixture('qbit/transcripts/sess-truncated/transcript.json')
  await bench.drop('transcript.json', [...bytes])
  await banner(bench, 'Imported a qbit session log: 14 events. 1 piece could not be read.').waitFor()
  await page.getByRole('article').first().waitFor()
  assert.ok((await page.getByRole('article').count()) > 5)
  await button(bench, 'Import details').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import details' })
  await dialog.getByText('line 15: the log ends in the middle of an entry (everything before it is read)').waitFor()
  await page.keyboard.press('Escape')
  await button(bench, 'Show the original').focus()
  await page.keyboard.press('Enter')
  await banner(bench, 'This is a log in the format “qbit”, not a transcript.').waitFor()
  assert.equal(await bench.text(), bytes.toString())
  await page.goBack()
  await banner(bench, 'Imported a qbit session log').waitFor()
  await page.goBack()
  await gallery(bench)
  // Both are kept on this device, and the log can be read again.
  await page.getByRole('link', { name: /^transcript\.json/ }).click()
  await button(bench, 'Open as a transcript').click()
  await banner(bench, 'Imported a qbit session log: 14 events.').waitFor()
})

journey('an AgentLoom recording opens, and is paired with what is dropped with it', {}, async (bench) => {
  await gallery(bench)
  const at = 'agentloom/v0.4.0/record_and_replay'
  const files = await Promise.all(
    ['.result.json', '.json', '.mock_calls.json'].map(async (end) => [`run${end}`, String(await fixture(at + end))]),
  )
  await bench.drop('run.json', [...Buffer.from(files[1][1])])
  await banner(bench, /Imported an AgentLoom recording: \d+ responses and calls\./).waitFor()
  await button(bench, 'Import details').click()
  await bench.page
    .getByText(/what the model received is unknown/)
    .first()
    .waitFor()
  await bench.page.keyboard.press('Escape')
  await dropFiles(bench, files)
  await banner(bench, 'in 3 files.').waitFor()
  assert.doesNotMatch(await bench.text(), /^# /)
  await dropFiles(bench, [files[0]])
  await banner(bench, 'drop both files at once').waitFor()
})

journey('of several files that are no logs the first one opens, as ever', {}, async (bench) => {
  await gallery(bench)
  await dropFiles(bench, [
    ['first.yaml', "messages: ['user: One']"],
    ['second.yaml', "messages: ['user: Two']"],
  ])
  await bench.page.getByText('first.yaml', { exact: true }).waitFor()
  assert.equal(await bench.text(), "messages: ['user: One']")
})

for (const [what, name, report] of [
  ['lines', 'forest60.jsonl', /^60 events · /],
  ['a recording', 'nested_recording.json', /^\d+ events · /],
]) {
  journey(`a log of events as ${what} opens with its agents, and its source says what it is`, {}, async (bench) => {
    const { page } = bench
    await gallery(bench)
    let text = await readFile(join(events, name), 'utf8')
    // Without its answers the recording is a log of events and nothing else.
    if (name.endsWith('.json')) text = JSON.stringify({ _inter_agent_events: JSON.parse(text)._inter_agent_events })
    await bench.drop(name, [...Buffer.from(text)])
    await page.waitForURL((url) => url.hash.startsWith('#/agents'))
    await page.getByText(report).waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Edit' }).click()
    await banner(bench, 'This is an event log').waitFor()
    assert.equal(await bench.problems.getByText('T101').count(), 0)
    assert.equal(await bench.text(), text)
    await button(bench, 'Show the agents').focus()
    await page.keyboard.press('Enter')
    await page.getByText(report).waitFor()
  })
}

journey('on a phone the banner and the reports stay within the page', { viewport: { width: 390, height: 844 } }, async (bench) => {
  await gallery(bench)
  await fits(bench)
  await bench.drop('transcript.json', [...(await fixture('qbit/transcripts/sess-truncated/transcript.json'))])
  await banner(bench, 'Imported a qbit session log').waitFor()
  await fits(bench)
  await button(bench, 'Import details').click()
  await bench.page.getByRole('dialog', { name: 'Import details' }).waitFor()
  await fits(bench)
  await bench.page.keyboard.press('Escape')
  await bench.drop('events.jsonl', [...(await readFile(join(events, 'forest60.jsonl')))])
  await bench.page.waitForURL((url) => url.hash.startsWith('#/agents'))
  await fits(bench)
})

journey('reading a folder of many files can be given up, and the page stays as it was', {}, async (bench) => {
  const files = {}
  const line = '{"_timestamp":"2026-01-14T03:00:00Z","type":"user_message","content":"Hi"}\n'
  for (let at = 0; at < 300; at += 1) files[`s/subagents/a-c${at}/transcript.json`] = line.repeat(2000)
  const root = await folder({ ...files, 's/transcript.json': line })
  try {
    await gallery(bench)
    await dropPaths(bench, [join(root, 's')])
    await button(bench, 'Cancel').click()
    await eventually(() => banner(bench, 'Reading the logs').count(), 0)
    await gallery(bench)
  } finally {
    await rm(root, { recursive: true })
  }
})

journey('a text of no known kind is read as the log of a program that a person names, and stays when that is wrong', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const name = async (banner) => {
    await banner.getByRole('combobox', { name: 'The tool that wrote it' }).selectOption('OpenAI Chat Completions')
    await banner.getByRole('button', { name: 'Open as a transcript' }).click()
  }
  const status = (hasText) => page.getByRole('status').filter({ hasText })
  const question = status("We don't recognize this format. Which tool wrote it?")
  const text = JSON.stringify({ saved: [{ speaker: 'a' }], note: 'nobody writes so' })
  await bench.drop('odd.json', [...new TextEncoder().encode(text)])
  await question.waitFor()
  await name(question)
  // Nothing was understood, so the original stays, and another program can be named.
  const nothing = status('0 of 1 messages understood')
  await nothing.waitFor()
  assert.equal(await bench.text(), text)
  await name(nothing)
  await nothing.waitFor()

  // What is no message of the chat is kept in the transcript as it was.
  const part = JSON.stringify([
    { note: 1, by: 'x' },
    { note: 2, by: 'x' },
    { role: 'user', content: 'Hi' },
  ])
  await bench.drop('part.json', [...new TextEncoder().encode(part)])
  await question.waitFor()
  await name(question)
  await status('Imported a chat: 3 messages and requests.').waitFor()
  assert.match(await bench.text(), /note: 2\n\s+by: x/)
  await page.getByRole('button', { name: 'Show the original' }).click()
  await question.waitFor()
  assert.equal(await bench.text(), part)
})

journey('a chat that is recognized can be read as that of another program', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const chat = {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!' },
    ],
  }
  await bench.drop('chat.json', [...new TextEncoder().encode(JSON.stringify(chat))])
  await page.getByRole('button', { name: 'Show the original' }).click()
  const programs = page.getByRole('combobox', { name: 'The tool that wrote it' })
  assert.equal(await programs.inputValue(), 'chat-log')
  await programs.selectOption('Anthropic Messages')
  await page.getByRole('button', { name: 'Open as a transcript' }).click()
  await bench.edit()
  await page
    .getByText(/Anthropic/)
    .first()
    .waitFor()
})

const evalLog = (name) => readFile(new URL(`../imports/eval/${name}.eval`, import.meta.url))

journey('a log of Inspect AI as an archive is dropped, and a sample of it chosen and walked through', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  await bench.drop('epochs.eval', [...(await evalLog('epochs'))])
  const samples = page.getByRole('dialog', { name: 'Choose a session' }).getByRole('list', { name: 'Sessions' })
  await samples.getByRole('button', { name: '2 epoch 2', exact: true }).waitFor()
  assert.deepEqual(await samples.getByRole('button').allInnerTexts(), ['1 epoch 1', '2 epoch 1', '1 epoch 2', '2 epoch 2'])
  await samples.getByRole('button', { name: '2 epoch 2', exact: true }).click()
  await page.getByText('epochs-2 epoch 2.yaml', { exact: true }).waitFor()
  await banner(bench, /Imported an Inspect AI sample: \d+ messages and events\./).waitFor()
  await bench.edit()
  const steps = await bench.steps.getByRole('option').count()
  assert.ok(steps >= 3, `${steps} steps`)
  assert.match(await bench.text(), /no such key/)
  // The log in JSON has that sample and no other.
  await button(bench, 'Import details').click()
  await page.getByRole('button', { name: 'Open the text of epochs.eval' }).click()
  await banner(bench, 'This is a log in the format “Inspect”, not a transcript.').waitFor()
  const { samples: whole } = JSON.parse(await bench.text())
  assert.deepEqual(
    whole.map(({ id, epoch }) => [id, epoch]),
    [[2, 2]],
  )
})

journey('a log of Inspect AI with one sample opens it, whatever its name, and one that is damaged says so', {}, async (bench) => {
  const { page } = bench
  await gallery(bench)
  const bytes = await evalLog('one')
  await bench.drop('download', [...bytes])
  await banner(bench, 'Imported an Inspect AI sample').waitFor()
  await bench.edit()
  assert.match(await bench.text(), /name: one first/)
  const damaged = Buffer.from(bytes)
  damaged[damaged.indexOf('samples/first_epoch_1.json') + 1500] ^= 0x10
  await bench.drop('damaged.eval', [...damaged])
  const dialog = page.getByRole('dialog', { name: 'damaged.eval was not opened' })
  await dialog.getByText('samples/first_epoch_1.json: it is damaged in the zip file').waitFor()
  await page.keyboard.press('Escape')
  await bench.drop('cut.eval', [...bytes.subarray(0, 4000)])
  await page.getByRole('dialog', { name: 'cut.eval was not opened' }).getByText('the zip file is damaged or cut off').waitFor()
})

journey('a folder of Inspect AI logs lists the samples of all of them', {}, async (bench) => {
  const root = await folder({ 'logs/one.eval': await evalLog('one'), 'logs/running.eval': await evalLog('running') })
  try {
    await gallery(bench)
    await dropPaths(bench, [join(root, 'logs')])
    const samples = bench.page.getByRole('list', { name: 'Sessions' })
    await samples.getByRole('button', { name: 'logs/running.eval: 1 epoch 2', exact: true }).click()
    await bench.page.getByText('running-1 epoch 2.yaml', { exact: true }).waitFor()
    await banner(bench, 'Imported an Inspect AI sample').waitFor()
    assert.match(await bench.text(), /status: started/)
  } finally {
    await rm(root, { recursive: true })
  }
})
