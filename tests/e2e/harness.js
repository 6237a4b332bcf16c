// A test with a fresh browser profile, a page, and an eye on what must never happen.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browser, serve } from './site.js'

let site
let chrome
before(async () => {
  site = await serve()
  chrome = await browser()
})
after(async () => {
  await chrome?.close()
  await site?.close()
})

/**
 * Runs `journey` on the page at `fragment`. Whatever it does, the page must not write an error or a
 * warning to the console, throw, or ask another origin for anything but those in `agreed`. What it writes because files of the names
 * `withheld` do not come is the browser's word, not the page's.
 */
export function journey(name, { fragment = '', viewport = { width: 1440, height: 900 }, withheld, agreed = [], ...options }, steps) {
  test(name, { timeout: 120_000 }, async () => {
    // What keeps the site for times without a network would answer in its place.
    const context = await chrome.newContext({ viewport, serviceWorkers: 'block', ...options })
    const complaints = []
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== site.origin && !agreed.includes(origin)) complaints.push(`asked ${request.url()}`)
    })
    if (withheld) await context.route(withheld, (route) => route.abort())
    context.on('console', (message) => {
      if (withheld?.test(message.location().url)) return
      // What other hosts refuse is the browser's word as well, in the frame that asks them.
      const { url } = message.location()
      if (agreed.length > 0 && (/\/outside-[^/]*\.html/.test(url) || agreed.includes(new URL(url || 'about:blank').origin))) return
      if (message.text().startsWith('Service Worker registration blocked by Playwright')) return
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
    })
    context.on('weberror', (error) => complaints.push(`threw ${error.error()}`))
    try {
      const page = await context.newPage()
      await page.goto(site.url + fragment)
      await steps(new Workbench(page, context, site.url))
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  })
}

/** The page as a person names its parts. */
export class Workbench {
  constructor(page, context, url) {
    Object.assign(this, { page, context, url })
    this.source = page.getByRole('textbox', { name: 'Source text of the transcript' })
    // What scrolls around it.
    this.scroller = page.locator('.cm-scroller').first()
    this.steps = page.getByRole('listbox', { name: 'Steps of the run' })
    this.selected = this.steps.getByRole('option', { selected: true })
    this.problems = page.getByRole('grid', { name: 'Problems in the source' })
    this.inspector = page.getByRole('region', { name: 'Inspector' }).first()
  }

  /** Another page of the same browser, as after closing a tab. */
  async reopened(fragment = '') {
    const page = await this.context.newPage()
    await page.goto(this.url + fragment)
    return new Workbench(page, this.context, this.url)
  }

  fragment() {
    return new URL(this.page.url()).hash
  }

  /** Goes from the read view, in which a log opens, to the one with the source. */
  async edit() {
    await this.page.getByRole('article').first().waitFor()
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Edit' }).click()
    await this.selected.waitFor()
  }

  /** Waits until the address ends so; it follows the selection after a quarter of a second. */
  async address(fragment) {
    await this.page.waitForURL((url) => url.hash === fragment, { timeout: 30_000 })
  }

  /** Shows the source as text, which is shown as cards at first on a small screen that is touched. */
  async asText() {
    await this.page.getByRole('group', { name: 'Source as text or as cards' }).getByRole('button', { name: 'Text' }).click()
    await this.source.waitFor()
  }

  /** Waits until the editor has taken the place of the plain text area. */
  async settled() {
    await this.page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
  }

  /** The whole source; the page has only the visible lines. */
  async text() {
    await this.settled()
    return this.page.locator('#source-field').evaluate((field) => field.value)
  }

  /** Types `text` over the first occurrence of `found`, as a person who selected it would; a long one is brought at once. */
  async typeOver(found, text) {
    await this.settled()
    await this.source.evaluate((field, found) => {
      const at = field.value.indexOf(found)
      if (at < 0) throw new Error(`the source does not hold ${found}`)
      field.focus()
      field.setSelectionRange(at, at + found.length)
    }, found)
    if (text.length > 100) await this.page.keyboard.insertText(text)
    else if (text) await this.page.keyboard.type(text)
    else await this.page.keyboard.press('Delete')
  }

  async caret() {
    await this.settled()
    return this.source.evaluate((field) => ({
      focused: document.activeElement === field,
      line: field.value.slice(0, field.selectionStart).split('\n').length,
      selected: field.value.slice(field.selectionStart, field.selectionEnd),
    }))
  }

  /** Drops a file onto the middle of the window. */
  async drop(name, bytes) {
    // Before the page has started, the browser itself takes what is dropped.
    await this.page.locator('.bar').first().waitFor({ state: 'attached' })
    await this.page.evaluate(
      ([name, bytes]) => {
        const contents = typeof bytes === 'number' ? new Uint8Array(bytes).fill(0x61) : new Uint8Array(bytes)
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([contents], name))
        for (const type of ['dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
        }
      },
      [name, bytes],
    )
  }
}

/** Waits until `read` gives `expected`. */
export async function eventually(read, expected, patience = 30_000) {
  const deadline = Date.now() + patience
  for (;;) {
    const value = await read()
    try {
      assert.deepEqual(value, expected)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
