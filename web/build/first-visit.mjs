// Uses the page as a person does first, and writes the functions of its module that were called. These are in its first part.
//
//     node first-visit.mjs '{"site": …, "page": …, "script": …, "german": …, "noting": …, "output": …, "fragment": …, "width": …,
//         "language": …, "isSlow": …, "isMissing": …}'
//
// The first six are files, in the folder `site`; the rest is the way in which the person comes to the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { areWorkersBusy, showPage } from './browser-in-node.mjs'
import { called } from './split-by-calls.mjs'

const { site, page, script, german, noting, output, fragment, width, language, isSlow, isMissing } = JSON.parse(process.argv[2])
/** A page that does not get that far in this time is broken, in milliseconds. */
const PATIENCE = 60_000
/** How long to wait after an action that has no visible effect. */
const MOMENT = 50
/** How long it takes to read and keep a text after the last change. */
const SAVED = 1_500

const window = showPage({ site, html: readFileSync(page, 'utf8'), fragment, width })
const { document } = window
document.documentElement.lang = language
if (isSlow) delayEditor(document.getElementById('app').dataset)
if (language === 'de') globalThis.workbenchTranslation = (await import(pathToFileURL(german))).default
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** Waits for what an action starts, and for the answers of workers to it. */
async function settle() {
  await pause(MOMENT)
  for (const end = Date.now() + PATIENCE; areWorkersBusy() && Date.now() < end; ) await pause(5)
  await pause(MOMENT)
}

const find = (selector, wanted = '') => [...document.querySelectorAll(selector)].find((element) => element.textContent.includes(wanted))

/** Waits until there is an element with that text, and returns it. */
async function shown(selector, wanted = '') {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(5)) {
    const element = find(selector, wanted)
    if (element) return element
  }
  const page = document.body.textContent.replaceAll(/\s+/g, ' ').slice(0, 2_000)
  throw new Error(`the page has no ${selector} with "${wanted}": ${page}`)
}

async function press(keys, element = document.body) {
  for (const key of keys) {
    for (const type of ['keydown', 'keyup']) element.dispatchEvent(new window.KeyboardEvent(type, { key, bubbles: true, cancelable: true }))
    await settle()
  }
}

async function goTo(fragment) {
  window.history.pushState(null, '', fragment)
  window.dispatchEvent(new window.PopStateEvent('popstate'))
  await settle()
}

process.on('unhandledRejection', (error) => {
  throw error
})
// The module is whole.
globalThis.loadRest = async () => {}
const { default: init } = await import(pathToFileURL(script))
const exports = await init({ module_or_path: readFileSync(noting) })

/** Delays the editor until after the document. */
function delayEditor(names) {
  const file = join(dirname(output), 'late.js')
  const editor = JSON.stringify(pathToFileURL(join(site, `${names.editor}.js`)).href)
  writeFileSync(file, `await new Promise((resolve) => setTimeout(resolve, ${SAVED}))\nexport * from ${editor}\n`)
  names.editor = relative(site, file).replace(/\.js$/, '')
}

const POINTER = ['over', 'enter', 'move', 'down', 'up', 'out', 'leave']
const EVENTS = [...['pointer', 'mouse'].flatMap((device) => POINTER.map((what) => device + what)), 'touchstart', 'touchend', 'wheel']

/** Moves over an element with a mouse and a finger. */
function touch(element) {
  for (const type of [...EVENTS, 'focusin', 'focusout'])
    element.dispatchEvent(new window.MouseEvent(type, { bubbles: true, cancelable: true, movementX: 0, movementY: 1 }))
}

async function click(element) {
  touch(element)
  element.click()
  await settle()
}

/** Looks at the document that is open. */
async function look() {
  await shown('[role=listbox] [role=option]')
  await shown('.cm-content, textarea#source-field', ':')
  await press('jjkl')
  for (const list of document.querySelectorAll('[role=listbox]')) {
    const option = list.querySelector('[role=option]')
    if (option) await click(option)
    await press(['j', 'ArrowDown', 'ArrowUp', 'PageDown', 'Home'], list)
    list.dispatchEvent(new window.Event('scroll'))
  }
}

async function change() {
  const field = find('textarea#source-field')
  if (field) {
    // Without its last line.
    field.value = field.value.trimEnd().replace(/\n.*$/, '')
    for (const type of ['input', 'scroll']) field.dispatchEvent(new window.Event(type, { bubbles: true }))
  }
  const content = await shown('.cm-content', ':')
  // The editor takes that as typed by a person, and offers completions.
  content.focus()
  const editor = content.cmTile.root.view
  editor.dispatch({ changes: { from: 0, insert: 'n' }, selection: { anchor: 1 }, userEvent: 'input.type' })
  await settle()
  editor.dispatch({ changes: { from: 0, to: 1, insert: '# A run\n' }, userEvent: 'input.type' })
  leave()
  await click(content)
  await pause(SAVED)
  const { length } = editor.state.doc
  editor.dispatch({ changes: { from: 0, to: length, insert: 'messages: ["user: Hi", "assistant: Hello"]\n' }, userEvent: 'input.paste' })
  await pause(SAVED)
  await settle()
  leave()
}

/** Hides and leaves the page. Nothing can be loaded then. */
function leave() {
  setHidden(true)
  for (const type of ['visibilitychange', 'pagehide']) document.dispatchEvent(new window.Event(type, { bubbles: true }))
  window.dispatchEvent(new window.Event('beforeunload', { cancelable: true }))
  setHidden(false)
  document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }))
}

function setHidden(value) {
  Object.defineProperty(document, 'hidden', { value, configurable: true })
  Object.defineProperty(document, 'visibilityState', { value: value ? 'hidden' : 'visible', configurable: true })
}

const EXAMPLES = '.gallery a[href^="#/edit"]'
if (!fragment) {
  await shown(EXAMPLES)
  const examples = [...document.querySelectorAll(EXAMPLES)]
  touch(examples[0])
  for (const example of examples) {
    await goTo(example.getAttribute('href'))
    await look()
    await goTo('#/gallery')
  }
  await goTo(examples[0].getAttribute('href'))
}
leave()
if (isMissing) await shown('.screen', 'not on this device')
else {
  await look()
  await change()
}
await goTo('#/gallery')
leave()
writeFileSync(output, JSON.stringify(called(exports)))
process.exit(0)
