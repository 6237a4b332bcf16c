// The error of a generation without a valid transcript.
import { errorMark } from '../api/error-mark.ts'
import { MarkedError } from '../api/marked-error.ts'
import type { Diagnostic, GenerateState, GenerateUsage, AssessmentStatus } from '../types/index.ts'

/** Details of a failed generation. @internal */
export type GenerateFailure = Pick<GenerateError, 'status'> & Partial<Omit<GenerateError, keyof Error>> & { cause?: unknown }

/** There is no transcript. The responses are kept. */
export class GenerateError extends MarkedError {
  declare readonly name: 'GenerateError'
  declare readonly code: 'ERR_TRANSCRIPT_GENERATE'
  /** The status of the last response; `endpoint` or `model` without one. */
  declare readonly status: Exclude<AssessmentStatus, 'ok'> | 'endpoint' | 'model'
  /** The number of repair prompts. */
  declare readonly rounds: number
  /** What the endpoint answered. */
  declare readonly httpStatus: number | null
  /** The problems of `text`. */
  declare readonly diagnostics: Diagnostic[]
  declare readonly rendered: string
  /** The last transcript, perhaps partial. */
  declare readonly text: string | null
  /** The last response. */
  declare readonly response: string | null
  /** The conversation so far, to go on with by hand. */
  declare readonly state: GenerateState
  declare readonly usage: GenerateUsage
  declare readonly cost: number | null

  /** @internal */
  static override mark() {
    return errorMark('GenerateError', 'ERR_TRANSCRIPT_GENERATE')
  }

  /** @internal */
  constructor(message: string, { cause, ...about }: GenerateFailure) {
    super(message)
    const {
      status,
      rounds = 0,
      httpStatus = null,
      diagnostics = [],
      rendered = '',
      text = null,
      response = null,
      state = null,
      usage = null,
      cost = null,
    } = about
    Object.assign(this, { status, rounds, httpStatus, diagnostics, rendered, text, response, usage, cost })
    // A long conversation is no part of what a program prints of an error.
    Object.defineProperty(this, 'state', { value: state, configurable: true })
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, configurable: true })
  }
}
