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
import type { CanonicalMessage, Detection, ImportFormat, Project } from '../types/index.ts'
import type { Answers } from './answers.ts'
import { checkModule, checkSource, guarded as guard } from './guard.ts'
import type { ReadExchange } from './read-exchange.ts'
import { jsonText } from './request.ts'
import type { WriteExchange } from './write-exchange.ts'

/** What the core starts from. */
type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>

let ready = false
let start = (): void => {
  throw new Error('transcript-workbench/slim is not started: call init() or initSync() with core.wasm first')
}

/** Has `work` start the core at the first call that needs it, for a program that may need none. */
export const useStart = (work: () => void) => {
  start = work
}

/** Compiles and starts the core at once; takes a `WebAssembly.Module` or the bytes of `core.wasm`. */
export const initSync = (module: WebAssembly.Module | BufferSource) => {
  if (ready) return
  checkModule('initSync', 'core.wasm', module)
  initGlue({ module })
  ready = true
}

/** Fetches, compiles and starts the core; takes what `initSync` takes, a URL, a `Response`, or a promise of one. */
export const init = async (source: WasmSource) => {
  if (ready) return
  checkSource('init', 'core.wasm', source)
  await initAsync({ module_or_path: source })
  ready = true
}

const guarded = <Result>(work: () => Result) => {
  if (!ready) start()
  return guard(work)
}

export const openText = (text: string, file: string, limits: string) => guarded(() => DocumentHandle.open(text, file, limits))

export const openBytes = (bytes: Uint8Array, file: string, limits: string) => guarded(() => DocumentHandle.openBytes(bytes, file, limits))

/** A stand-in for a document of `size` bytes that only reports that it is too large; undefined when it is not. */
export const openTooLarge = (size: number, file: string, limits: string) =>
  guarded(() => DocumentHandle.tooLarge(Math.min(size, 0xffff_ffff), file, limits))

export const openProject = (text: string, file: string, colour: boolean): Project => JSON.parse(guarded(() => project(text, file, colour)))

export const canonicalOf = (request: string): CanonicalMessage[] => JSON.parse(guarded(() => canonicalMessages(request)))

/** Reads the data of a vendor: a `request`, a `response` or a `stream`. */
export const readExchange: ReadExchange = (operation, format, data) =>
  JSON.parse(guarded(() => readExchangeText(jsonText({ operation, format, data }))))

/** Writes the data of a vendor: a `response`, a `stream` or an `error`. */
export const writeExchange: WriteExchange = (operation, format, data) =>
  JSON.parse(guarded(() => writeExchangeText(jsonText({ operation, format, data }))))

export const detectBytes = (bytes: Uint8Array, options: string): Detection => JSON.parse(guarded(() => detect(bytes, options)))

export const knownFormats = (): ImportFormat[] => JSON.parse(guarded(() => listFormats()))

export const beginSession = (handle: DocumentHandle, settings: string) => guarded(() => SessionHandle.begin(handle, settings))

export const beginTools = (handle: DocumentHandle, matching: string, settings: string) =>
  guarded(() => ToolSessionHandle.begin(handle, matching, settings))

/** A mock model; the handle of its document is taken over. */
export const beginMock = (handle: DocumentHandle | undefined, settings: string) => guarded(() => MockHandle.begin(handle, settings))

export const beginRecorder = (options: string) => guarded(() => RecorderHandle.begin(options))

export const resumeRecorder = (options: string, journal: string) => guarded(() => RecorderHandle.resume(options, journal))

type Method = (...args: never[]) => unknown

/** The methods of a handle, by name. */
type MethodName<Handle> = { [Name in keyof Handle]: Handle[Name] extends Method ? Name : never }[keyof Handle]

type Parameter<Handle, Name extends keyof Handle> = Handle[Name] extends (...args: infer Args) => unknown ? Args : never

type Returned<Handle, Name extends keyof Handle> = Handle[Name] extends (...args: never[]) => infer Result ? Result : never

/** Calls a method of a handle. */
export const invoke = <Handle, Name extends MethodName<Handle>>(
  handle: Handle,
  method: Name,
  ...args: Parameter<Handle, Name>
): Returned<Handle, Name> =>
  // A method takes and returns what its own type says.
  guarded(() => (handle as { [Each in Name]: (...args: Parameter<Handle, Name>) => Returned<Handle, Name> })[method](...args))

/** Calls a method of a handle that answers JSON text, or nothing. */
export const invokeJson = <Handle, Name extends MethodName<Handle> & keyof Answers>(
  handle: Handle,
  method: Name,
  ...args: Parameter<Handle, Name>
): Answers[Name] => {
  const text = invoke(handle, method, ...args) as string | undefined
  return (text === undefined ? null : JSON.parse(text)) as Answers[Name]
}
