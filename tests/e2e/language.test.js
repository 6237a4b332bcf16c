import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const GERMAN = '#/edit?d=ex:context_management&s=t2&lang=de'
const language = (page) => page.evaluate(() => document.documentElement.lang)
const steps = (page) => page.getByRole('listbox', { name: 'Schritte des Laufs' })
const field = (page, name) => page.getByRole('textbox', { name })

/** The whole source in an editor that is named in another language. */
async function text(page, name) {
  await page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
  return field(page, name).evaluate((field) => field.value)
}

journey('with `lang=de` the page speaks German, and what the core says stays as it is', { fragment: GERMAN }, async ({ page }) => {
  await steps(page).getByRole('option', { selected: true }).waitFor()
  assert.equal(await language(page), 'de')
  assert.equal(await page.title(), 'context_management.yaml · Transcript Workbench')
  const views = page.getByRole('navigation', { name: 'Ansichten' }).getByRole('link')
  assert.deepEqual(await views.allInnerTexts(), ['Lesen', 'Bearbeiten', 'Replay', 'Agenten', 'Handler', 'Vergleich'])
  await page.getByRole('button', { name: 'Gültig' }).waitFor()
  await page.getByRole('region', { name: 'Inspektor' }).first().waitFor()
  await page.getByRole('button', { name: 'Nächster Schritt (J)' }).first().click()
  // An error is reported in the words of the core, and its place in those of the page.
  await text(page, 'Quelltext des Transkripts')
  await field(page, 'Quelltext des Transkripts').evaluate((field) => {
    const at = field.value.indexOf('msg_003')
    field.focus()
    field.setSelectionRange(at, at + 'msg_003'.length)
  })
  await page.keyboard.type('msg_013')
  const problems = page.getByRole('grid', { name: 'Probleme im Quelltext' })
  await problems.getByRole('row').first().waitFor()
  assert.match(await problems.innerText(), /unknown message/)
  assert.match(await problems.innerText(), /^Fehler$/m)
  await page
    .getByRole('button', { name: /^\d+ Fehler$/ })
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /^Fehler in Zeile \d+/ })
    .first()
    .waitFor()
  assert.deepEqual(await complaints(page), [])
})

