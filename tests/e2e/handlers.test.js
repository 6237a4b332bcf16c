import assert from 'node:assert/strict'
import { eventually, journey } from './harness.js'

/** The parts of the view Handlers as a person names them. */
const parts = ({ page }) => ({
  box: page.getByRole('textbox', { name: 'User message' }),
  send: page.getByRole('button', { name: 'Send' }),
  conversation: page.getByRole('log', { name: 'Conversation' }),
  diagram: page.getByRole('group', { name: 'States of assistant' }),
  simulator: page.getByRole('region', { name: 'Simulator' }),
  tables: page.getByRole('region', { name: /^Table of/ }),
})

async function say({ page }, message) {
  const box = page.getByRole('textbox', { name: 'User message' })
  await box.fill(message)
  await box.press('Enter')
}

/** The messages of the conversation: role, then text. */
const messages = ({ page }) =>
  page
    .locator('.conversation > .message')
    .evaluateAll((items) =>
      items.map((item) => [item.querySelector('.message-role').textContent.trim(), item.querySelector('.long-text')?.textContent ?? '']),
    )

/** The ways that are drawn thick, by their words. */
const taken = ({ page }) => page.locator('.way-taken > text').allTextContents()

const current = ({ page }) => page.locator('.state-current > text').first().textContent()

journey('J7: a state machine greets, calls its tool, steps back and explains what fits nothing', {}, async (bench) => {
  const { page } = bench
  const { diagram, conversation, simulator } = parts(bench)
  await page.getByRole('link', { name: 'handler_fsm' }).click()
  await bench.address('#/handlers?d=ex:handler_fsm')
  await diagram.waitFor()
  assert.equal(await diagram.getByRole('button').count(), 5)
  assert.equal(await current(bench), 'greeting')

  await say(bench, 'What is the weather?')
  await eventually(
    () => messages(bench),
    [
      ['User', 'What is the weather?'],
      ['Assistant', 'Hello! How can I help?'],
    ],
  )
  assert.equal(await current(bench), 'weather')
  assert.deepEqual(await taken(bench), ['last_user_contains "weath…'])
  await page.getByText('State: greeting → weather').waitFor()
  await diagram.getByRole('button', { name: 'weather, current state', exact: true }).waitFor()
  await conversation.getByText('call_count 1 · iteration 0').waitFor()
  await conversation.getByText('the last user message contains `weather`').waitFor()

  // The person answers for the tool, and the run goes on with its result.
  await say(bench, 'In Paris')
  await page.getByText('What does get_weather return for {}?').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true)
  await page.getByRole('textbox', { name: /What does get_weather return/ }).fill('sunny')
  await page.getByRole('button', { name: 'Return' }).click()
  await eventually(
    () => messages(bench),
    [
      ['User', 'What is the weather?'],
      ['Assistant', 'Hello! How can I help?'],
      ['User', 'In Paris'],
      ['Assistant', 'Let me check'],
      ['Tool', 'sunny'],
      ['Assistant', 'The weather: sunny'],
    ],
  )
  assert.equal(await current(bench), 'greeting')
  assert.deepEqual(await taken(bench), ['next', 'next'])

  await simulator.getByRole('button', { name: /^Step back/ }).click()
  await eventually(() => current(bench), 'weather')
  assert.equal((await messages(bench)).length, 2)
  await simulator.getByRole('button', { name: /^Reset/ }).click()
  await eventually(() => messages(bench), [])
  assert.equal(await current(bench), 'greeting')

  // What no way is for leaves it where it is, and says why.
  await say(bench, 'Tell me a joke')
  await conversation.getByText('the last user message does not contain `weather`').waitFor()
  await conversation.getByText('the last user message does not contain `capital`').waitFor()
  assert.deepEqual(await taken(bench), [])
  assert.equal(await current(bench), 'greeting')
})

journey(
  'a state that no way leads to is dashed, and a problem; a row leads to its text',
  { fragment: '#/handlers?d=ex:handler_fsm' },
  async (bench) => {
    const { page } = bench
    const { diagram, tables } = parts(bench)
    await diagram.waitFor()
    await bench.typeOver('next: capital_answer', 'next: greeting')
    await diagram.getByRole('button', { name: 'capital_answer unreachable' }).waitFor()
    assert.deepEqual(await page.locator('.state-dead > rect').count(), 1)
    await page.getByText('the state `capital_answer` cannot be reached').waitFor()
    await tables.getByRole('button', { name: 'weather_result' }).click()
    await eventually(() => bench.caret(), { focused: true, line: 24, selected: 'weather_result' })
    await diagram.getByRole('button', { name: 'weather_result' }).press('Enter')
    assert.equal((await bench.caret()).selected, 'weather_result')
  },
)

