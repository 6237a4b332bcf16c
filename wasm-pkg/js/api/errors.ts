// The errors that a replay throws. A program may load these classes twice, as ES module and as CommonJS, so `instanceof`
// checks a mark instead of the class.

import type {
  CheckOutcome,
  Diagnostic,
  Json,
  Place,
  MockError as PublicMockError,
  RecordedModelError as PublicModelError,
  RecordedToolError as PublicToolError,
  TranscriptAssertionError as PublicAssertionError,
  TranscriptDivergenceError as PublicDivergence,
  TranscriptError as PublicTranscriptError,
} from '../types/index.ts'
import type { DivergenceDetails, FailureDetails, MockErrorDetails } from './answers.ts'
import type { Fields } from './fields.ts'

/** What makes an error one of the class `name`, with the `code` of that class. */
export const errorMark = (name: string, code: string) => {
  const mark = Symbol.for(`transcript-workbench.${name}`)
  return {
    give: (error: Error) => {
      Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
      Object.defineProperty(error, mark, { value: true })
      Object.assign(error, { code })
    },
    has: (value: unknown) => typeof value === 'object' && value !== null && (value as { [mark]?: unknown })[mark] === true,
  }
}

const DIVERGENCE = errorMark('TranscriptDivergenceError', 'ERR_TRANSCRIPT_DIVERGENCE')
const INVALID = errorMark('TranscriptError', 'ERR_TRANSCRIPT_INVALID')
const FAILURE = errorMark('RecordedModelError', 'ERR_RECORDED_MODEL')
const TOOL = errorMark('RecordedToolError', 'ERR_RECORDED_TOOL')
const ASSERTION = errorMark('TranscriptAssertionError', 'ERR_TRANSCRIPT_ASSERTION')
const MOCK = errorMark('MockError', 'ERR_MOCK')

/** The agent did not follow the recording. */
export class TranscriptDivergenceError extends Error implements PublicDivergence {
  declare readonly name: 'TranscriptDivergenceError'
  declare readonly code: 'ERR_TRANSCRIPT_DIVERGENCE'
  declare readonly step: string
  declare readonly run: string
  declare readonly path: string
  declare readonly recordedPath: string | null
  declare readonly recorded: PublicDivergence['recorded']
  declare readonly expected: Json | undefined
  declare readonly actual: Json | undefined
  declare readonly missing: 'expected' | 'actual' | null
  declare readonly also: PublicDivergence['also']
  declare readonly diff: string | null
  declare readonly nearest: PublicDivergence['nearest']
  declare readonly hint: string

  constructor(file: string, divergence: DivergenceDetails) {
    super(`${file}: ${divergence.text}`)
    DIVERGENCE.give(this)
    const { step, run = '', path, recorded_path: recordedPath = null, recorded = null, expected, actual } = divergence
    const { also = null, diff = null, nearest, hint } = divergence
    // Null is a value; nothing is none.
    const missing = expected === undefined ? (actual === undefined ? null : 'expected') : actual === undefined ? 'actual' : null
    Object.assign(this, { step, run, path, recordedPath, recorded, expected, actual, missing, also, diff, nearest, hint })
  }

  static override [Symbol.hasInstance](value: unknown) {
    return DIVERGENCE.has(value)
  }
}

/** The transcript cannot be replayed. */
export class TranscriptError extends Error implements PublicTranscriptError {
  declare readonly name: 'TranscriptError'
  declare readonly code: 'ERR_TRANSCRIPT_INVALID'
  declare readonly diagnostics: readonly Diagnostic[]
  declare readonly rendered: string

  constructor(message: string, diagnostics: readonly Diagnostic[], rendered: string, options?: ErrorOptions) {
    super(rendered === '' ? message : `${message}\n\n${rendered}`, options)
    INVALID.give(this)
    Object.assign(this, { diagnostics, rendered })
  }

  static override [Symbol.hasInstance](value: unknown) {
    return INVALID.has(value)
  }
}

/** The model call failed in the recording, and so it does in the replay. */
export class RecordedModelError extends Error implements PublicModelError {
  declare readonly name: 'RecordedModelError'
  declare readonly code: 'ERR_RECORDED_MODEL'
  declare readonly step: string
  declare readonly error: Json
  declare readonly status: number | undefined
  declare readonly retried: boolean

