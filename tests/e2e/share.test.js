// The document leaves the page as a link, a file or text, and comes back from a link.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { complaints } from './axe.js'
import { Workbench, eventually, journey } from './harness.js'
import { unzip } from './zip.js'

const example = (name) => readFile(fileURLToPath(new URL(`../../public/examples/${name}.yaml`, import.meta.url)), 'utf8')
const SEED = 'weather_query_with_tools'

const dialog = ({ page }) => page.getByRole('dialog', { name: 'Share or export' })
const preview = (bench) => dialog(bench).getByRole('region', { name: 'Preview' })
const button = (bench, name) => dialog(bench).getByRole('button', { name, exact: true })
const choose = (bench, name) => dialog(bench).getByRole('radio', { name, exact: true }).check()

async function shareByKey(bench) {
  await bench.source.waitFor()
  await bench.page.keyboard.press('Control+Shift+S')
  await dialog(bench).waitFor()
}

async function link(bench) {
  await preview(bench).filter({ hasText: 'z1:' }).waitFor()
  return preview(bench).innerText()
}

const payloadOf = (link) => /d=z1:([\w-]+)/.exec(link)[1]
const unpacked = (link) => inflateRawSync(Buffer.from(payloadOf(link), 'base64url')).toString()
const packed = (bytes) => deflateRawSync(bytes, { level: 9 }).toString('base64url')

/** What the dialog would save as. */
async function downloaded(bench, name, encoding = 'utf8') {
  const [download] = await Promise.all([bench.page.waitForEvent('download'), button(bench, `Download ${name}`).click()])
  assert.equal(download.suggestedFilename(), name)
  return readFile(await download.path(), encoding)
}

async function drop(bench, name, text) {
  await bench.page.getByRole('heading', { name: 'Examples' }).waitFor()
  await bench.drop(name, [...Buffer.from(text)])
  await bench.page.getByText(name, { exact: true }).waitFor()
}

journey(
  'a link brings the document to a fresh browser at the same step, and saves nothing by itself',
  { fragment: `#/edit?d=ex:${SEED}` },
  async (bench) => {
    await bench.selected.waitFor()
    await bench.page.keyboard.press('j')
    await bench.page.keyboard.press('j')
    await bench.address(`#/edit?d=ex:${SEED}&s=t2`)
    await shareByKey(bench)
    const address = await link(bench)
    assert.ok(address.length <= 2100, `${address.length} characters`)
    assert.ok(address.startsWith(`${bench.url}#/edit?d=z1:`))
    assert.ok(address.endsWith('&s=t2'))
    assert.ok(unpacked(address).endsWith(`\n${await example(SEED)}`))
    await dialog(bench).getByText('some mail and chat programs cut such links').waitFor()

    const context = await bench.context.browser().newContext()
    try {
      const page = await context.newPage()
      await page.goto(address)
      const other = new Workbench(page, context, bench.url)
      const banner = page.getByRole('status').filter({ hasText: 'This is a shared copy' })
      await banner.waitFor()
      assert.equal(await other.text(), await example(SEED))
      await page.locator('.bar').getByText('Shared copy', { exact: true }).waitFor()
      assert.equal(await other.selected.innerText(), await bench.selected.innerText())
      // Seen and left, it is kept nowhere.
      await page.keyboard.press('v')
      await page.keyboard.press('g')
      await page.getByRole('heading', { name: 'Examples' }).waitFor()
      assert.equal(await page.getByRole('heading', { name: /^Recent/ }).count(), 0)
      await page.goBack()
      await banner.waitFor()
      await banner.getByRole('button', { name: 'Save to my workspace' }).click()
      await banner.waitFor({ state: 'detached' })
      await page.waitForURL(/#\/edit\?d=l:\w{26}&s=t2$/)
      await page.getByText(/^Saved on this device/).waitFor()
      await page.keyboard.press('v')
      await page.keyboard.press('g')
      await eventually(() => page.getByRole('link', { name: new RegExp(`^${SEED}\\.yaml`) }).count(), 1)
    } finally {
      await context.close()
    }
  },
)

journey('typing in a shared copy makes a document of this device, and the link stays what it was', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'first.yaml', "messages: ['user: One']\n")
  await shareByKey(bench)
  const address = await link(bench)
  await page.goto('about:blank')
  await page.goto(address)
  await page.getByText('This is a shared copy').waitFor()
  await bench.typeOver('One', 'Two')
  await page.waitForURL(/d=l:/)
  await page.getByText('This is a shared copy').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.goto(`${bench.url}#/gallery`)
  const recent = page.getByRole('link', { name: /^first\.yaml/ })
  await eventually(() => recent.count(), 2)
  await recent.last().click()
  await eventually(() => bench.text(), "messages: ['user: One']\n")
  await page.goto(address)
  await eventually(() => bench.text(), "messages: ['user: One']\n")
  await page.getByText('This is a shared copy').waitFor()
})

