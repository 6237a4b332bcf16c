// Earlier versions of a document, and what is left of it when the page ends in any way.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const dialog = ({ page }) => page.getByRole('dialog', { name: 'History' })
const versions = (bench) => dialog(bench).getByRole('list', { name: 'Earlier versions' }).getByRole('button')
const difference = (bench) => dialog(bench).getByRole('region', { name: 'From this version to the current text' })
const saved = ({ page }) => page.getByText(/^Saved on this device/).waitFor()
const bytesOf = (text) => [...new TextEncoder().encode(text)]

async function drop(bench, name, text) {
  await bench.page.getByRole('heading', { name: 'Examples' }).waitFor()
  await bench.drop(name, bytesOf(text))
  await bench.settled()
}

async function history(bench) {
  await bench.page.keyboard.press('Control+Shift+H')
  await dialog(bench).waitFor()
}

/** What the browser keeps of earlier versions: how many of each document. */
const kept = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open('transcript-workbench')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const all = open.result.transaction('revisions').objectStore('revisions').getAll()
          all.onsuccess = () => {
            open.result.close()
            resolve(all.result.length)
          }
        }
      }),
  )

const START = "messages:\n  - 'user: One'\n  - 'assistant: Two'\n"

journey('the text as it was opened is an earlier version, distinguished, compared and restored in one step', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'run.yaml', START)
  await history(bench)
  await dialog(bench).getByText('No earlier versions yet.').waitFor()
  await page.keyboard.press('Escape')
  await bench.typeOver('One', 'Three')
  await saved(bench)
  await eventually(() => kept(page), 1)
  const changed = START.replace('One', 'Three')
  await history(bench)
  await eventually(() => versions(bench).count(), 1)
  assert.match(await versions(bench).first().innerText(), /3 lines, 47 bytes/)
  await difference(bench).getByText("- 'user: One'").waitFor()
  await difference(bench).getByText("- 'user: Three'").waitFor()
  assert.deepEqual(await complaints(page), [])

  const [download] = await Promise.all([page.waitForEvent('download'), dialog(bench).getByRole('button', { name: 'Download' }).click()])
  assert.equal(await readFile(await download.path(), 'utf8'), START)

  await dialog(bench).getByRole('button', { name: 'Restore this version' }).click()
  await eventually(() => bench.text(), START)
  await eventually(() => dialog(bench).isVisible(), false)
  // What was there before is a version too, and undo leads back to it.
  await eventually(() => kept(page), 2)
  await bench.source.focus()
  await page.keyboard.press('Control+z')
  await eventually(() => bench.text(), changed)
})

journey('an earlier version is compared step by step, and opens as a copy', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'run.yaml', START)
  await bench.typeOver('Two', 'Zwei')
  await saved(bench)
  await eventually(() => kept(page), 1)
  await history(bench)
  await dialog(bench).getByRole('link', { name: 'Compare step by step' }).click()
  await page.waitForURL(/#\/compare\?d=l:\w{26}.*&b=r:\w{26}\/\w{26}$/)
  await page.getByText('earlier run.yaml', { exact: true }).waitFor()
  await page
    .getByText(/\d+ same, 1 changed, 0 added, 0 removed/)
    .first()
    .waitFor()
  const version = decodeURIComponent(new URL(page.url()).hash).split('&b=')[1]
  await page.goto(`${bench.url}#/edit?d=${version}`)
  await page.getByText('This is a shared copy').waitFor()
  assert.equal(await bench.text(), START)
  await page.goto(`${bench.url}#/edit?d=r:nothing/here`)
  await page.getByText('This earlier version is no longer on this device.').waitFor()
})

journey('while a person types on, one is kept a minute, and thirty in all', { viewport: { width: 1440, height: 900 } }, async (bench) => {
  const { page } = bench
  await page.clock.install({ time: new Date('2026-03-01T10:00:00Z') })
  await page.reload()
  await drop(bench, 'run.yaml', START)
  let text = START
  const put = async (next) => {
    await bench.source.evaluate((field, length) => {
      field.focus()
      field.setSelectionRange(0, length)
    }, text.length)
    await page.keyboard.insertText(next)
    await eventually(() => bench.text(), next)
    text = next
  }
  await put(START.replace('Two', 'Two.'))
  await eventually(() => kept(page), 1)
  // Within a minute nothing more is kept, unless much goes.
  await put(START.replace('Two', 'Two..'))
  await put(START.replace('Two', `Two ${'long '.repeat(80)}`))
  await eventually(() => kept(page), 1)
  await put(START)
  await eventually(() => kept(page), 2)
  for (let minute = 0; minute < 35; minute += 1) {
    await page.clock.fastForward(61_000)
    await put(START.replace('Two', `Two ${minute}`))
    await eventually(() => kept(page), Math.min(30, minute + 3))
  }
  await history(bench)
  await eventually(() => versions(bench).count(), 30)
  // The first one is the last in the list.
  await versions(bench).last().click()
  await difference(bench).getByText("'assistant: Two 34'").waitFor()
  await eventually(() => versions(bench).last().getAttribute('aria-pressed'), 'true')
  await difference(bench).getByText("'assistant: Two'", { exact: false }).first().waitFor()
})

