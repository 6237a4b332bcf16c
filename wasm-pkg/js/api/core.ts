// The only module that calls the wasm core.
import {
  DocumentHandle,
  MockHandle,
  RecorderHandle,
  SessionHandle,
  ToolSessionHandle,
  canonicalMessages,
  detect,
  formats as listFormats,
  project,
  readExchange as readExchangeText,
  writeExchange as writeExchangeText,
} from '#core'
import type { CanonicalMessage, Detection, ImportFormat, Project } from '../types/index.ts'
import type { Answers } from './answers.ts'
import { parseExact } from './exact-json.ts'
import type { ReadExchange } from './read-exchange.ts'
import { jsonText } from './request.ts'
import { guarded } from './start.ts'
import type { WriteExchange } from './write-exchange.ts'

export const openText = (text: string, file: string, limits: string) => guarded(() => DocumentHandle.open(text, file, limits))

export const openBytes = (bytes: Uint8Array, file: string, limits: string) => guarded(() => DocumentHandle.openBytes(bytes, file, limits))

/** A placeholder for a document of `size` bytes that only reports that it is too large; else undefined. */
export const openTooLarge = (size: number, file: string, limits: string) =>
  guarded(() => DocumentHandle.tooLarge(Math.min(size, 0xffff_ffff), file, limits))

export const openProject = (text: string, file: string, color: boolean): Project => JSON.parse(guarded(() => project(text, file, color)))

export const canonicalOf = (request: string): CanonicalMessage[] => JSON.parse(guarded(() => canonicalMessages(request)))

/** Reads the data of a vendor: a `request`, a `response`, a `stream` or an `error`. */
export const readExchange: ReadExchange = (operation, format, data) =>
  parseExact(guarded(() => readExchangeText(jsonText({ operation, format, data }))))

/** Writes the data of a vendor: a `response`, a `stream` or an `error`. */
export const writeExchange: WriteExchange = (operation, format, data) =>
  parseExact(guarded(() => writeExchangeText(jsonText({ operation, format, data }))))

export const detectBytes = (bytes: Uint8Array, options: string): Detection => JSON.parse(guarded(() => detect(bytes, options)))

export const knownFormats = (): ImportFormat[] => JSON.parse(guarded(() => listFormats()))

export const checkReplaySettings = (settings: string) => guarded(() => SessionHandle.checkSettings(settings))

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
