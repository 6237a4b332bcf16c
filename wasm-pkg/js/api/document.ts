// A transcript that stays open, with queries for its steps and states.
import type { DocumentHandle } from '#core'
import type {
  ActualRun,
  Check,
  Options,
  TranscriptDocument as OpenTranscript,
  Source,
  StateChanges,
  StepDetail,
  StepState,
  WriteOptions,
} from '../types/index.ts'
import type { Answers } from './answers.ts'
import { checkDocument } from './check-document.ts'
import { invoke, invokeJson } from './core.ts'
import { disposable } from './disposable.ts'
import { invalidState, misuse, outOfRange } from './misuse.ts'
import { checkOptions, kindOf, oneOf, writingOf } from './options.ts'
import { open } from './open.ts'

const handles = new WeakMap<object, DocumentHandle>()

/** The core's handle of a document. @internal */
export const handleOf = (document: object) => handles.get(document)

/** The queries whose answers do not change. */
type CachedQuery = 'diagnostics' | 'overview' | 'steps' | 'expectations' | 'references'

/** An open transcript. Its memory is freed with the object, or at once by `free()`. @internal */
export class TranscriptDocument implements OpenTranscript {
  #cache = new Map<CachedQuery, Answers[CachedQuery]>()
  declare readonly [Symbol.dispose]: () => void

  constructor(handle: DocumentHandle) {
    disposable(this)
    handles.set(this, handle)
  }

  #cached<Query extends CachedQuery>(method: Query): Answers[Query] {
    const handle = this.#handle()
    if (!this.#cache.has(method)) this.#cache.set(method, invokeJson<DocumentHandle, CachedQuery>(handle, method))
    // What is kept for a query is its answer.
    return this.#cache.get(method) as Answers[Query]
  }

  #handle() {
    const handle = handles.get(this)
    if (handle === undefined) throw invalidState('this document has been freed')
    return handle
  }

  get ok() {
    return invoke(this.#handle(), 'isOk')
  }

  get readable() {
    return invoke(this.#handle(), 'isReadable')
  }

  get diagnostics() {
    return this.#cached('diagnostics')
  }

  get overview() {
    return this.#cached('overview')
  }

  get steps() {
    return this.#cached('steps')
  }

  step(path: string | number): StepDetail {
    if (typeof path !== 'string' && typeof path !== 'number') {
      throw misuse(`step() takes a step's path such as '2' or '2.1', but got ${kindOf(path)}`)
    }
    return invokeJson(this.#handle(), 'step', String(path)) ?? this.#noStep(path)
  }

  state(step: string | number): StepState {
    const isPath = typeof step === 'string' ? /^\d+(\.\d+)*$/.test(step) : Number.isSafeInteger(step) && step >= 0
    if (!isPath) {
      const got = typeof step === 'string' || typeof step === 'number' ? `\`${step}\`` : kindOf(step)
      throw misuse(`state() takes the path of a step such as 2 or '2.1', 0 for the initial state, but got ${got}`)
    }
    return invokeJson(this.#handle(), 'state', String(step)) ?? this.#noStep(step)
  }

  changes(from: string | number, to: string | number): StateChanges {
    const paths = [from, to].map((step) => {
      if (typeof step === 'string' || (Number.isSafeInteger(step) && step >= 0)) return String(step)
      throw misuse(`changes() takes the paths of two steps, such as 2 or '2.1', but got ${kindOf(step)}`)
    }) as [string, string]
    const changes = invokeJson(this.#handle(), 'changes', ...paths)
    if (typeof changes === 'string') throw outOfRange(changes)
    return changes
  }

  #noStep(path: string | number): never {
    const { steps } = this.overview
    throw outOfRange(`there is no step \`${path}\`; step 0 is the initial state, and the last one is ${steps}`)
  }

  get expectations() {
    return this.#cached('expectations')
  }

  get references() {
    return this.#cached('references')
  }

  check(options?: { color?: boolean }): Check {
    return checkDocument('check', this.#handle(), undefined, options)
  }

  checkRun(run: ActualRun, options?: { color?: boolean }): Check {
    return checkDocument('checkRun', this.#handle(), run, options)
  }

  expand(format?: 'yaml' | 'json', options: WriteOptions = {}): string | null {
    const wanted = oneOf('expand', 'format', format, ['yaml', 'json'])
    return invoke(this.#handle(), 'expanded', wanted, writingOf('expand', options)) ?? null
  }

  renderExpandProblem(options: { color?: boolean } = {}) {
    return invoke(this.#handle(), 'renderRefusal', options.color === true)
  }

  render(options: { color?: boolean } = {}) {
    return invoke(this.#handle(), 'render', options.color === true)
  }

  free() {
    handles.get(this)?.free()
    handles.delete(this)
  }
}

/** @internal */
export const openDocument = (source: Source, options?: Options) =>
  new TranscriptDocument(open('parse', source, checkOptions('parse', options, [])))

/**
 * Reads a transcript and keeps it open, to read its steps and its states.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns The open document, also when it has errors. `free()` releases its memory.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const document = parse(text)
 * document.step('2').tool?.result
 */
export const parse = (source: Source, options?: Options): OpenTranscript => openDocument(source, options)
