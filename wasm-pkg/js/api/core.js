// The only module that calls the wasm core: it knows whether the core has started, and what its failures mean.
import initAsync, {
  DocumentHandle,
  MockHandle,
  RecorderHandle,
  SessionHandle,
  ToolSessionHandle,
  canonicalMessages,
  detect,
  formats as listFormats,
  initSync as initGlue,
  project,
  readExchange as readExchangeText,
  writeExchange as writeExchangeText,
} from '#core'
import { checkModule, checkSource, guarded as guard } from './guard.js'
import { jsonText } from './request.js'

let ready = false
let start = () => {
  throw new Error('transcript-workbench/slim is not started: call init() or initSync() with core.wasm first')
}

/** Has `work` start the core at the first call that needs it, for a program that may need none. */
export const useStart = (work) => {
  start = work
}

/** Compiles and starts the core at once; takes a `WebAssembly.Module` or the bytes of `core.wasm`. */
export const initSync = (module) => {
  if (ready) return
  checkModule('initSync', 'core.wasm', module)
  initGlue({ module })
  ready = true
}

/** Fetches, compiles and starts the core; takes what `initSync` takes, a URL, a `Response`, or a promise of one. */
export const init = async (source) => {
  if (ready) return
  checkSource('init', 'core.wasm', source)
  await initAsync({ module_or_path: source })
  ready = true
}

const guarded = (work) => {
  if (!ready) start()
  return guard(work)
}

export const openText = (text, file, limits) => guarded(() => DocumentHandle.open(text, file, limits))

export const openBytes = (bytes, file, limits) => guarded(() => DocumentHandle.openBytes(bytes, file, limits))

/** A stand-in for a document of `size` bytes that only reports that it is too large; undefined when it is not. */
export const openTooLarge = (size, file, limits) => guarded(() => DocumentHandle.tooLarge(Math.min(size, 0xffff_ffff), file, limits))

export const openProject = (text, file, colour) => JSON.parse(guarded(() => project(text, file, colour)))

export const canonicalOf = (request) => JSON.parse(guarded(() => canonicalMessages(request)))

/** Reads the data of a vendor: a `request`, a `response` or a `stream`. */
export const readExchange = (operation, format, data) => JSON.parse(guarded(() => readExchangeText(jsonText({ operation, format, data }))))

/** Writes the data of a vendor: a `response`, a `stream` or an `error`. */
export const writeExchange = (operation, format, data) =>
  JSON.parse(guarded(() => writeExchangeText(jsonText({ operation, format, data }))))

export const detectBytes = (bytes, options) => JSON.parse(guarded(() => detect(bytes, options)))

export const knownFormats = () => JSON.parse(guarded(() => listFormats()))

export const beginSession = (handle, settings) => guarded(() => SessionHandle.begin(handle, settings))

export const beginTools = (handle, matching, settings) => guarded(() => ToolSessionHandle.begin(handle, matching, settings))

/** A mock model; the handle of its document is taken over. */
export const beginMock = (handle, settings) => guarded(() => MockHandle.begin(handle, settings))

export const beginRecorder = (options) => guarded(() => RecorderHandle.begin(options))

export const resumeRecorder = (options, journal) => guarded(() => RecorderHandle.resume(options, journal))

/** Calls a method of a handle. */
export const invoke = (handle, method, ...args) => guarded(() => handle[method](...args))

/** Calls a method of a handle that answers JSON text, or nothing. */
export const invokeJson = (handle, method, ...args) => {
  const text = invoke(handle, method, ...args)
  return text === undefined ? null : JSON.parse(text)
}
