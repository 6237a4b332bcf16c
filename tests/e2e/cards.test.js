// The source as cards: every change of a card is a change of the text, and comes back by undo.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const COMPACT = '#/edit?d=ex:weather_query'
const FULL = '#/edit?d=ex:weather_query_with_tools'

const list = ({ page }) => page.getByRole('listbox', { name: 'Messages and turns' })
const cards = (bench) => list(bench).getByRole('option')
const form = ({ page }) => page.getByRole('region', { name: 'Selected card' })
const as = ({ page }, word) => page.getByRole('group', { name: 'Source as text or as cards' }).getByRole('button', { name: word })
const says = (bench) => form(bench).getByRole('textbox', { name: 'Text' })

/** The text, which the editor has while it is out of sight. */
const text = ({ page }) => page.locator('#source-field').evaluate((field) => field.value)

async function open(bench) {
  await bench.selected.waitFor()
  await bench.settled()
  await as(bench, 'Cards').click()
  await cards(bench).first().waitFor()
}

journey('cards change the text and leave its comments alone', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await open(bench)
  const before = await text(bench)
  assert.equal(await cards(bench).count(), 5)
  await cards(bench).nth(1).click()
  assert.equal(await says(bench).inputValue(), "What's the weather?")
  assert.deepEqual(await complaints(page), [])

  await says(bench).fill('Sunny: or "not"?')
  await says(bench).blur()
  await eventually(async () => /Sunny/.test(await cards(bench).nth(1).innerText()), true)
  const changed = await text(bench)
  // One line is another, and the comments are there.
  const lines = before.split('\n')
  assert.deepEqual(
    changed
      .split('\n')
      .map((line, at) => line === lines[at])
      .filter((same) => !same).length,
    1,
  )
  assert.match(changed, /# Tool call shorthand/)

  await form(bench).getByRole('combobox', { name: 'Role' }).selectOption('system')
  await eventually(async () => /- "system: Sunny/.test(await text(bench)), true)
  await form(bench).getByRole('checkbox', { name: 'Visible to the model' }).uncheck()
  await eventually(async () => /hidden/.test(await text(bench)), true)
  await eventually(async () => /Hidden/.test(await cards(bench).nth(1).innerText()), true)

  // Three steps of one history.
  await list(bench).focus()
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Control+z')
  await eventually(() => text(bench), before)
  await eventually(() => says(bench).inputValue(), "What's the weather?")
  await page.keyboard.press('Control+Shift+Z')
  await eventually(() => text(bench), changed)
  await as(bench, 'Text').click()
  assert.equal(await bench.source.isVisible(), true)
})

journey('a call is a form whose arguments are checked before they are written', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await open(bench)
  await cards(bench).nth(2).click()
  const call = form(bench).getByRole('group', { name: 'Calls a tool' })
  const args = call.getByLabel('Arguments, as JSON')
  assert.deepEqual(JSON.parse(await args.inputValue()), { location: 'NYC' })
  const before = await text(bench)
  await args.fill('{"location": ')
  await call.getByText(/^Not JSON yet: /).waitFor()
  assert.equal(await args.getAttribute('aria-invalid'), 'true')
  await args.blur()
  assert.equal(await text(bench), before)
  await args.fill('{"location": "Rome", "days": [1, 2]}')
  await args.blur()
  await eventually(
    async () => /assistant:call weather\(location='Rome', days=\[1, 2\]\)"  # Tool call shorthand/.test(await text(bench)),
    true,
  )
  // The result names the tool too.
  await call.getByLabel('Tool', { exact: true }).fill('sky')
  await call.getByLabel('Tool', { exact: true }).blur()
  await eventually(async () => /call sky\(.*\n.*"tool:sky: /.test(await text(bench)), true)
  await page.getByText('No problems').waitFor()
  assert.deepEqual(await complaints(page), [])
})

journey('cards are added, moved and removed by keys', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await open(bench)
  const before = await text(bench)
  await list(bench).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Add a message User' }).click()
  await eventually(() => cards(bench).count(), 6)
  await eventually(() => says(bench).inputValue(), '')
  await says(bench).fill('Thanks')
  await says(bench).blur()
  await eventually(async () => /- "user: Thanks"/.test(await text(bench)), true)
  const added = await text(bench)
  await list(bench).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(async () => /Thanks/.test(await cards(bench).nth(4).innerText()), true)
  assert.match(await text(bench), /user: Thanks"\n.*assistant: It's/)
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => text(bench), added)
  await page.keyboard.press('Delete')
  await eventually(() => cards(bench).count(), 5)
  assert.equal(await text(bench), before)
})

journey('a full document has cards for its store and its turns, and says what cannot be done', { fragment: FULL }, async (bench) => {
  const { page } = bench
  await open(bench)
  const before = await text(bench)
  assert.equal(await cards(bench).count(), 5)
  await cards(bench).nth(2).click()
  assert.match(await bench.selected.innerText(), /Turn 1/)
  await form(bench).getByRole('combobox', { name: 'Role' }).selectOption('user')
  await page.getByText(/The document was not changed: .*its role must be `assistant`/).waitFor()
  assert.equal(await text(bench), before)
  await cards(bench).nth(4).click()
  await says(bench).fill('It is sunny.')
  await says(bench).blur()
  await eventually(async () => (await text(bench)).match(/It is sunny\./g)?.length, 2)
  assert.equal((await text(bench)).match(/#/g).length, before.match(/#/g).length)
  await list(bench).focus()
  await page.keyboard.press('Control+z')
  await eventually(() => text(bench), before)
})

journey('while the text cannot be read cards can be looked at, not changed', { fragment: COMPACT }, async (bench) => {
  const { page } = bench
  await open(bench)
  await as(bench, 'Text').click()
  await bench.typeOver('- "user:', '- ["user:')
  await page.getByRole('button', { name: /errors?$/ }).waitFor()
  await as(bench, 'Cards').click()
  await page.getByText('Cards cannot be changed now').waitFor()
  assert.equal(await cards(bench).count(), 5)
  await cards(bench).nth(0).click()
  assert.equal(await says(bench).getAttribute('readonly'), '')
  assert.equal(await page.getByRole('button', { name: 'Add a message User' }).isDisabled(), true)
  assert.deepEqual(await complaints(page), [])
})

journey(
  'a blank document is begun with cards on a phone',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  async (bench) => {
    const { page } = bench
    await page.getByRole('button', { name: /Start blank/ }).click()
    await page.getByRole('button', { name: 'Add a message User' }).click()
    await eventually(() => cards(bench).count(), 1)
    await says(bench).fill('Hello')
    await says(bench).blur()
    await eventually(async () => /user: Hello/.test(await text(bench)), true)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    const small = await page
      .locator('.cards button:visible, .cards select:visible')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 80)))
    assert.deepEqual(small, [])
    assert.deepEqual(await complaints(page), [])
  },
)

