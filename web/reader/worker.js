// Reads transcripts apart from the page. A message is a list: a number, the name of a method of `Reader`, what it takes.
// The answer has that number first, then JSON, or null and the reason; no reason means that the module did not come.
import init, { Reader, addExports } from './engine.js'
import { addPart } from '../static/engine.js'
import { twoParts } from '../static/two-parts.js'

// These methods, which open a document and show its steps, seldom need the rest of the module.
const FIRST_METHODS = ['read', 'piece', 'step', 'strip', 'forget']
// These need a part that loads soon after the first answer, or with the first of them.
const EXTRA_METHODS = ['totals', 'timeline', 'find', 'offer', 'price_error', 'fix', 'fixed', 'refuse']
// Long enough for the page to have loaded what it shows first.
const REST_DELAY = 1_000

const NOT_LOADED = ''
const notLoaded = () => {
  throw new Error(NOT_LOADED)
}
const parts = twoParts(new URL('./engine_rest.wasm', import.meta.url))

globalThis.loadRestNow = (exports) => {
  try {
    parts.loadNow(exports)
  } catch {
    notLoaded()
  }
}

let first
let extra
const loadExtra = () =>
  (extra ??= parts
    .load()
    .then(() => addPart(first, addExports, new URL('./engine_extra.wasm', import.meta.url)))
    .catch(() => {
      extra = undefined
      notLoaded()
    }))

const ready = init({ module_or_path: new URL('./engine_bg.wasm', import.meta.url) }).then(
  (exports) => {
    parts.started(exports)
    if ('split_memory' in exports) first = exports
    return new Reader()
  },
  () => null,
)

let isFirstAnswer = true
addEventListener('message', async ({ data: [number, what, ...rest] }) => {
  const reader = await ready
  try {
    if (reader && EXTRA_METHODS.includes(what)) await loadExtra()
    else if (reader && !FIRST_METHODS.includes(what)) await parts.load().catch(notLoaded)
    postMessage(reader ? [number, reader[what](...rest) ?? 'null'] : [number, null, NOT_LOADED])
  } catch (error) {
    postMessage([number, null, String(error?.message ?? error)])
  }
  if (reader && isFirstAnswer) setTimeout(() => loadExtra().catch(() => {}), REST_DELAY)
  isFirstAnswer = false
})
