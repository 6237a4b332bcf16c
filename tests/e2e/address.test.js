// Documents of other hosts, and the keys of the address that are about the page.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'
import { otherOrigin, text } from './other_origin.js'

const RUN = "messages:\n  - 'user: Far'\n  - 'assistant: Away'\n"
let other
let elsewhere
let open
const agreed = []
// The browser reports a request that its policy then stops; whether it came is seen at the host itself.
const both = []
before(async () => {
  elsewhere = await otherOrigin({ '/run.yaml': text(RUN) })
  open = []
  other = await otherOrigin({
    '/runs/far away.yaml': text(RUN),
    '/runs/far%20away.yaml': text(RUN),
    '/private.yaml': ({ response }) => {
      response.removeHeader('access-control-allow-origin')
      response.writeHead(200).end(RUN)
    },
    '/moved.yaml': ({ response }) => response.writeHead(302, { location: `${elsewhere.origin}/run.yaml` }).end(),
    '/slow.yaml': ({ response }) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('messages:\n')
      open.push(response)
    },
    '/huge.yaml': ({ response }) => response.writeHead(200, { 'content-length': String(40 << 20) }).end('x'),
    '/photo.png': ({ response }) => response.writeHead(200).end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0])),
    '/chat.json': text(
      JSON.stringify({
        model: 'm',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello' },
        ],
      }),
    ),
  })
  agreed.push(other.origin)
  both.push(other.origin, elsewhere.origin)
})
after(() => Promise.all([other?.close(), elsewhere?.close()]))

const asking = ({ page }) => page.getByRole('dialog', { name: `Fetch from ${other.host}?` })
const gets = (path) => other.requests.filter((request) => request.method === 'GET' && request.path === path)
const to = (bench, path) => bench.page.goto(`${bench.url}#/edit?d=u:${encodeURIComponent(other.origin + path)}`)
const agree = (bench) =>
  asking(bench)
    .getByRole('button', { name: `Fetch from ${other.host}` })
    .click()
const failed = ({ page }) => page.getByRole('main').getByRole('alert')

journey(
  'a host is requested only after a person agreed to it, once in a session, without cookies or a referrer',
  { agreed },
  async (bench) => {
    const { page } = bench
    await to(bench, '/runs/far%20away.yaml')
    await asking(bench).waitFor()
    await asking(bench).getByText(`${other.origin}/runs/far%20away.yaml`).waitFor()
    assert.deepEqual(await complaints(page), [])
    assert.equal(gets('/runs/far%20away.yaml').length, 0)
    await page.keyboard.press('Escape')
    await page.getByText(`Nothing was requested from ${other.host}.`).waitFor()
    assert.equal(gets('/runs/far%20away.yaml').length, 0)
    assert.equal(await page.locator('iframe').count(), 0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await agree(bench)
    await bench.selected.waitFor()
    assert.equal(await bench.text(), RUN)
    await page.getByText('far away.yaml', { exact: true }).waitFor()
    await page.getByText('This is a shared copy').waitFor()
    const [request] = gets('/runs/far%20away.yaml')
    assert.deepEqual([request.headers.cookie, request.headers.referer, request.headers.origin], [undefined, undefined, 'null'])
    await eventually(() => page.locator('iframe').count(), 0)

    await page.reload()
    await bench.selected.waitFor()
    assert.equal(gets('/runs/far%20away.yaml').length, 2)
    assert.equal(await asking(bench).count(), 0)
    // Typing makes a document of this device; the address of the host stays what it was.
    await bench.typeOver('Far', 'Near')
    await page.waitForURL(/d=l:/)
  },
)

journey('an address is opened from the gallery and the palette, by keys', { agreed }, async (bench) => {
  const { page } = bench
  await page.getByRole('button', { name: 'Open a web address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open a web address' })
  await page.keyboard.type('http://example.com/run.yaml')
  assert.ok(await dialog.getByRole('button', { name: 'Open', exact: true }).isDisabled())
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`${other.origin}/runs/far%20away.yaml`)
  await page.keyboard.press('Enter')
  await asking(bench).waitFor()
  assert.equal(gets('/runs/far%20away.yaml').length, 2)
  await asking(bench)
    .getByRole('button', { name: `Fetch from ${other.host}` })
    .focus()
  await page.keyboard.press('Enter')
  await bench.selected.waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('web address')
  await page.keyboard.press('Enter')
  await dialog.waitFor()
})