/** FNV-1a with the upper bits folded onto the lower ones. */
function checksum(bytes) {
  const sum = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5)
  return ((sum >>> 20) ^ sum) & 0xfffff
}

journey('a shared copy has the name of the document, or what is left of one that is none', {}, async (bench) => {
  const { page } = bench
  const text = "messages: ['user: One']\n"
  await drop(bench, 'ann@acme.io.yaml', text)
  await shareByKey(bench)
  const address = await link(bench)
  const before = `y${text.length.toString(36)}.${checksum(Buffer.from(text)).toString(36)}`
  assert.equal(unpacked(address), `${before} ann_acme.io\n${text}`)
  const title = page.locator('.bar-document h1')
  for (const [named, name] of [
    [' ann_acme.io', 'ann_acme.io.yaml'],
    [' Läufe vom 3. März (2)', 'Läufe vom 3. März (2).yaml'],
    [' notes.txt', 'notes.txt'],
    [' ../../setup.exe', 'setup.exe.yaml'],
    [' <img src=x>.json', 'img src_x.json'],
    [` ${'a'.repeat(150)}`, `${'a'.repeat(43)}.yaml`],
    [' ', 'shared.yaml'],
    // As links were before they had names.
    ['', 'shared.yaml'],
  ]) {
    await page.goto('about:blank')
    await page.goto(`${bench.url}#/edit?d=z1:${packed(Buffer.from(`${before}${named}\n${text}`))}`)
    await page.getByText('This is a shared copy').waitFor()
    assert.equal(await title.innerText(), name)
    assert.equal(await bench.text(), text)
  }
  await page.goto(address)
  await page.getByRole('button', { name: 'Save to my workspace' }).click()
  await page.waitForURL(/d=l:\w{26}$/)
  assert.equal(await title.innerText(), 'ann_acme.io.yaml')
})

journey('a link that was cut says how much came, and offers to paste instead', { fragment: `#/edit?d=ex:${SEED}` }, async (bench) => {
  const { page } = bench
  await shareByKey(bench)
  const payload = payloadOf(await link(bench))
  await page.keyboard.press('Escape')
  const whole = Buffer.byteLength(await example(SEED))
  for (const cut of [1, 2, 3, 400, payload.length - 200]) {
    await page.goto(`${bench.url}#/edit?d=z1:${payload.slice(0, -cut)}`)
    const alert = page.getByRole('alert').filter({ hasText: /bytes could be read/ })
    await alert.waitFor()
    const report = (await alert.innerText()).replaceAll('\u202f', '')
    const [, have, of] = /broken: (\d+) of (\d+) bytes/.exec(report)
    assert.equal(Number(of), whole)
    assert.ok(cut < 3 || Number(have) < whole, report)
    assert.ok(cut > 3 || Number(have) > whole - 40, report)
    await page.goto(`${bench.url}#/gallery`)
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
  }
  await page.goto(`${bench.url}#/replay?d=z1:${payload.slice(0, 6)}`)
  await page.getByText(/its 4 packed bytes cannot be read/).waitFor()
  assert.deepEqual(await complaints(page), [])
  await page.getByRole('button', { name: 'Paste the document instead' }).click()
  await eventually(() => bench.caret(), { focused: true, line: 1, selected: '' })
  assert.equal(await bench.text(), '')
})

