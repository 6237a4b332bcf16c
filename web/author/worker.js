// Writes, changes, compares, simulates and exports apart from the page, with the same crate as the npm package.
// Nothing of it is loaded before something is asked for.
//
// A message is a list with a number first; the answer has that number first, then JSON, or null and the reason:
//   [n, 'author', OPERATION, TEXT, OTHER, OPTIONS]   one operation on one text or two
//   [n, 'hold', KIND, TEXT, OPTIONS]                 begins a 'simulation', a 'rerun' or 'events'; the answer is its key
//   [n, 'call', KEY, METHOD, ARGUMENT]               a call of what is held
//   [n, 'drop', KEY]                                 frees it
// An answer without a number ends the worker; one without a reason, too, means that the module did not come.
import init, { EventLogHandle, RerunHandle, SimulationHandle, addExports, author } from './engine.js'
import { startEngine } from '../static/engine.js'

const ready = startEngine({
  init,
  addExports,
  module: new URL('./engine_bg.wasm', import.meta.url),
  later: [
    new URL('./engine_rest.wasm', import.meta.url),
    new URL('./engine_extra.wasm', import.meta.url),
    new URL('./engine_logs.wasm', import.meta.url),
    new URL('./engine_archives.wasm', import.meta.url),
    new URL('./engine_authoring.wasm', import.meta.url),
  ],
})
/** The worker's own messages, in the language of the page, which names it. */
const say = (english, german) => (self.name === 'de' ? german : english)
const encoder = new TextEncoder()
const held = new Map()
// Keys of a worker that ended are none of the next one.
let last = Math.floor(Math.random() * 2 ** 31)

const BEGIN = {
  simulation: (text, options) => SimulationHandle.begin(text, options),
  rerun: (text, options) => RerunHandle.begin(encoder.encode(text), options),
  events: (text, options) => EventLogHandle.open(encoder.encode(text), JSON.parse(options).file ?? '', undefined),
}

const CARRY_OUT = {
  author: (operation, text, other, options) => author(operation, encoder.encode(text), encoder.encode(other), options),
  hold: (kind, text, options) => {
    held.set((last += 1), BEGIN[kind](text, options))
    return String(last)
  },
  call: (key, method, argument) => {
    const handle = held.get(key)
    if (!handle) throw new Error(say('what was asked about is no longer at hand', 'wonach gefragt wurde, ist nicht mehr da'))
    // Some tell of themselves by methods of their own.
    const answer = method === 'problems' || method === 'warnings' ? handle[method]() : handle.call(method, argument)
    return answer ?? 'null'
  },
  drop: (key) => {
    held.get(key)?.free()
    held.delete(key)
    return 'null'
  },
}

const reasonOf = (error) => String(error?.message ?? error)
/** Whether the module is of no more use: it did not come, or it failed in the middle of something. */
const isOver = (error) =>
  !isStarted || error instanceof WebAssembly.RuntimeError || error instanceof RangeError || reasonOf(error).startsWith('panicked')

let isStarted = false
addEventListener('message', async ({ data: [number, what, ...rest] }) => {
  try {
    await ready
    isStarted = true
    postMessage([number, CARRY_OUT[what](...rest)])
  } catch (error) {
    // Without a number it is for all questions: the page starts another worker for the next one.
    postMessage([isOver(error) ? null : number, null, isStarted ? reasonOf(error) : ''])
  }
})