journey('versions are reached by keys and the palette alone', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'run.yaml', START)
  await bench.typeOver('One', 'Uno')
  await saved(bench)
  await eventually(() => kept(page), 1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('history')
  await page.keyboard.press('Enter')
  await dialog(bench).waitFor()
  const restore = dialog(bench).getByRole('button', { name: 'Restore this version' })
  await restore.waitFor()
  for (let press = 0; press < 10 && !(await restore.evaluate((button) => button === document.activeElement)); press += 1) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await eventually(() => bench.text(), START)
})

journey('a tab that crashes gives back the text and the caret', {}, async (bench) => {
  await drop(bench, 'run.yaml', START)
  await saved(bench)
  await bench.typeOver('Two', 'Two and a half')
  await bench.page.getByText('Saving…').waitFor({ state: 'detached' })
  await saved(bench)
  const fragment = bench.fragment()
  const wire = await bench.context.newCDPSession(bench.page)
  wire.send('Page.crash').catch(() => {})
  await bench.page.waitForEvent('crash')
  const again = await bench.reopened(fragment)
  await eventually(() => again.text(), START.replace('Two', 'Two and a half'))
  await eventually(
    () => again.source.evaluate((field) => field.value.slice(0, field.selectionStart).split('\n').at(-1)),
    "  - 'assistant: Two and a half",
  )
})

journey('a document that is removed takes its versions with it', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'run.yaml', START)
  await bench.typeOver('One', 'Uno')
  await saved(bench)
  await eventually(() => kept(page), 1)
  await page.goto(`${bench.url}#/gallery`)
  await page.getByRole('button', { name: 'Remove run.yaml from this device' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('link', { name: /^run\.yaml/ }).waitFor({ state: 'detached' })
  await eventually(() => kept(page), 0)
})

journey('when there is no room, versions go before the document, and then it is reported', {}, async (bench) => {
  const { page } = bench
  await drop(bench, 'run.yaml', START)
  await bench.typeOver('One', 'Uno')
  await saved(bench)
  await eventually(() => kept(page), 1)
  // From now on texts find room only where no version takes it.
  await page.evaluate(() => {
    window.full = 'versions'
    const { put } = IDBObjectStore.prototype
    const clear = IDBObjectStore.prototype.delete
    IDBObjectStore.prototype.put = function (...args) {
      if (window.full && this.name === 'texts') throw new DOMException('no room', 'QuotaExceededError')
      return put.apply(this, args)
    }
    IDBObjectStore.prototype.delete = function (...args) {
      if (window.full === 'versions' && this.name === 'revision-texts') window.full = null
      return clear.apply(this, args)
    }
  })
  await bench.typeOver('Uno', 'Eins')
  await eventually(() => kept(page), 0)
  await saved(bench)
  await page.evaluate(() => {
    window.full = 'for good'
  })
  await bench.typeOver('Eins', 'Un')
  const banner = page.getByRole('alert').filter({ hasText: 'Not saved: no room' })
  await banner.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), banner.getByRole('button', { name: 'Download' }).click()])
  assert.equal(await readFile(await download.path(), 'utf8'), START.replace('One', 'Un'))
})

for (const colorScheme of ['light', 'dark']) {
  journey(
    `the dialog has no serious fault and fits a phone, ${colorScheme}`,
    { colorScheme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    async (bench) => {
      const { page } = bench
      await drop(bench, 'run.yaml', START)
      await bench.asText()
      await bench.typeOver('One', 'Uno')
      await page.waitForURL(/d=l:/)
      await eventually(() => kept(page), 1)
      // The bar has no room for it.
      await page.getByRole('button', { name: 'Search commands and steps' }).tap()
      await page.getByRole('option', { name: /^History/ }).tap()
      await difference(bench).getByText("- 'user: Uno'").waitFor()
      assert.deepEqual(await complaints(page), [])
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      assert.equal(wide, screen)
      await dialog(bench).getByRole('button', { name: 'Restore this version' }).tap()
      await eventually(() => bench.text(), START)
    },
  )
}
