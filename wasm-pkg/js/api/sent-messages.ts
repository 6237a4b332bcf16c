// The messages that an agent sent before, so that a request that repeats them contains only what is new.
import type { Fields } from './fields.ts'
import { messageText } from './request.ts'

/** The maximum number of values of a message that are compared one by one; a larger message is compared by its JSON text. */
const VALUES = 64
/** How deep values are compared: down to the text of a part and the arguments of a call. */
const DEPTH = 4
/**
 * The most messages that a call compares by content. In a longer list a message that is the same object as before counts
 * as unchanged: comparing all of them at every call would take quadratic time.
 */
const MAX_LOOKED_INTO = 256

/** Marks a message that has too many values for a copy, or is none that can be copied. */
const NO_COPY = Symbol('no copy')

/** What a list or any other object was when it was copied; a list has no `keys`. */
class Copy {
  declare readonly keys: readonly string[] | undefined
  declare readonly values: readonly unknown[]

  constructor(keys: readonly string[] | undefined, values: readonly unknown[]) {
    this.keys = keys
    this.values = values
  }
}

/** The keys of the objects that were copied last. Messages of one kind share them. */
const shapes: (readonly string[])[] = new Array(8).fill([])
let nextShape = 0

const isSameShape = (shape: readonly string[], keys: readonly string[]) => {
  if (shape.length !== keys.length) return false
  for (let at = 0; at < keys.length; at += 1) if (shape[at] !== keys[at]) return false
  return true
}

const sharedShape = (keys: readonly string[]) => {
  for (const shape of shapes) if (isSameShape(shape, keys)) return shape
  shapes[nextShape] = keys
  nextShape = (nextShape + 1) % shapes.length
  return keys
}

/** How many values the copy that is being made may still have. */
let valuesLeft = 0

/**
 * A copy to compare a message with: what is no object as it is, a list as a list, any other object as its keys and
 * values; `valuesLeft` counts down how many values it may have. `NO_COPY` when there are too many.
 */
const copyOf = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) {
    valuesLeft -= 1
    return valuesLeft < 0 ? NO_COPY : value
  }
  if (depth === 0 || Object.getPrototypeOf(value) === null || typeof (value as Fields & object).toJSON === 'function') return NO_COPY
  const values: unknown[] = []
  // JSON leaves out keys that an array has in addition to its entries.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const copy = copyOf(value[at], depth - 1)
      if (copy === NO_COPY) return NO_COPY
      values.push(copy)
    }
    return new Copy(undefined, values)
  }
  const keys: string[] = []
  for (const key in value) {
    const copy = copyOf((value as Fields & object)[key], depth - 1)
    if (copy === NO_COPY) return NO_COPY
    keys.push(key)
    values.push(copy)
  }
  return new Copy(sharedShape(keys), values)
}

/** Whether an object still is as it was copied. */
const matchesCopy = (value: object, { keys, values }: Copy) => {
  if (keys === undefined) {
    if (!Array.isArray(value) || value.length !== values.length) return false
    for (let at = 0; at < values.length; at += 1) {
      if (value[at] !== values[at] && !matchesObjectCopy(value[at], values[at])) return false
    }
    return true
  }
  let at = 0
  for (const key in value) {
    if (key !== keys[at]) return false
    const now = (value as Fields & object)[key]
    if (now !== values[at] && !matchesObjectCopy(now, values[at])) return false
    at += 1
  }
  return at === keys.length
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What a copy was made of; an object among copies is a `Copy`. */
const restoreCopy = (copy: unknown): unknown => {
  if (!isObject(copy)) return copy
  const { keys, values: copies } = copy as Copy
  const values = copies.map(restoreCopy)
  return keys === undefined ? values : Object.fromEntries(keys.map((key, at) => [key, values[at]]))
}

/** The same of a value that is not the copy itself. Something that is no object is then another. */
const matchesObjectCopy = (value: unknown, copy: unknown): boolean => isObject(copy) && isObject(value) && matchesCopy(value, copy as Copy)

/** Whether a message before and after are the same to the core. */
export type IsEquivalent = (format: string | undefined, expected: unknown, actual: unknown) => boolean

/** A copy of a message; one that is too large for that has its JSON text instead. */
interface MessageCopy {
  value: unknown
  text: string | undefined
}

/** A message that was changed in place: its index, the message before and after. */
export interface MessageChange {
  at: number
  expected: unknown
  actual: unknown
}

/** The messages of one agent's last request. */
export class SentMessages {
  #format: string | undefined
  // The messages themselves, and a copy of each to detect whether it was changed in place.
  #messages: unknown[] = []
  #copies: MessageCopy[] = []
  /** Whether the last request took messages as unchanged without looking into them. */
  #isUnchecked = false

  /** Whether the last request took messages as unchanged without looking into them. */
  get isUnchecked() {
    return this.#isUnchecked
  }

  /**
   * Takes a request over. Returns how many of its first messages are unchanged, and the JSON texts of the others. With
   * `isFull` it looks into every message, however long the list is.
   */
  update(format: string | undefined, messages: readonly unknown[], isFull = false) {
    if (format !== this.#format) this.forget()
    this.#format = format
    const keep = this.#countUnchanged(messages, isFull)
    this.#truncate(keep)
    const texts: string[] = []
    for (let at = keep; at < messages.length; at += 1) {
      const message = messages[at]
      const text = messageText(format, message)
      valuesLeft = VALUES
      const copy = copyOf(message, DEPTH)
      this.#messages.push(message)
      this.#copies.push(copy === NO_COPY ? { value: undefined, text } : { value: copy, text: undefined })
      texts.push(text)
    }
    return { keep, texts }
  }

  /**
   * The first message that was changed in place since it was sent, unless the last request looked into all of them: its
   * index, the message before and after. Undefined if there is none. Messages that `isEquivalent` accepts are not changed.
   */
  findChange(isEquivalent: IsEquivalent = () => false): MessageChange | undefined {
    if (!this.#isUnchecked) return undefined
    for (const [at, actual] of this.#messages.entries()) {
      try {
        if (this.#isSame(at, actual)) continue
      } catch {
        // It could be written when it was sent.
      }
      const { value, text } = this.#copies[at]!
      const expected = text === undefined ? restoreCopy(value) : JSON.parse(text)
      if (!isEquivalent(this.#format, expected, actual)) return { at, expected, actual }
    }
    return undefined
  }

  /** Everything counts as new again. */
  forget() {
    this.#truncate(0)
    this.#isUnchecked = false
  }

  #truncate(length: number) {
    // Even the same length, once set, makes a list slower.
    if (length === this.#messages.length) return
    this.#messages.length = length
    this.#copies.length = length
  }

  #countUnchanged(messages: readonly unknown[], isFull: boolean) {
    const end = Math.min(this.#copies.length, messages.length)
    this.#isUnchecked = !isFull && end > MAX_LOOKED_INTO
    const known = this.#messages
    let at = 0
    for (;;) {
      if (this.#isUnchecked) while (at < end && messages[at] === known[at]) at += 1
      if (at === end || !this.#isSame(at, messages[at])) return at
      known[at] = messages[at]
      at += 1
    }
  }

  #isSame(at: number, message: unknown) {
    const { value, text } = this.#copies[at]!
    if (text !== undefined) return messageText(this.#format, message) === text
    return message === value || matchesObjectCopy(message, value)
  }
}