journey(
  'a scenario is saved in the document with the results given by hand, and is there after a reload',
  { fragment: '#/handlers?d=ex:handler_fsm' },
  async (bench) => {
    const { page } = bench
    await parts(bench).diagram.waitFor()
    await say(bench, 'weather')
    await eventually(() => messages(bench).then((all) => all.length), 2)
    await say(bench, 'and now?')
    await page.getByRole('textbox', { name: /What does get_weather return/ }).fill('{"temp": 72}')
    await page.getByRole('textbox', { name: /What does get_weather return/ }).press('Enter')
    await eventually(() => messages(bench).then((all) => all.at(-1)), ['Assistant', 'The weather: {"temp": 72}'])
    await page.getByRole('button', { name: 'Save as scenario' }).click()
    await page.getByText('Saved: these messages are now in `steps`.').waitFor()
    await page.getByText(/Saved on this device/).waitFor()
    assert.match(bench.fragment(), /^#\/handlers\?d=l:/)
    const text = await bench.text()
    assert.match(text, /temp: 72/)
    assert.match(text, /content: and now\?/)
    await page.getByRole('button', { name: /^Valid/ }).waitFor()

    await page.reload()
    await page.getByRole('button', { name: 'Run the scenario (2 messages)' }).click()
    await eventually(
      () => messages(bench),
      [
        ['User', 'weather'],
        ['Assistant', 'Hello! How can I help?'],
        ['User', 'and now?'],
        ['Assistant', 'Let me check'],
        ['Tool', '{"temp": 72}'],
        ['Assistant', 'The weather: {"temp": 72}'],
      ],
    )
    assert.equal(await page.getByText('What does get_weather return').count(), 0)
    // One edit, which one undo takes back.
    assert.equal(await bench.text(), text)
  },
)

journey(
  'rules show which one fits and why, and a run is kept as a transcript',
  { fragment: '#/handlers?d=ex:handler_conditional' },
  async (bench) => {
    const { page } = bench
    const { tables } = parts(bench)
    await tables.waitFor()
    assert.equal(await tables.getByRole('row').count(), 6)
    await say(bench, 'What is the capital of France?')
    await eventually(() => messages(bench).then((all) => all.at(-1)), ['Assistant', 'The capital of France is Paris.'])
    const marks = () => tables.locator('tbody .row-mark').evaluateAll((cells) => cells.map((cell) => cell.textContent.trim()))
    assert.deepEqual(await marks(), ['✖ no match', '✖ no match', '✖ no match', '✔ matches', ''])
    await say(bench, 'Weather?')
    await eventually(
      () => messages(bench).then((all) => all.slice(-3)),
      [
        ['Assistant', 'Let me check'],
        ['Tool', '{"temp": 72, "condition": "sunny"}'],
        ['Assistant', 'It is 72°F and sunny.'],
      ],
    )
    await say(bench, 'Sing')
    await eventually(() => messages(bench).then((all) => all.at(-1)), ['Assistant', "I don't know"])
    // The rule that fit the question before is not the one of this answer.
    await eventually(() => marks().then((all) => all.slice(0, 4)), Array(4).fill('✖ no match'))
    await page.getByRole('button', { name: 'Save as transcript' }).click()
    await page.getByText('handler_conditional_run.yaml', { exact: true }).waitFor()
    await bench.steps.waitFor()
    await page.getByText(/Saved on this device/).waitFor()
    const text = await bench.text()
    assert.match(text, /It is 72°F and sunny\./)
    await page.reload()
    await eventually(() => bench.text(), text)
  },
)

journey(
  'what has no answer is reported in the words of the core, and a default is added',
  { fragment: '#/handlers?d=ex:handler_conditional' },
  async (bench) => {
    const { page } = bench
    const { conversation } = parts(bench)
    await bench.source.waitFor()
    await bench.typeOver("    default: I don't know\n", '')
    await say(bench, 'Sing')
    await conversation.getByText(/no rule of `handlers.assistant` matches call 1, and there is no `default`/).waitFor()
    await conversation.getByText('MockNoMatchError').waitFor()
    await conversation.getByRole('button', { name: 'Add a default' }).click()
    await eventually(() => messages(bench).then((all) => all.at(-1)), ['Assistant', "I don't know"])

    // A queue that has nothing left.
    await bench.source.press('Control+a')
    await page.keyboard.insertText('handlers:\n  bot: {type: queue, responses: [One]}\n')
    await conversation.getByText('One', { exact: true }).waitFor()
    await say(bench, 'More')
    await conversation.getByText('MockExhaustedError').waitFor()
    assert.deepEqual(await page.locator('.row-mark').allTextContents(), ['✔ used'])
  },
)

journey(
  'a document without handlers says so and offers some; V H and F6 lead there by keyboard',
  { fragment: '#/edit?d=ex:simple_greeting' },
  async (bench) => {
    const { page } = bench
    await bench.selected.waitFor()
    await page.keyboard.press('v')
    await page.keyboard.press('h')
    await bench.address('#/handlers?d=ex:simple_greeting')
    await page.getByRole('heading', { name: 'No handlers' }).waitFor()
    assert.equal(await parts(bench).box.isDisabled(), true)
    await page.getByRole('link', { name: 'handler_fsm' }).press('Enter')
    await parts(bench).diagram.waitFor()
    await bench.source.focus()
    await page.keyboard.press('F6')
    await page.keyboard.press('F6')
    await eventually(() => page.evaluate(() => document.activeElement.id), 'simulator-message')
    await page.keyboard.type('capital')
    await page.keyboard.press('Enter')
    await eventually(() => current(bench), 'capital')
  },
)

journey(
  'on a phone the view has its own tabs and nothing sticks out',
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: '#/handlers?d=ex:handler_fsm' },
  async (bench) => {
    const { page } = bench
    const tabs = page.getByRole('navigation', { name: 'Panes' })
    for (const name of ['Handlers', 'Simulate', 'Problems', 'Source']) {
      await tabs.getByRole('button', { name }).tap()
      assert.equal(await page.locator('section.pane:visible').count(), 1)
      assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [390, 390])
    }
    await tabs.getByRole('button', { name: 'Simulate' }).tap()
    await say(bench, 'weather')
    await tabs.getByRole('button', { name: 'Handlers' }).tap()
    await eventually(() => current(bench), 'weather')
  },
)
