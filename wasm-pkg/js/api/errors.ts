// The errors of replays, assertions and mocks.
import type { CheckOutcome, Diagnostic, Json, NearestRecording, OtherDifference, Place } from '../types/index.ts'
import type { DivergenceDetails, FailureDetails, MockErrorDetails } from './answers.ts'
import { errorMark } from './error-mark.ts'
import type { Fields } from './fields.ts'
import { MarkedError } from './marked-error.ts'

/** The agent did not follow the recording. No framework retries it. */
export class TranscriptDivergenceError extends MarkedError {
  declare readonly name: 'TranscriptDivergenceError'
  declare readonly code: 'ERR_TRANSCRIPT_DIVERGENCE'
  /** The expected step, such as `3`, or `3.1` in the run of another agent. */
  declare readonly step: string
  /** The agent's run, such as `turn 3 > researcher`; empty where there is only one agent. */
  declare readonly run: string
  /** The path of the first difference in the request, such as `messages[3].result.condition`. */
  declare readonly path: string
  /** The same place in the recording, where results of parallel calls arrived in another order; else null. */
  declare readonly recordedPath: string | null
  /**
   * The recorded message that differs and its place, lines and columns from 1; null where none was recorded.
   * `message` is its id, null if it was sent and never stored.
   */
  declare readonly recorded: ({ message: string | null; file: string | null } & Partial<Place>) | null
  /** The value recorded there; undefined for nothing, which is not null. */
  declare readonly expected: Json | undefined
  /** The value sent there; undefined for nothing, which is not null. */
  declare readonly actual: Json | undefined
  /** Which of the two is nothing; null when neither is, or both are. */
  declare readonly missing: 'expected' | 'actual' | null
  /** If the id of a call or a result differs, the other differences from the recording; else null. */
  declare readonly otherDifference: OtherDifference | null
  /** The lines that differ, as a unified diff, where both are texts of several lines or long ones; else null. */
  declare readonly diff: string | null
  /** Other recorded calls that nearly match, best first. */
  declare readonly nearest: readonly NearestRecording[]
  /** What to do about it. */
  declare readonly hint: string

  /** @internal */
  static override mark() {
    return errorMark('TranscriptDivergenceError', 'ERR_TRANSCRIPT_DIVERGENCE')
  }

  /** @internal */
  static create(file: string, divergence: DivergenceDetails) {
    const error = new this(`${file}: ${divergence.text}`)
    const { step, run = '', path, recorded_path: recordedPath = null, recorded = null, expected, actual } = divergence
    const { other_difference: otherDifference = null, diff = null, nearest, hint } = divergence
    // Null is a value; nothing is none.
    const missing = expected === undefined ? (actual === undefined ? null : 'expected') : actual === undefined ? 'actual' : null
    return Object.assign(error, {
      step,
      run,
      path,
      recordedPath,
      recorded,
      expected,
      actual,
      missing,
      otherDifference,
      diff,
      nearest,
      hint,
    })
  }
}

/** A transcript that cannot be replayed. */
export class TranscriptError extends MarkedError {
  declare readonly name: 'TranscriptError'
  declare readonly code: 'ERR_TRANSCRIPT_INVALID'
  /** Everything found in it. */
  declare readonly diagnostics: readonly Diagnostic[]
  /** The same, as a compiler prints it. */
  declare readonly rendered: string

  /** @internal */
  static override mark() {
    return errorMark('TranscriptError', 'ERR_TRANSCRIPT_INVALID')
  }

  /** @internal */
  static create(message: string, diagnostics: readonly Diagnostic[], rendered: string, options?: ErrorOptions) {
    const error = new this(rendered === '' ? message : `${message}\n\n${rendered}`, options)
    return Object.assign(error, { diagnostics, rendered })
  }
}

/** The model call failed in the recording, and so it does in the replay. */
export class RecordedModelError extends MarkedError {
  declare readonly name: 'RecordedModelError'
  declare readonly code: 'ERR_RECORDED_MODEL'
  declare readonly step: string
  /** The error as recorded. */
  declare readonly error: Json
  /** The HTTP status, where recorded. */
  declare readonly status: number | undefined
  /** Whether the recording goes on with the same request. */
  declare readonly retried: boolean

  /** @internal */
  static override mark() {
    return errorMark('RecordedModelError', 'ERR_RECORDED_MODEL')
  }

  /** @internal */
  static create(file: string, { step, error, retried }: FailureDetails) {
    const text = typeof error === 'string' ? error : [(error as Fields)?.type, (error as Fields)?.message].filter(Boolean).join(': ')
    const failure = new this(`${file}: step ${step}: the model call failed, as recorded: ${text || JSON.stringify(error)}`)
    return Object.assign(failure, { step, error, retried, status: (error as Fields)?.status })
  }
}

/** The tool failed in the recording, and so it does in the replay. Its message is the tool's own. */
export class RecordedToolError extends MarkedError {
  declare readonly name: 'RecordedToolError'
  declare readonly code: 'ERR_RECORDED_TOOL'
  declare readonly step: string
  declare readonly file: string

  /** @internal */
  static override mark() {
    return errorMark('RecordedToolError', 'ERR_RECORDED_TOOL')
  }

  /** @internal */
  static create(file: string, { step, error }: { step: string; error: string }) {
    return Object.assign(new this(error), { step, file })
  }
}

