// What a model was asked for and did not give.
import { errorMark } from '../api/errors.js'

const GENERATE = errorMark('GenerateError')

/** No transcript came of it. What there is, is kept: the last text, the last reply, what is wrong, what it took. */
export class GenerateError extends Error {
  constructor(message, { cause, ...about }) {
    super(message)
    GENERATE.give(this)
    const { status, rounds = 0, httpStatus = null, diagnostics = [], rendered = '', text = null, reply = null, state = null, usage = null, cost = null } = about
    Object.assign(this, { status, rounds, httpStatus, diagnostics, rendered, text, reply, usage, cost })
    // A long conversation is no part of what a program prints of an error.
    Object.defineProperty(this, 'state', { value: state, configurable: true })
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, configurable: true })
  }

  static [Symbol.hasInstance](value) {
    return GENERATE.has(value)
  }
}