journey('commands are found by German words, and keys have their German names', { fragment: GERMAN }, async ({ page }) => {
  await steps(page).getByRole('option', { selected: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Ein Befehl, ein Schritt, ein Beispiel, ein Dokument' }).fill('zweimal')
  const found = page.getByRole('listbox', { name: 'Befehle und Schritte suchen' }).getByRole('option')
  await eventually(() => found.first().innerText(), 'Determinismus: zweimal ausführen')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Tastenkürzel (?)' }).click()
  const sheet = page.getByRole('dialog', { name: 'Tastenkürzel' })
  await sheet.getByText('Das Dokument herunterladen; die Datei von `transcript open` speichern').waitFor()
  await sheet.getByText('Strg+S', { exact: true }).waitFor()
  assert.equal(await sheet.getByText(/Ctrl|Shift/).count(), 0)
})

for (const [locale, tag, door] of [
  ['de-AT', 'de', 'Beispiel öffnen'],
  ['fr-FR', 'en', 'Open an example'],
  ['en-GB', 'en', 'Open an example'],
]) {
  journey(`a browser of ${locale} gets the page in ${tag}`, { locale }, async ({ page }) => {
    await page.getByRole('button', { name: door }).waitFor()
    assert.equal(await language(page), tag)
    assert.deepEqual(await complaints(page), [])
  })
}

journey(
  'another language keeps document, text and place, and is kept itself',
  { fragment: '#/edit?d=ex:context_management' },
  async (bench) => {
    const { page } = bench
    await bench.typeOver('name: ', 'name: my_')
    await page.waitForURL(/d=l:/)
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Replay' }).click()
    await bench.steps.getByRole('option').nth(2).click()
    const place = /^#\/replay\?d=l:\w+&s=t2$/
    await page.waitForURL((url) => place.test(url.hash))
    const before = bench.fragment()
    await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click()
    const choice = page.getByRole('dialog').getByRole('group', { name: 'Language' })
    assert.equal(await choice.getByRole('button', { name: 'English' }).getAttribute('aria-pressed'), 'true')
    await choice.getByRole('button', { name: 'Deutsch' }).click()
    await steps(page).getByRole('option', { selected: true }).waitFor()
    assert.equal(bench.fragment(), before)
    await page.getByRole('navigation', { name: 'Ansichten' }).getByRole('link', { name: 'Bearbeiten' }).click()
    assert.match(await text(page, 'Quelltext des Transkripts'), /name: my_/)
    await page.reload()
    await steps(page).getByRole('option', { selected: true }).waitFor()
    // And back by the palette, which has the word of the other language as well.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('language')
    await page.keyboard.press('Enter')
    await bench.selected.waitFor()
    assert.equal(await language(page), 'en')
    assert.match(await bench.text(), /name: my_/)
  },
)

journey(
  'an address that is given another language turns the page, and a choice counts more',
  { fragment: '#/edit?d=ex:weather_query&s=t1' },
  async (bench) => {
    const { page } = bench
    await bench.typeOver('name: ', 'name: my_')
    await page.waitForURL(/d=l:/)
    await page.evaluate(() => (location.hash += '&lang=de'))
    await steps(page).getByRole('option', { selected: true }).waitFor()
    assert.match(await text(page, 'Quelltext des Transkripts'), /name: my_/)
    // What is not chosen is not kept: another tab speaks as before.
    const other = await bench.reopened()
    await other.page.getByRole('button', { name: 'Open an example' }).waitFor()
    await other.page.close()
    await page.getByRole('link', { name: 'Transcript Workbench' }).click()
    await page.getByRole('group', { name: 'Sprache' }).last().getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Open an example' }).waitFor()
    assert.equal(await page.evaluate(() => location.hash.includes('lang')), false)
    assert.equal(await language(page), 'en')
  },
)

for (const [lang, reported] of [
  ['de', 'der Leser von Protokollen ist stehen geblieben: unreachable'],
  ['en', 'the reader of logs stopped: unreachable'],
]) {
  journey(`a worker says in ${lang} why it stopped`, { fragment: `#/gallery?lang=${lang}` }, async (bench) => {
    const { page, context } = bench
    await context.route(/\/logs-[^/]*\.js/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/\.answer\(/g, '.answer((() => { throw new WebAssembly.RuntimeError("unreachable") })(), ')
      await route.fulfill({ response: answer, body })
    })
    await page.locator('.door').first().waitFor()
    await bench.drop('chat.json', [...Buffer.from('{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}')])
    await page.getByText(reported).first().waitFor()
  })
}

journey('an unknown language of the address is left alone', { fragment: '#/gallery?lang=%64e' }, async (bench) => {
  await bench.page.getByRole('button', { name: 'Open an example' }).waitFor()
  assert.equal(await language(bench.page), 'en')
})

/** The controls with text that does not fit, and whether the page is wider than the window. */
const outgrown = (page) =>
  page.evaluate((width) => {
    const reported = [...document.querySelectorAll('button, select, summary, label, legend, h1, h2, h3, nav a, th, dt')].filter(
      (element) => {
        if (!element.checkVisibility() || element.clientWidth === 0) return false
        const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
        // Clipped text is for screen readers.
        if (clipPath !== 'none') return false
        // What is cut short with dots has been thought of.
        return element.scrollWidth > element.clientWidth + 1 && !(overflowX === 'hidden' && textOverflow === 'ellipsis')
      },
    )
    // A phone zooms out of a page that is too wide, so that the window is no measure.
    const wide = document.documentElement.scrollWidth - width
    return [...reported.map((element) => element.outerHTML.slice(0, 160)), ...(wide > 0 ? [`the page, by ${wide}`] : [])]
  }, page.viewportSize().width)

/** The names of buttons and links that are in no table: of each text in one every vowel is twice. */
const untranslated = (page) =>
  page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll(
        '.bar-tools button, .views a, .tabs button, .door, [role="tab"], .transport button, .choice:not(.languages *) button',
      ),
    ]
    const names = controls
      .filter((element) => element.checkVisibility())
      .map((element) => element.ariaLabel || element.title || element.textContent)
    if (names.length === 0) throw new Error('no control is in sight')
    return names.filter((name) => /[aeiou](?![áéíóú])/i.test(name.replace(/\(.*\)/, '')))
  })

const SIZES = [
  { name: 'a phone', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  { name: 'a window of 1200', viewport: { width: 1200, height: 800 } },
]
const SCREENS = [
  ['gallery', ''],
  ['edit', 'd=ex:context_management&s=t3'],
  ['replay', 'd=ex:error_handling&s=t2'],
  ['agents', 'd=ex:event_log_dag'],
  ['handlers', 'd=ex:handler_fsm'],
  ['compare', 'd=ex:weather_query&b=ex:weather_query_with_tools'],
]
for (const { name, ...size } of SIZES) {
  for (const lang of ['qps', 'de']) {
    journey(`nothing sticks out in ${lang} on ${name}`, { ...size, fragment: `#/gallery?lang=${lang}` }, async ({ page, url }) => {
      for (const [view, query] of SCREENS) {
        await page.goto(`${url}#/${view}?${query}&lang=${lang}`)
        await page.reload()
        const screen = page.locator(`.screen[data-screen="${view}"]`)
        await screen.waitFor()
        await screen.locator('main:visible').first().waitFor()
        // What comes after the first screen would come under the eyes of axe.
        await page.waitForLoadState('networkidle')
        for (const tab of (await page.locator('.tabs button:visible').all()).reverse()) {
          await tab.tap()
          assert.deepEqual(await outgrown(page), [], view)
        }
        assert.deepEqual(await outgrown(page), [], view)
        if (lang !== 'qps') continue
        assert.deepEqual(await untranslated(page), [], view)
        assert.deepEqual(await complaints(page), [], view)
      }
      await page.goto(`${url}#/edit?d=ex:error_handling&lang=${lang}`)
      await page.locator('.screen[data-screen="edit"]').waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('#source-field[contenteditable]').waitFor({ state: 'attached' })
      await page.keyboard.press('?')
      await page.locator('dialog[open]').waitFor()
      assert.deepEqual(await outgrown(page), [], 'the sheet')
      assert.deepEqual(await complaints(page), [], 'the sheet')
    })
  }
}
