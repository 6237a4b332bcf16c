// What a function sees of a call.
import type { CanonicalMessage, MockContext } from '../types/index.ts'

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** The messages of calls that follow each other. Contexts share them, so that a call costs what is new in it. */
export class History {
  /** It only grows: where it is cut another list takes its place, since a context may not have been read yet. */
  #messages: CanonicalMessage[] = []

  /**
   * Continues the history with `added` after the first `kept` messages; `changed` has the messages among those that differ
   * now, by index.
   */
  update(kept: number, added: readonly CanonicalMessage[], changed: readonly (readonly [at: number, message: CanonicalMessage])[] = []) {
    if (kept < this.#messages.length || changed.length > 0) this.#messages = this.#messages.slice(0, kept)
    for (const [at, message] of changed) this.#messages[at] = deepFreeze(message)
    for (const message of added) this.#messages.push(deepFreeze(message))
    return this
  }

  /** A function that gives the messages as they are now; they become a list when it is called. */
  reader() {
    const messages = this.#messages
    const { length } = messages
    let list: readonly CanonicalMessage[] | undefined
    return () => (list ??= messages.slice(0, length))
  }
}

/** The context of a call, its messages those of `history` as it is now. */
export const createContext = (context: MockContext, history: History): MockContext =>
  Object.defineProperty({ ...context }, 'messages', { enumerable: true, configurable: true, get: history.reader() })