  constructor(file: string, { step, error, retried }: FailureDetails) {
    const text = typeof error === 'string' ? error : [(error as Fields)?.type, (error as Fields)?.message].filter(Boolean).join(': ')
    super(`${file}: step ${step}: the model call failed, as recorded: ${text || JSON.stringify(error)}`)
    FAILURE.give(this)
    Object.assign(this, { step, error, retried, status: (error as Fields)?.status })
  }

  static override [Symbol.hasInstance](value: unknown) {
    return FAILURE.has(value)
  }
}

/** The tool failed in the recording, and so it does in the replay. */
export class RecordedToolError extends Error implements PublicToolError {
  declare readonly name: 'RecordedToolError'
  declare readonly code: 'ERR_RECORDED_TOOL'
  declare readonly step: string
  declare readonly file: string

  constructor(file: string, { step, error }: { step: string; error: string }) {
    super(error)
    TOOL.give(this)
    Object.assign(this, { step, file })
  }

  static override [Symbol.hasInstance](value: unknown) {
    return TOOL.has(value)
  }
}

/** Assertions do not hold of an actual run. */
export class TranscriptAssertionError extends Error implements PublicAssertionError {
  declare readonly name: 'TranscriptAssertionError'
  declare readonly code: 'ERR_TRANSCRIPT_ASSERTION'
  declare readonly outcomes: readonly CheckOutcome[]
  declare readonly failed: readonly CheckOutcome[]
  declare readonly rendered: string

  constructor(message: string, outcomes: readonly CheckOutcome[], rendered: string) {
    super(rendered === '' ? message : `${message}\n\n${rendered}`)
    ASSERTION.give(this)
    const failed = outcomes.filter(({ status }) => status !== 'passed')
    Object.assign(this, { outcomes, failed, rendered })
  }

  static override [Symbol.hasInstance](value: unknown) {
    return ASSERTION.has(value)
  }
}

/** A mock model has no answer. */
export class MockError extends Error implements PublicMockError {
  declare readonly code: PublicMockError['code']
  declare readonly call: number
  declare readonly path: string
  declare readonly place: Place | null
  /** The error of a handler that fails on purpose. */
  declare readonly error?: Json
  declare readonly status?: number
  /** What a function in a handler threw, as data. */
  declare readonly thrown?: Json

  constructor(file: string, { message, path, place: found = null, error, thrown }: MockErrorDetails, call: number) {
    // Handlers that are passed as data have no place in a file, only a path.
    const place = file === '' ? null : found
    const where = place === null ? file : `${file}:${place.line}:${place.column}`
    super(where === '' ? message : `${where}: ${message}`)
    MOCK.give(this)
    Object.assign(this, { call, path, place })
    if (error !== undefined) Object.assign(this, { error, status: (error as Fields)?.status })
    if (thrown !== undefined) this.thrown = thrown
  }

  static override [Symbol.hasInstance](value: unknown) {
    return MOCK.has(value)
  }
}

/** A class of mock errors with a name, a code and a mark of its own. */
const mockErrorClass = (name: string, code: PublicMockError['code']) => {
  const mark = errorMark(name, code)
  const kind = {
    [name]: class extends MockError {
      constructor(...args: ConstructorParameters<typeof MockError>) {
        super(...args)
        mark.give(this)
      }

      static override [Symbol.hasInstance](value: unknown) {
        return mark.has(value)
      }
    },
  }
  return kind[name]!
}

export const MockExhaustedError = mockErrorClass('MockExhaustedError', 'ERR_MOCK_EXHAUSTED')
export const MockNoMatchError = mockErrorClass('MockNoMatchError', 'ERR_MOCK_NO_MATCH')
export const UnknownStateError = mockErrorClass('UnknownStateError', 'ERR_MOCK_UNKNOWN_STATE')
export const ConditionError = mockErrorClass('ConditionError', 'ERR_MOCK_CONDITION')
export const MockFailureError = mockErrorClass('MockFailureError', 'ERR_MOCK_FAILURE')
export const MockFunctionError = mockErrorClass('MockFunctionError', 'ERR_MOCK_FUNCTION')
export const InvalidReplyError = mockErrorClass('InvalidReplyError', 'ERR_MOCK_INVALID_REPLY')

const KINDS: { [name: string]: typeof MockError } = {
  MockExhaustedError,
  MockNoMatchError,
  UnknownStateError,
  ConditionError,
  MockFailureError,
  MockFunctionError,
  InvalidReplyError,
}

/** The error class for an error that the core reports. */
export const mockError = (file: string, error: MockErrorDetails, call: number) => new (KINDS[error.name] ?? MockError)(file, error, call)