const text = "messages: ['user: Hi']\n"
const headed = (length, rest) => Buffer.concat([Buffer.from(`y${length.toString(36)}.0\n`), Buffer.from(rest)])
for (const [what, payload, expected] of [
  ['a bomb', packed(headed(200 << 20, Buffer.alloc(200 << 20, 0x20))), /its document has more than 33.554.432 bytes/],
  ['a bomb without a head', packed(Buffer.alloc(64 << 20, 0x79)), /has more than 33.554.432 bytes/],
  ['rewritten', packed(headed(text.length, text)), /the document was changed on the way/],
  ['not UTF-8', packed(headed(2, Buffer.from([0xff, 0xfe]))), /was changed on the way/],
  ['longer than it says', packed(headed(3, text)), /broken: 23 of 3 bytes/],
  ['of letters that no link has', '%21%21%21', /it contains invalid characters/],
  ['with a blank in it', 'abc%20d', /it contains invalid characters/],
  ['empty', '', /its 0 packed bytes cannot be read/],
  ['no deflate', Buffer.from('hello there').toString('base64url'), /its 11 packed bytes cannot be read/],
]) {
  journey(`a link that is ${what} is refused in words`, {}, async (bench) => {
    await drop(bench, 'mine.yaml', text)
    await bench.page.goto(`${bench.url}#/edit?d=z1:${payload}`)
    const alert = bench.page.getByRole('alert').filter({ hasText: 'This shared link' })
    await alert.waitFor()
    assert.match(await alert.innerText(), expected)
    await bench.page.goBack()
    await eventually(() => bench.text(), text)
  })
}

journey('secrets are reported before anything leaves, and go unless they are set to stay', {}, async (bench) => {
  const key = `sk-proj-${'q7Zr2mKd91xTbV4nLw8Hs3Jc'}`
  const text = `messages:\n  - "user: I am ann.lee@acme.io, and my key is ${key}"\n  - "assistant: Not ann.lee@acme.io?"\n`
  await drop(bench, 'run.yaml', text)
  await bench.page.getByRole('toolbar').getByRole('button', { name: 'Share or export' }).click()
  const box = (name) => dialog(bench).getByRole('checkbox', { name, exact: true })
  await box('OpenAI API key · 1 place').waitFor()
  assert.ok(await box('E-mail address · 2 places').isChecked())
  const sent = unpacked(await link(bench))
  assert.ok(!sent.includes(key) && !sent.includes('acme.io'))
  assert.ok(sent.includes('I am <email-1>, and my key is <secret-1>'))
  await box('E-mail address · 2 places').uncheck()
  await choose(bench, 'Original source')
  await eventually(() => preview(bench).innerText(), text.replace(key, '<secret-1>'))
  assert.equal(await downloaded(bench, 'run.yaml'), text.replace(key, '<secret-1>'))
  await box('OpenAI API key · 1 place').uncheck()
  await eventually(() => preview(bench).innerText(), text)
  // The document on the page keeps what it has.
  await bench.page.keyboard.press('Escape')
  await eventually(() => bench.text(), text)
})

