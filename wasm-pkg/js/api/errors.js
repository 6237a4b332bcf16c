// The errors that a replay throws. A program may load these classes twice, as ES module and as CommonJS, so `instanceof`
// checks a mark instead of the class.

export const errorMark = (name) => {
  const mark = Symbol.for(`transcript-workbench.${name}`)
  return {
    give: (error) => {
      Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
      Object.defineProperty(error, mark, { value: true })
    },
    has: (value) => typeof value === 'object' && value !== null && value[mark] === true,
  }
}

const DIVERGENCE = errorMark('TranscriptDivergence')
const INVALID = errorMark('TranscriptError')
const FAILURE = errorMark('RecordedModelError')
const TOOL = errorMark('RecordedToolError')
const ASSERTION = errorMark('TranscriptAssertionError')
const MOCK = errorMark('MockError')

/** The agent did not follow the recording. */
export class TranscriptDivergence extends Error {
  constructor(file, divergence) {
    super(`${file}: ${divergence.text}`)
    DIVERGENCE.give(this)
    const { step, run = '', path, recorded_path: recordedPath = null, recorded = null, expected, actual } = divergence
    const { also = null, diff = null, nearest, hint } = divergence
    // Null is a value; nothing is none.
    const missing = expected === undefined ? (actual === undefined ? null : 'expected') : actual === undefined ? 'actual' : null
    Object.assign(this, { step, run, path, recordedPath, recorded, expected, actual, missing, also, diff, nearest, hint })
  }

  static [Symbol.hasInstance](value) {
    return DIVERGENCE.has(value)
  }
}

/** The transcript cannot be replayed. */
export class TranscriptError extends Error {
  constructor(message, diagnostics, rendered) {
    super(rendered === '' ? message : `${message}\n\n${rendered}`)
    INVALID.give(this)
    Object.assign(this, { diagnostics, rendered })
  }

  static [Symbol.hasInstance](value) {
    return INVALID.has(value)
  }
}

/** The model call failed in the recording, and so it does in the replay. */
export class RecordedModelError extends Error {
  constructor(file, { step, error, retried }) {
    const text = typeof error === 'string' ? error : [error?.type, error?.message].filter(Boolean).join(': ')
    super(`${file}: step ${step}: the model call failed, as recorded: ${text || JSON.stringify(error)}`)
    FAILURE.give(this)
    Object.assign(this, { step, error, retried, status: error?.status })
  }

  static [Symbol.hasInstance](value) {
    return FAILURE.has(value)
  }
}

/** The tool failed in the recording, and so it does in the replay. */
export class RecordedToolError extends Error {
  constructor(file, { step, error }) {
    super(error)
    TOOL.give(this)
    Object.assign(this, { step, file })
  }

  static [Symbol.hasInstance](value) {
    return TOOL.has(value)
  }
}

/** Assertions do not hold of an actual run. */
export class TranscriptAssertionError extends Error {
  constructor(message, outcomes, rendered) {
    super(rendered === '' ? message : `${message}\n\n${rendered}`)
    ASSERTION.give(this)
    const failed = outcomes.filter(({ status }) => status !== 'passed')
    Object.assign(this, { outcomes, failed, rendered })
  }

  static [Symbol.hasInstance](value) {
    return ASSERTION.has(value)
  }
}

/** A mock model has no answer. */
export class MockError extends Error {
  constructor(file, { message, path, place: found = null, error, thrown }, call) {
    // Handlers that are passed as data have no place in a file, only a path.
    const place = file === '' ? null : found
    const where = place === null ? file : `${file}:${place.line}:${place.column}`
    super(where === '' ? message : `${where}: ${message}`)
    MOCK.give(this)
    Object.assign(this, { call, path, place })
    if (error !== undefined) Object.assign(this, { error, status: error?.status })
    if (thrown !== undefined) this.thrown = thrown
  }

  static [Symbol.hasInstance](value) {
    return MOCK.has(value)
  }
}

/** A class of mock errors with a name and a mark of its own. */
const mockErrorClass = (name) => {
  const mark = errorMark(name)
  const kind = {
    [name]: class extends MockError {
      constructor(...args) {
        super(...args)
        mark.give(this)
      }

      static [Symbol.hasInstance](value) {
        return mark.has(value)
      }
    },
  }
  return kind[name]
}

export const MockExhaustedError = mockErrorClass('MockExhaustedError')
export const MockNoMatchError = mockErrorClass('MockNoMatchError')
export const UnknownStateError = mockErrorClass('UnknownStateError')
export const ConditionError = mockErrorClass('ConditionError')
export const MockFailure = mockErrorClass('MockFailure')
export const MockFunctionError = mockErrorClass('MockFunctionError')
export const InvalidReplyError = mockErrorClass('InvalidReplyError')

const KINDS = {
  MockExhaustedError,
  MockNoMatchError,
  UnknownStateError,
  ConditionError,
  MockFailure,
  MockFunctionError,
  InvalidReplyError,
}

/** The error class for an error that the core reports. */
export const mockError = (file, error, call) => new (KINDS[error.name] ?? MockError)(file, error, call)