const focused = ({ page }) => page.evaluate(() => [document.activeElement.id, document.activeElement.textContent])

/** Presses `key` until a button with those words has the focus. */
async function reach(bench, key, words) {
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await focused(bench))[1] === words) return
    await bench.page.keyboard.press(key)
  }
  assert.fail(`${words} is not reached by ${key}`)
}

journey('a whole run is made with cards alone, by keyboard', {}, async (bench) => {
  const { page } = bench
  await page.getByRole('button', { name: /^Start blank/ }).click()
  await bench.settled()
  await as(bench, 'Cards').focus()
  await page.keyboard.press('Enter')
  await eventually(() => page.getByRole('button', { name: 'Add a message System' }).isEnabled(), true)
  let count = 0
  const add = async (key, words, field) => {
    await reach(bench, key, `Add a message ${words}`)
    await page.keyboard.press('Enter')
    count += 1
    await eventually(() => cards(bench).count(), count)
    // What was added has the focus.
    await eventually(async () => (await focused(bench))[0], field)
  }
  const leave = async () => {
    await page.keyboard.press('Escape')
    assert.equal((await focused(bench))[0], 'cards-list')
  }
  await add('Tab', 'System', 'card-text')
  await page.keyboard.type('You are helpful')
  await leave()
  await add('Shift+Tab', 'User', 'card-text')
  await page.keyboard.type("What's the weather?")
  await leave()
  await add('Shift+Tab', 'Tool call', 'card-tool')
  // Typed over the name that it came with.
  await page.keyboard.type('weather')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('{"location": "NYC"}')
  await leave()
  await add('Shift+Tab', 'Tool result', 'card-text')
  await page.keyboard.type('sunny')
  await leave()
  await add('Shift+Tab', 'Assistant', 'card-text')
  await page.keyboard.type('It is sunny!')
  await leave()
  await eventually(() => bench.steps.getByRole('option').count(), 4)

  const contains = page.getByRole('dialog', { name: 'Add assertion…' }).getByRole('button', { name: 'Assert contains' })
  await form(bench).getByRole('button', { name: 'Add assertion…' }).press('Enter')
  await contains.press('Enter')
  await page.getByText('1 of 1 passed').waitFor()
  await page.getByText('No problems').waitFor({ state: 'attached' })
  assert.equal(
    await text(bench),
    `messages:
  - "system: You are helpful"
  - "user: What's the weather?"
  - "assistant:call weather(location='NYC')"
  - "tool:weather: sunny"
  - "assistant: It is sunny!"
assertions:
  - type: contains
    message: msg_005
    pattern: It is sunny!
`,
  )

  // A role that was changed by mistake is changed back; no call waits for another result.
  await form(bench).getByRole('combobox', { name: 'Role' }).selectOption('user')
  await eventually(async () => /- "user: It is sunny!"/.test(await text(bench)), true)
  await form(bench).getByRole('combobox', { name: 'Role' }).selectOption('assistant')
  await eventually(async () => /- "assistant: It is sunny!"/.test(await text(bench)), true)
  await page.getByRole('button', { name: 'Add a message Tool result' }).press('Enter')
  await page.getByText('No tool call before this card waits for a result').waitFor()

  // A moved card leaves the focus on the button, a removed one gives it to the list.
  await list(bench).focus()
  await page.keyboard.press('Home')
  await form(bench).getByRole('button', { name: 'Move down' }).press('Enter')
  await eventually(async () => /You are helpful/.test(await cards(bench).nth(1).innerText()), true)
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Move down/)
  await form(bench).getByRole('button', { name: 'Remove' }).press('Enter')
  await eventually(() => cards(bench).count(), 4)
  await eventually(async () => (await focused(bench))[0], 'cards-list')
})

journey(
  'what has no cards is shown as text, whatever was chosen',
  { fragment: '#/edit?d=ex:handler_fsm', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  async (bench) => {
    await bench.source.waitFor()
    assert.match(await bench.text(), /^name: /m)
    assert.equal(await list(bench).isVisible(), false)
  },
)

journey('presses that come faster than the cards move the same card on', { fragment: COMPACT }, async (bench) => {
  await open(bench)
  const messages = Array.from({ length: 300 }, (_, at) => `m${at}`)
  await bench.drop('long.yaml', [...Buffer.from(`messages:\n${messages.map((word) => `  - "user: ${word}"\n`).join('')}`)])
  await cards(bench).filter({ hasText: 'm0' }).first().click()
  await form(bench)
    .getByRole('button', { name: 'Move down' })
    .evaluate(async (button) => {
      for (let presses = 0; presses < 8; presses += 1) {
        button.click()
        await new Promise((done) => setTimeout(done, 100))
      }
    })
  const order = [...messages.slice(1, 9), 'm0', ...messages.slice(9)]
  const words = async () => [...(await text(bench)).matchAll(/m\d+/g)].map(([word]) => word)
  await eventually(words, order, 20_000)
})