journey(
  'a document without secrets says so, and has every form with the right file',
  { fragment: '#/edit?d=ex:context_management' },
  async (bench) => {
    await shareByKey(bench)
    await dialog(bench).getByText('No keys, tokens, passwords or e-mail addresses found.').waitFor()
    const name = 'context_management'
    for (const [form, file, begin] of [
      ['HTML page', `${name}.html`, /^<!doctype html>/i],
      ['Markdown', `${name}.md`, /^# /],
      ['Original source', `${name}.yaml`, /context_management/],
      ['Full YAML', `${name}.full.yaml`, /^version: /m],
      ['Full JSON', `${name}.full.json`, /^\{\s*"version"/],
      ['Compact YAML', `${name}.compact.yaml`, /^messages:/m],
      ['OpenAI request', `${name}.openai.json`, /"messages": \[/],
      ['Anthropic request', `${name}.anthropic.json`, /"max_tokens"/],
      ['ATIF trajectory', `${name}.atif.json`, /"schema_version": "ATIF-v1\.8"/],
      ['Event log', `${name}.events.jsonl`, /^\{.*\}\n\{/],
      ['Test in JavaScript', `${name}.test.mjs`, /from 'node:test'/],
      ['Test in Python', `test_${name}.py`, /^def test_/m],
    ]) {
      await choose(bench, form)
      await button(bench, `Download ${file}`).waitFor()
      assert.match(await downloaded(bench, file), begin)
    }
  },
)

journey(
  'a zip file has the document and each run inside it, and opens again',
  { fragment: '#/edit?d=ex:nested_agent_call' },
  async (bench) => {
    const { page } = bench
    const text = await example('nested_agent_call')
    await shareByKey(bench)
    await choose(bench, 'Zip file')
    const listed = preview(bench).filter({ hasText: 'agents/001-' })
    await listed.waitFor()
    const [first, second] = (await listed.innerText()).split('\n')
    assert.equal(first.replaceAll(/\s/g, ''), `nested_agent_call.yaml·${Buffer.byteLength(text)}bytes`)
    assert.match(second, /^agents\/001-specialist_001\.yaml · /)
    await dialog(bench).getByText('Nothing is lost.').waitFor()
    assert.equal(await button(bench, 'Copy').count(), 0)
    const bytes = await downloaded(bench, 'nested_agent_call.zip', null)
    const files = unzip(bytes)
    assert.deepEqual(
      files.map(([path]) => path),
      ['nested_agent_call.yaml', 'agents/001-specialist_001.yaml'],
    )
    assert.equal(files[0][1], text)
    await page.keyboard.press('Escape')
    // The run of the other agent is a transcript of its own.
    await page.goto(`${bench.url}#/gallery`)
    await drop(bench, 'specialist.yaml', files[1][1])
    await bench.steps.getByRole('option').filter({ hasText: "I'll check the weather" }).waitFor()
    await page.goto(`${bench.url}#/gallery`)
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    await bench.drop('nested_agent_call.zip', [...bytes])
    await eventually(() => bench.text(), text)
    await page.getByText('nested_agent_call.yaml', { exact: true }).waitFor()
  },
)

journey('a zip file has the line ends of the document and none of its secrets, in the runs inside it neither', {}, async (bench) => {
  const text = [
    'execution:',
    '  - turn: 1',
    '    type: tool_call',
    '    tool_call:',
    '      tool_name: ask',
    '      result:',
    '        nested_transcript:',
    '          execution: [{turn: 1, type: llm_call, llm_response: {content: Ask ann.lee@acme.io}}]',
    '',
  ].join('\r\n')
  await drop(bench, 'run.yaml', text)
  await shareByKey(bench)
  await choose(bench, 'Zip file')
  await button(bench, 'Download run.zip').waitFor()
  const [whole, inside] = unzip(await downloaded(bench, 'run.zip', null))
  assert.deepEqual(whole, ['run.yaml', text.replace('ann.lee@acme.io', '<email-1>')])
  assert.equal(inside[0], 'agents/001-ask.yaml')
  assert.ok(inside[1].includes('Ask <email-1>') && !inside[1].includes('acme.io'))
})

journey('a zip file of what cannot be read has it alone, and says so', {}, async (bench) => {
  const text = "messages:\n  - 'user: Hi\n"
  await drop(bench, 'run.yaml', text)
  await shareByKey(bench)
  await choose(bench, 'Zip file')
  await dialog(bench).getByText('nested runs are not included').waitFor()
  assert.deepEqual(unzip(await downloaded(bench, 'run.zip', null)), [['run.yaml', text]])
  assert.deepEqual(await complaints(bench.page), [])
})

journey('what a form cannot say is reported before it is taken', { fragment: '#/edit?d=ex:context_management' }, async (bench) => {
  await shareByKey(bench)
  await choose(bench, 'Full YAML')
  await dialog(bench).getByText('Nothing is lost.').waitFor()
  await choose(bench, 'Full JSON')
  const losses = dialog(bench).getByRole('region', { name: 'Lost in this format' })
  await losses.getByText('the notes on steps: JSON has no comments').waitFor()
  await choose(bench, 'OpenAI request')
  await losses.getByRole('listitem').filter({ hasText: 'all of message `msg_002`' }).waitFor()
  // It is hidden when the run ends.
  const hidden = losses.getByRole('listitem').filter({ hasText: 'all of message `msg_002`' })
  assert.equal(await hidden.count(), 1)
  const messages = async () => JSON.parse(await downloaded(bench, 'context_management.openai.json')).messages.length
  const visible = await messages()
  await dialog(bench).getByRole('checkbox', { name: 'Hidden messages too' }).check()
  await hidden.waitFor({ state: 'detached' })
  assert.equal(await messages(), visible + 1)
})

journey('a document that cannot be read has no other form, and can be sent as it is', {}, async (bench) => {
  await drop(bench, 'run.yaml', "messages:\n  - 'user: Hi\n")
  await shareByKey(bench)
  await link(bench)
  await choose(bench, 'Markdown')
  const alert = dialog(bench).getByRole('alert')
  await alert.waitFor()
  assert.match(await alert.innerText(), /This format is not possible: line \d+: ./)
  await choose(bench, 'Original source')
  await button(bench, 'Download run.yaml').waitFor()
})

journey('a document that is too long for a link is offered as a page', {}, async (bench) => {
  const words = Array.from({ length: 3000 }, (_, at) => ((at * 2654435761) % 4294967296).toString(36)).join(' ')
  await drop(bench, 'long.yaml', `messages: ['user: ${words}']\n`)
  await shareByKey(bench)
  await dialog(bench).getByText('too long for most programs. Send a file instead.').waitFor()
  assert.equal(await button(bench, 'Copy').count(), 0)
  await button(bench, 'Export an HTML page instead').click()
  await button(bench, 'Download long.html').waitFor()
  assert.ok(await dialog(bench).getByRole('radio', { name: 'HTML page' }).isChecked())
})

journey(
  'the dialog works by keys alone, copies, and gives the focus back',
  { fragment: '#/edit?d=ex:simple_greeting', permissions: ['clipboard-read', 'clipboard-write'] },
  async (bench) => {
    const { page } = bench
    await bench.steps.focus()
    await shareByKey(bench)
    await dialog(bench).getByRole('radio', { name: 'Link', exact: true }).focus()
    const address = await link(bench)
    await dialog(bench).getByText('fits any program').waitFor()
    await page.keyboard.press('ArrowDown')
    await button(bench, 'Download simple_greeting.html').waitFor()
    await page.keyboard.press('ArrowUp')
    await link(bench)
    await button(bench, 'Copy').focus()
    await page.keyboard.press('Enter')
    await dialog(bench).getByText('Copied', { exact: true }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address)
    await page.keyboard.press('Escape')
    await eventually(() => bench.steps.evaluate((list) => list === document.activeElement), true)
  },
)

for (const colorScheme of ['light', 'dark']) {
  journey(`axe finds nothing serious in the dialog, ${colorScheme}`, { colorScheme }, async (bench) => {
    await drop(bench, 'run.yaml', 'messages: ["user: I am ann.lee@acme.io"]\n')
    await shareByKey(bench)
    await link(bench)
    assert.deepEqual(await complaints(bench.page), [])
    await choose(bench, 'OpenAI request')
    await button(bench, 'Download run.openai.json').waitFor()
    assert.deepEqual(await complaints(bench.page), [])
  })
}

journey(
  'the dialog fits a phone',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: `#/edit?d=ex:${SEED}` },
  async (bench) => {
    await bench.asText()
    await bench.page.getByRole('toolbar').getByRole('button', { name: 'Share or export' }).tap()
    await link(bench)
    const sizes = () =>
      bench.page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.querySelector('dialog[open]').scrollWidth <= document.querySelector('dialog[open]').clientWidth,
      ])
    assert.deepEqual(await sizes(), [390, true])
    assert.deepEqual(await complaints(bench.page), [])
  },
)
