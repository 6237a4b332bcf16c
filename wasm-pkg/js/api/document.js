// A transcript that stays open, with queries for its steps and states.
import { checkDocument } from './check-document.js'
import { invoke, invokeJson } from './core.js'
import { disposable } from './disposable.js'
import { misuse } from './misuse.ts'
import { checkOptions, kindOf, oneOf, writingOf } from './options.js'
import { open } from './open.js'

const handles = new WeakMap()

/** The core's handle of a document. */
export const handleOf = (document) => handles.get(document)

/** An open transcript. Its memory is freed with the object, or at once by `free()`. */
export class TranscriptDocument {
  #cache = new Map()

  constructor(handle) {
    disposable(this)
    handles.set(this, handle)
  }

  #cached(method) {
    const handle = this.#handle()
    if (!this.#cache.has(method)) this.#cache.set(method, invokeJson(handle, method))
    return this.#cache.get(method)
  }

  #handle() {
    const handle = handles.get(this)
    if (handle === undefined) throw new Error('this document has been freed')
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

  step(path) {
    if (typeof path !== 'string' && typeof path !== 'number') {
      throw misuse(`step() takes a step's path such as '2' or '2.1', but got ${kindOf(path)}`)
    }
    return invokeJson(this.#handle(), 'step', String(path)) ?? this.#noStep(path)
  }

  state(step) {
    const isPath = typeof step === 'string' ? /^\d+(\.\d+)*$/.test(step) : Number.isSafeInteger(step) && step >= 0
    if (!isPath) {
      const got = typeof step === 'string' || typeof step === 'number' ? `\`${step}\`` : kindOf(step)
      throw misuse(`state() takes the path of a step such as 2 or '2.1', 0 for the initial state, but got ${got}`)
    }
    return invokeJson(this.#handle(), 'state', String(step)) ?? this.#noStep(step)
  }

  changes(from, to) {
    const paths = [from, to].map((step) => {
      if (typeof step === 'string' || (Number.isSafeInteger(step) && step >= 0)) return String(step)
      throw misuse(`changes() takes the paths of two steps, such as 2 or '2.1', but got ${kindOf(step)}`)
    })
    const changes = invokeJson(this.#handle(), 'changes', ...paths)
    if (typeof changes === 'string') throw new RangeError(changes)
    return changes
  }

  #noStep(path) {
    const { steps } = this.overview
    throw new RangeError(`there is no step \`${path}\`; step 0 is the initial state, and the last one is ${steps}`)
  }

  get expectations() {
    return this.#cached('expectations')
  }

  get references() {
    return this.#cached('references')
  }

  check(options) {
    return checkDocument('check', this.#handle(), undefined, options)
  }

  checkRun(run, options) {
    return checkDocument('checkRun', this.#handle(), run, options)
  }

  expand(format, options = {}) {
    const wanted = oneOf('expand', 'format', format, ['yaml', 'json'])
    return invoke(this.#handle(), 'expanded', wanted, writingOf('expand', options)) ?? null
  }

  renderRefusal(options = {}) {
    return invoke(this.#handle(), 'renderRefusal', options.color === true)
  }

  render(options = {}) {
    return invoke(this.#handle(), 'render', options.color === true)
  }

  free() {
    handles.get(this)?.free()
    handles.delete(this)
  }
}

/** Reads a transcript and keeps it open. */
export const parse = (source, options) => new TranscriptDocument(open('parse', source, checkOptions('parse', options, [])))