for (const [what, path, expected] of [
  ['is not there', '/nothing.yaml', () => `${other.host} returned 404: the document does not exist, or needs a login.`],
  ['may not be read', '/private.yaml', () => `${other.host} cannot be reached, or does not allow other pages to read this (CORS).`],
  ['lies at another host', '/moved.yaml', () => `${other.host} redirects to another host.`],
  ['is too large', '/huge.yaml', () => `${other.host} sends more than the limit of 33\u202f554\u202f432 bytes`],
  ['is no text', '/photo.png', () => 'photo.png was not opened:'],
]) {
  journey(
    `a document that ${what} is reported with its host, a line for the shell, and a way to paste it`,
    { agreed: path === '/moved.yaml' ? both : agreed },
    async (bench) => {
      const { page } = bench
      await to(bench, path)
      await agree(bench)
      await failed(bench).filter({ hasText: expected() }).waitFor()
      const line = page.getByRole('region', { name: 'Command to fetch it' })
      assert.equal(await line.innerText(), `curl -fL '${other.origin}${path}' -o '${path.slice(1)}'`)
      assert.deepEqual(await complaints(page), [])
      assert.equal(elsewhere.requests.length, 0)
      await page.getByRole('button', { name: 'Paste the result here' }).click()
      await eventually(() => bench.caret(), { focused: true, line: 1, selected: '' })
    },
  )
}

journey('what is under way is reported and can be stopped', { agreed }, async (bench) => {
  const { page } = bench
  await to(bench, '/slow.yaml')
  await agree(bench)
  await page.getByText(`10 of 1\u202f000 bytes received from ${other.host}…`).waitFor()
  const closed = new Promise((resolve) => open.at(-1).on('close', resolve))
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped: nothing was opened.').waitFor()
  await closed
  await eventually(() => page.locator('iframe').count(), 0)
})

journey('what is no address of the web is not requested', {}, async (bench) => {
  for (const address of ['ftp://example.com/a', 'http://example.com/a', 'https://a:b@example.com/', 'javascript:alert(1)', 'nothing']) {
    await bench.page.goto(`${bench.url}#/edit?d=u:${encodeURIComponent(address)}`)
    await bench.page.getByText(`This address cannot be fetched: ${address}.`).waitFor()
  }
})

journey(
  'embedded there is no bar, nothing can be changed, and the whole is one link away',
  { fragment: '#/edit?d=ex:weather_query_with_tools&s=t1&x=1&embed=1&ro=1' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    assert.equal(await page.getByRole('toolbar').count(), 0)
    const before = await bench.text()
    await bench.source.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('more')
    await bench.source.evaluate((field) => field.setSelectionRange(0, 20))
    await page.keyboard.press('Delete')
    await eventually(() => bench.text(), before)
    assert.equal(await bench.source.getAttribute('aria-readonly'), 'true')
    await page.keyboard.press('Escape')
    await bench.steps.focus()
    await page.keyboard.press('j')
    await bench.address('#/edit?d=ex:weather_query_with_tools&s=t2&x=1&embed=1&ro=1')
    const whole = page.getByRole('link', { name: 'Open in Transcript Workbench' })
    await eventually(() => whole.getAttribute('href'), `${bench.url}#/edit?d=ex:weather_query_with_tools&s=t2&x=1`)
    assert.deepEqual(await complaints(page), [])
    // Nothing was kept.
    await page.goto(`${bench.url}#/gallery`)
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: /^Recent/ }).count(), 0)
  },
)

journey('read-only says so, and a fix is not applied', { fragment: '#/edit?d=ex:weather_query&ro=1' }, async (bench) => {
  await bench.selected.waitFor()
  await bench.page.locator('.bar').getByText('Read-only', { exact: true }).waitFor()
  assert.equal(await bench.page.getByRole('button', { name: /^History/ }).count(), 0)
})

journey(
  'the address demands a palette, until a person chooses one',
  { fragment: '#/edit?d=ex:weather_query&theme=dark', colorScheme: 'light' },
  async (bench) => {
    const { page } = bench
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await bench.selected.waitFor()
    assert.equal(await background(), 'rgb(18, 22, 27)')
    await page.getByRole('button', { name: /^Theme/ }).click()
    await eventually(background, 'rgb(255, 255, 255)')
    await bench.address('#/edit?d=ex:weather_query')
  },
)

journey('the dialog gives out a frame for another page', { fragment: '#/edit?d=ex:simple_greeting' }, async (bench) => {
  const { page } = bench
  await bench.selected.waitFor()
  await page.keyboard.press('Control+Shift+S')
  const dialog = page.getByRole('dialog', { name: 'Share or export' })
  await dialog.getByRole('radio', { name: 'Embed in a page' }).check()
  const snippet = dialog.getByRole('region', { name: 'Preview' }).filter({ hasText: 'embed=1' })
  await snippet.waitFor()
  const [, address, title] = /^<iframe src="([^"]+)" title="([^"]+)" width="100%" height="600" loading="lazy"><\/iframe>\n?$/.exec(
    await snippet.innerText(),
  )
  assert.equal(title, 'simple_greeting.yaml')
  const framed = address.replaceAll('&amp;', '&')
  assert.ok(framed.startsWith(`${bench.url}#/edit?d=z1:`) && framed.endsWith('&embed=1&ro=1'), framed)
  await page.goto('about:blank')
  await page.goto(framed)
  await page.getByRole('link', { name: 'Open in Transcript Workbench' }).waitFor()
  await bench.selected.waitFor()
})
