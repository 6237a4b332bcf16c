import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { eventually, journey } from './harness.js'

const bytesOf = (text) => [...new TextEncoder().encode(text)]

journey('a dropped file opens, and its line ends come back in the download', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const text = 'name: dropped\r\nmessages:\r\n  - "user: Grüße 👋"\r\n  - "assistant: Hallo"\r\n'
  await bench.drop('dropped.yaml', bytesOf(text))
  await bench.selected.waitFor()
  assert.equal(await bench.text(), text.replaceAll('\r\n', '\n'))
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
  assert.equal(download.suggestedFilename(), 'dropped.yaml')
  assert.equal(await readFile(await download.path(), 'utf8'), text)
})

journey('a file is chosen in the dialog, and the same one again', {}, async (bench) => {
  const { page } = bench
  const file = { name: 'chosen.yaml', mimeType: 'text/yaml', buffer: Buffer.from("messages: ['user: Hi']") }
  for (let times = 0; times < 2; times += 1) {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Open a file', exact: true }).click(),
    ])
    await chooser.setFiles(file)
    await page.getByText('chosen.yaml', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
  }
})

journey('pasted text opens from the gallery', {}, async (bench) => {
  await bench.page.getByRole('heading', { name: 'Examples' }).waitFor()
  await bench.page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', "messages: ['user: Pasted', 'assistant: Yes']")
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await bench.selected.filter({ hasText: 'Pasted' }).waitFor()
})

for (const [what, name, bytes, expected] of [
  ['a binary file', 'photo.png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff], /byte 0 is not UTF-8 text/],
  ['a file of 50 MB', 'huge.yaml', 50 * 1024 * 1024, /it is too large: the limit is 33\s554\s432 bytes[^]*--max-bytes/],
]) {
  journey(
    `${what} is refused in the core's words, and what was open stays`,
    { fragment: '#/edit?d=ex:weather_query&s=t1' },
    async (bench) => {
      const { page } = bench
      await bench.selected.waitFor()
      await bench.typeOver('You are helpful', 'You are kept')
      const before = await bench.text()
      await bench.drop(name, bytes)
      const dialog = page.getByRole('dialog', { name: `${name} was not opened` })
      await dialog.waitFor()
      assert.match(await dialog.innerText(), expected)
      await page.keyboard.press('Escape')
      await eventually(() => bench.text(), before)
      await bench.selected.filter({ hasText: 'Turn 1' }).waitFor()
    },
  )
}

journey('text that looks like a script stays text everywhere', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const bad = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
  const document = {
    name: bad,
    messages: [`user: ${bad}`, { assistant: bad, call: `tool_${'x'}(a='${bad.replaceAll('"', '')}')` }, `tool:tool_x: ${bad}`, `${bad}: ?`],
  }
  await bench.drop(`${bad.replaceAll('/', '')}.yaml`, bytesOf(JSON.stringify(document)))
  await bench.source.waitFor()
  for (let step = 0; step < 4; step += 1) {
    await bench.inspector.getByText('onerror').first().waitFor()
    await page.keyboard.press('j')
  }
  const found = await page.evaluate(() => ({
    hacked: window.hacked ?? null,
    images: document.querySelectorAll('img:not([src="favicon.svg"])').length,
    scripts: document.body.querySelectorAll('script').length,
  }))
  assert.deepEqual(found, { hacked: null, images: 0, scripts: 0 })
})

journey('no storage: the banner says that nothing is kept and offers the download', {}, async (bench) => {
  const { page } = bench
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
  })
  await page.goto(`${bench.url}#/edit?d=ex:weather_query`)
  await page.reload()
  await bench.selected.waitFor()
  await bench.typeOver('You are helpful', 'You are lost')
  const banner = page.getByRole('alert').filter({ hasText: 'Not saved: no room' })
  await banner.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), banner.getByRole('button', { name: 'Download' }).click()])
  assert.match(await readFile(await download.path(), 'utf8'), /You are lost/)
})

journey('a file in gzip opens as what is in it', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
  const text = "messages: ['user: Packed', 'assistant: Yes']\n"
  await bench.drop('run.yaml.gz', [...gzipSync(text)])
  await bench.selected.waitFor()
  assert.equal(await bench.text(), text)
  await page.getByText('run.yaml', { exact: true }).waitFor()
})
