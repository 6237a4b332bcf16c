// The error of a generation that gave no valid transcript.
import { errorMark } from '../api/error-mark.ts'
import type { Diagnostic, GenerateState, GenerateUsage, GenerateError as PublicGenerateError } from '../types/index.ts'

const GENERATE = errorMark('GenerateError', 'ERR_TRANSCRIPT_GENERATE')

/** What is known of a generation that failed. */
export type GenerateFailure = Pick<PublicGenerateError, 'status'> & Partial<Omit<PublicGenerateError, keyof Error>> & { cause?: unknown }

/** The generation failed. The error has everything so far: the last text, the last reply, the diagnostics, the usage. */
export class GenerateError extends Error implements PublicGenerateError {
  declare readonly name: 'GenerateError'
  declare readonly code: 'ERR_TRANSCRIPT_GENERATE'
  declare readonly status: PublicGenerateError['status']
  declare readonly rounds: number
  declare readonly httpStatus: number | null
  declare readonly diagnostics: Diagnostic[]
  declare readonly rendered: string
  declare readonly text: string | null
  declare readonly reply: string | null
  declare readonly state: GenerateState
  declare readonly usage: GenerateUsage
  declare readonly cost: number | null

  constructor(message: string, { cause, ...about }: GenerateFailure) {
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

  static override [Symbol.hasInstance](value: unknown) {
    return GENERATE.has(value)
  }
}
