// The only module that calls the second wasm module, which writes, changes and compares documents. The first call that needs
// it starts it, so a program that only replays never compiles it.
import initAsync, { EventLogHandle, RerunHandle, SimulationHandle, author, eventCall, initSync as initGlue } from '#authoring'
import { checkModule, checkSource, guarded } from '../api/guard.ts'
import { misuse } from '../api/misuse.ts'
import { checkOptions, kindOf, openingOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'

let ready = false

/** Compiles and starts the module at once; takes a `WebAssembly.Module` or the bytes of `authoring.wasm`. */
export const initAuthoringSync = (module) => {
  if (ready) return
  checkModule('initAuthoringSync', 'authoring.wasm', module)
  initGlue({ module })
  ready = true
}

/** Fetches, compiles and starts the module; takes what `initAuthoringSync` takes, a URL or a `Response`. */
export const initAuthoring = async (source) => {
  if (ready) return
  checkSource('initAuthoring', 'authoring.wasm', source)
  await initAsync({ module_or_path: source })
  ready = true
}

const isStringList = (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string')

/** What an option of an operation's own may be, by the word for it. */
const KINDS = {
  'true or false': (value) => typeof value === 'boolean',
  'a text': (value) => typeof value === 'string',
  'a list of texts': isStringList,
  'a whole number': (value) => Number.isSafeInteger(value) && value >= 0,
  'an object or a list': (value) => typeof value === 'object' && value !== null,
}

const NOTHING = new Uint8Array()
const encoder = new TextEncoder()
const bytesOf = ({ text, bytes }) => bytes ?? encoder.encode(text)

/**
 * Creates the function that calls operations of the module. `start` starts the module unless that is the caller's task. The
 * function takes the name of the operation for errors, the options with the kinds of its own ones, the sources, and the name
 * of the operation in the module if that differs; it returns the answer as data.
 */
export const createCaller =
  (start) =>
  (name, options, kinds, sources, operation = name) => {
    const checked = checkOptions(name, options, Object.keys(kinds))
    const request = openingOf(name, checked)
    for (const [key, kind] of Object.entries(kinds)) {
      const value = checked[key]
      if (value === undefined) continue
      if (!KINDS[kind](value)) {
        throw misuse(`the option \`${key}\` of ${name}() is ${kind}, but got ${kindOf(value)}`)
      }
      request[key] = value
    }
    const [first, other] = sources.map((source) => sourceOf(name, source, request))
    if (first !== undefined) request.file = first.file
    if (other !== undefined) request.otherFile = other.file
    if (!ready) start()
    const [text, second] = [first, other].map((source) => (source === undefined ? NOTHING : bytesOf(source)))
    return JSON.parse(guarded(() => author(operation, text, second, JSON.stringify(request))))
  }

/** A changed run that is played on, of the bytes of a document. */
export const beginRerun = (start, source, options) => {
  if (!ready) start()
  const handle = guarded(() => RerunHandle.begin(bytesOf(source), options))
  const call = (method, argument = 'null') => JSON.parse(guarded(() => handle.call(method, argument)))
  return { call, free: () => handle.free() }
}

/** A simulation of the module; `start` starts the module where that is not the caller's own task. */
export const beginSimulation = (start, text, options) => {
  if (!ready) start()
  const handle = guarded(() => SimulationHandle.begin(text, options))
  const call = (method, argument = 'null') => JSON.parse(guarded(() => handle.call(method, argument)))
  const [problems, warnings] = [handle.problems(), handle.warnings()].map((json) => JSON.parse(json))
  return { problems, warnings, call, free: () => handle.free() }
}

/** What the module does for logs of events; `start` starts it where that is not the caller's own task. */
export const eventModule = (start) => {
  if (!ready) start()
  return {
    open: (bytes, file, limit) => {
      const handle = guarded(() => EventLogHandle.open(bytes, file, limit))
      let isFree = false
      const liveHandle = () => {
        if (isFree) throw new Error('this log has been freed')
        return handle
      }
      const call = (method, argument = {}) => {
        const handle = liveHandle()
        return guarded(() => handle.call(method, JSON.stringify(argument)))
      }
      const free = () => {
        if (!isFree) handle.free()
        isFree = true
      }
      return { call, shuffled: (seed) => liveHandle().shuffled(seed), free }
    },
    call: (method, first, second = '') => guarded(() => eventCall(method, first, second)),
  }
}
