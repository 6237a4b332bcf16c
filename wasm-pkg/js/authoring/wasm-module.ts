// The only module that calls the second part of the wasm, which writes, changes and compares documents. The first call that needs
// it adds it to the core, so a program that only replays never compiles it.
import { EventLogHandle, RerunHandle, SimulationHandle, author, eventCall } from '../api/bundle.ts'
import { invalidState, misuse } from '../api/misuse.ts'
import { checkOptions, kindOf, openingOf } from '../api/options.ts'
import { type LoadedSource, sourceOf } from '../api/source.ts'
import type { Options, SimulationProblem, SimulationWarning, Source } from '../types/index.ts'
import type { OperationAnswers, RerunAnswers, SimulationAnswers } from './answers.ts'
import { guarded } from './start.ts'

const isStringList = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string')

/** What an option of an operation's own may be, by the word for it. */
const KINDS = {
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a string': (value: unknown) => typeof value === 'string',
  'a list of strings': isStringList,
  'an integer': (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
  'an object or an array': (value: unknown) => typeof value === 'object' && value !== null,
}

/** The kinds of the options that an operation has of its own. */
export type OptionKinds = { readonly [option: string]: keyof typeof KINDS }

const NOTHING = new Uint8Array()
const encoder = new TextEncoder()
const bytesOf = ({ text, bytes }: LoadedSource) => bytes ?? encoder.encode(text)

/** What an answer has when there was nothing to answer about, so that all answers of a call have one shape. */
const EMPTY: { [operation: string]: object } = {
  format: { changed: false },
  fix: { applied: [], remaining: 0 },
  edit: { edits: [], notes: [], problem: null },
  diff: { summary: null, changes: [], ignored: [] },
  drift: { requests: [] },
  redact: { count: 0, items: [], staleBlobs: [], formChanged: false },
}

/**
 * Calls an operation of the module and returns its answer. It takes the name of the operation for errors, the options with the
 * kinds of its own ones, the sources, and the name of the operation in the module if that differs.
 */
export const call = <Name extends keyof OperationAnswers>(
  name: Name,
  options: object | undefined,
  kinds: OptionKinds,
  sources: readonly Source[],
  operation: string = name,
): OperationAnswers[Name] => {
  const checked: Options = checkOptions(name, options, Object.keys(kinds))
  const request = openingOf(name, checked)
  for (const [key, kind] of Object.entries(kinds)) {
    const value = (checked as { readonly [option: string]: unknown })[key]
    if (value === undefined) continue
    if (!KINDS[kind](value)) {
      throw misuse(`the option \`${key}\` of ${name}() is ${kind}, but got ${kindOf(value)}`)
    }
    request[key] = value
  }
  // The limits among them were checked.
  const [first, other] = sources.map((source) => sourceOf(name, source, request as Options))
  if (first !== undefined) request.file = first.file
  if (other !== undefined) request.otherFile = other.file
  const [text, second] = [first, other].map((source) => (source === undefined ? NOTHING : bytesOf(source)))
  const answer: OperationAnswers[Name] = JSON.parse(guarded(() => author(operation, text!, second!, JSON.stringify(request))))
  const empty = EMPTY[name]
  // The additions have the form of the answer.
  return empty === undefined ? answer : ({ ...empty, diagnostics: [], ...answer } as typeof answer)
}

/** A changed run of the module that is played on. */
export interface RerunModule {
  call<Method extends keyof RerunAnswers>(method: Method, argument?: string): RerunAnswers[Method]
  free(): void
}

/** A changed run that is played on, of the bytes of a document. */
export const beginRerun = (source: LoadedSource, options: string): RerunModule => {
  const handle = guarded(() => RerunHandle.begin(bytesOf(source), options))
  const call: RerunModule['call'] = (method, argument = 'null') => JSON.parse(guarded(() => handle.call(method, argument)))
  return { call, free: () => handle.free() }
}

/** A simulation of the module: why it cannot begin, probable mistakes, and its calls. */
export interface SimulationModule {
  problems: SimulationProblem[]
  warnings: SimulationWarning[]
  call<Method extends keyof SimulationAnswers>(method: Method, argument?: string): SimulationAnswers[Method]
  free(): void
}

/** A simulation of the module. */
export const beginSimulation = (text: string, options: string): SimulationModule => {
  const handle = guarded(() => SimulationHandle.begin(text, options))
  const call: SimulationModule['call'] = (method, argument = 'null') => JSON.parse(guarded(() => handle.call(method, argument)))
  const [problems, warnings] = [handle.problems(), handle.warnings()].map((json) => JSON.parse(json))
  return { problems, warnings, call, free: () => handle.free() }
}

/** The calls of an opened log of events. */
export interface EventLogModule {
  call(method: string, argument?: object): string | undefined
  shuffled(seed: number): Uint8Array<ArrayBuffer>
  free(): void
}

/** What the module does for logs of events. */
export const eventModule = {
  open: (bytes: Uint8Array, file: string, limit: number | undefined): EventLogModule => {
    const handle = guarded(() => EventLogHandle.open(bytes, file, limit))
    let isFree = false
    const liveHandle = () => {
      if (isFree) throw invalidState('this log has been freed')
      return handle
    }
    const call = (method: string, argument: object = {}) => {
      const handle = liveHandle()
      return guarded(() => handle.call(method, JSON.stringify(argument)))
    }
    const free = () => {
      if (!isFree) handle.free()
      isFree = true
    }
    return {
      call, // The glue copies the bytes out of the memory of the wasm.
      shuffled: (seed: number) => liveHandle().shuffled(seed) as Uint8Array<ArrayBuffer>,
      free,
    }
  },
  call: (method: string, first: string, second = '') => guarded(() => eventCall(method, first, second)),
}
