// The error of a generation that gave no valid transcript.
import { errorMark } from '../api/errors.ts'

const GENERATE = errorMark('GenerateError')

/** The generation failed. The error has everything so far: the last text, the last reply, the diagnostics, the usage. */
export class GenerateError extends Error {
  constructor(message, { cause, ...about }) {
    super(message)
    GENERATE.give(this)
    const {
      status,
      rounds = 0,
      httpStatus = null,
      diagnostics = [],
      rendered = '',
      text = null,
      reply = null,
      state = null,
      usage = null,
      cost = null,
    } = about
    Object.assign(this, { status, rounds, httpStatus, diagnostics, rendered, text, reply, usage, cost })
    // A long conversation is no part of what a program prints of an error.
    Object.defineProperty(this, 'state', { value: state, configurable: true })
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, configurable: true })
  }

  static [Symbol.hasInstance](value) {
    return GENERATE.has(value)
  }
}
