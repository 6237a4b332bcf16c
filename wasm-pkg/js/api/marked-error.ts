import { errorMark } from './error-mark.ts'

/**
 * An error that `instanceof` knows by its mark: a program may load a class twice, as ES module and as CommonJS. A subclass
 * overrides `mark`.
 */
export class MarkedError extends Error {
  /** Bundlers leave a class out that does nothing when it is made. @internal */
  static mark() {
    return errorMark('MarkedError', 'ERR_TRANSCRIPT')
  }

  protected constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    new.target.mark().give(this)
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown) {
    return this.mark().has(value)
  }
}
