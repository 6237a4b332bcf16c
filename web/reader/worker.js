// Reads transcripts apart from the page. A message is a list: a number, the name of a method of `Reader`, what it takes.
// The answer has that number first, then JSON, or null and the reason; no reason means that the module did not come.
import init, { Reader } from './transcript-reader.js'

// A release has the module in two parts: what opens a document and shows its steps, and the rest. These methods seldom need
// the rest.
const FIRST_METHODS = ['read', 'piece', 'step', 'strip', 'forget']
const restAddress = () => new URL('__REST__', import.meta.url)
// Long enough for the page to have loaded what it shows first.
const REST_DELAY = 1_000
const REST_TIMEOUT = 30_000

let first
let isWhole = false

const NOT_LOADED = ''
const addRest = (module) => {
  if (!isWhole) new WebAssembly.Instance(module, { first })
  isWhole = true
}

let loading
/** Loads the rest once. A load that failed is tried again by the next call. */
const loadRest = () => {
  const load = async () => {
    try {
      const answer = await fetch(restAddress())
      if (!answer.ok) throw new Error(NOT_LOADED)
      addRest(await WebAssembly.compile(await answer.arrayBuffer()))
    } catch {
      loading = undefined
      throw new Error(NOT_LOADED)
    }
  }
  loading ??= isWhole ? Promise.resolve() : load()
  return loading
}

// The first part calls it for a function of the rest, in the middle of an answer.
globalThis.loadRestNow = () => {
  if (isWhole) return
  try {
    const request = new XMLHttpRequest()
    request.open('GET', restAddress(), false)
    request.responseType = 'arraybuffer'
    request.timeout = REST_TIMEOUT
    request.send()
    if (request.status === 200) addRest(new WebAssembly.Module(request.response))
  } catch {
    // What did not come is no module.
  }
  if (!isWhole) throw new Error(NOT_LOADED)
}

const ready = init({ module_or_path: new URL('./transcript-reader_bg.wasm', import.meta.url) }).then(
  (exports) => {
    first = exports
    isWhole = !('split_memory' in exports)
    return new Reader()
  },
  () => null,
)

let isFirstAnswer = true
addEventListener('message', async ({ data: [number, what, ...rest] }) => {
  const reader = await ready
  try {
    if (reader && !FIRST_METHODS.includes(what)) await loadRest()
    postMessage(reader ? [number, reader[what](...rest) ?? 'null'] : [number, null, NOT_LOADED])
  } catch (error) {
    postMessage([number, null, String(error?.message ?? error)])
  }
  if (reader && isFirstAnswer) setTimeout(() => loadRest().catch(() => {}), REST_DELAY)
  isFirstAnswer = false
})