/** Assertions of a run fail. */
export class TranscriptAssertionError extends MarkedError {
  declare readonly name: 'TranscriptAssertionError'
  declare readonly code: 'ERR_TRANSCRIPT_ASSERTION'
  /** Every outcome. */
  declare readonly outcomes: readonly CheckOutcome[]
  /** Those that do not pass. */
  declare readonly failed: readonly CheckOutcome[]
  /** The same, as a compiler prints it. */
  declare readonly rendered: string

  /** @internal */
  static override mark() {
    return errorMark('TranscriptAssertionError', 'ERR_TRANSCRIPT_ASSERTION')
  }

  /** @internal */
  static create(message: string, outcomes: readonly CheckOutcome[], rendered: string) {
    const failed = outcomes.filter(({ status }) => status !== 'passed')
    const error = new this(rendered === '' ? message : `${message}\n\n${rendered}`)
    return Object.assign(error, { outcomes, failed, rendered })
  }
}

/** A mock model has no answer. */
export class MockError extends MarkedError {
  declare readonly code:
    | 'ERR_MOCK'
    | 'ERR_MOCK_EXHAUSTED'
    | 'ERR_MOCK_NO_MATCH'
    | 'ERR_MOCK_UNKNOWN_STATE'
    | 'ERR_MOCK_CONDITION'
    | 'ERR_MOCK_FAILURE'
    | 'ERR_MOCK_FUNCTION'
    | 'ERR_MOCK_INVALID_RESPONSE'
  /** The number of the call. */
  declare readonly call: number
  /** Where in the handler, such as `handlers.bot.rules[1].when`. */
  declare readonly path: string
  /** Where in the document; null of handlers in data. */
  declare readonly place: Place | null

  /** @internal */
  static override mark() {
    return errorMark('MockError', 'ERR_MOCK')
  }

  /** @internal */
  static create(file: string, { name, message, path, place: found = null, error, thrown }: MockErrorDetails, call: number) {
    // Handlers that are passed as data have no place in a file, only a path.
    const place = file === '' ? null : found
    const where = place === null ? file : `${file}:${place.line}:${place.column}`
    const Kind = KINDS[name] ?? this
    const made = new Kind(where === '' ? message : `${where}: ${message}`)
    // The name and the code are those of its own class.
    for (const one of [this, Kind]) one.mark().give(made)
    Object.assign(made, { call, path, place })
    if (error !== undefined) Object.assign(made, { error, status: (error as Fields)?.status })
    if (thrown !== undefined) Object.assign(made, { thrown })
    return made
  }
}

/** All responses were used. */
export class MockExhaustedError extends MockError {
  declare readonly name: 'MockExhaustedError'
  declare readonly code: 'ERR_MOCK_EXHAUSTED'

  /** @internal */
  static override mark() {
    return errorMark('MockExhaustedError', 'ERR_MOCK_EXHAUSTED')
  }
}

/** No rule fits, and there is no default. */
export class MockNoMatchError extends MockError {
  declare readonly name: 'MockNoMatchError'
  declare readonly code: 'ERR_MOCK_NO_MATCH'

  /** @internal */
  static override mark() {
    return errorMark('MockNoMatchError', 'ERR_MOCK_NO_MATCH')
  }
}

/** A state machine went to a state that it does not have. */
export class UnknownStateError extends MockError {
  declare readonly name: 'UnknownStateError'
  declare readonly code: 'ERR_MOCK_UNKNOWN_STATE'

  /** @internal */
  static override mark() {
    return errorMark('UnknownStateError', 'ERR_MOCK_UNKNOWN_STATE')
  }
}

/** A condition or a template cannot be evaluated. */
export class ConditionError extends MockError {
  declare readonly name: 'ConditionError'
  declare readonly code: 'ERR_MOCK_CONDITION'

  /** @internal */
  static override mark() {
    return errorMark('ConditionError', 'ERR_MOCK_CONDITION')
  }
}

/** A handler fails on purpose. */
export class MockFailureError extends MockError {
  declare readonly name: 'MockFailureError'
  declare readonly code: 'ERR_MOCK_FAILURE'
  /** The error. */
  declare readonly error: Json
  /** The HTTP status, where it has one. */
  declare readonly status: number | undefined

  /** @internal */
  static override mark() {
    return errorMark('MockFailureError', 'ERR_MOCK_FAILURE')
  }
}

/** A function in a handler threw `cause`; `path` is the place of the function. */
export class MockFunctionError extends MockError {
  declare readonly name: 'MockFunctionError'
  declare readonly code: 'ERR_MOCK_FUNCTION'
  /** Its name and message as data. */
  declare readonly thrown: Json

  /** @internal */
  static override mark() {
    return errorMark('MockFunctionError', 'ERR_MOCK_FUNCTION')
  }
}

/** A function did not return a response. */
export class InvalidResponseError extends MockError {
  declare readonly name: 'InvalidResponseError'
  declare readonly code: 'ERR_MOCK_INVALID_RESPONSE'

  /** @internal */
  static override mark() {
    return errorMark('InvalidResponseError', 'ERR_MOCK_INVALID_RESPONSE')
  }
}

/** The class of each error of a mock that the core reports, by its name. */
const KINDS: { readonly [name: string]: typeof MockError } = {
  MockExhaustedError,
  MockNoMatchError,
  UnknownStateError,
  ConditionError,
  MockFailureError,
  MockFunctionError,
  InvalidResponseError,
}
