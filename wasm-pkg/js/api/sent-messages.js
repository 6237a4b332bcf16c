// The messages that an agent sent before, so that a request that repeats them contains only what is new.
import { messageText } from './request.js'

/** The maximum number of values of a message that are compared one by one; a larger message is compared by its JSON text. */
const VALUES = 64
/** How deep values are compared: down to the text of a part and the arguments of a call. */
const DEPTH = 4
/**
 * How many messages a call looks at, and how many of these it looks into: of a longer list the latest, and the others in
 * turn. A look at all of a long list at every call would take the square of its length, and each look leaves the cache.
 */
const IDENTITY_CHECKS = { all: 2048, latest: 256, turn: 256 }
const CONTENT_CHECKS = { all: 256, latest: 32, turn: 32 }

/** Says that a message has too many values for a copy, or is none that can be copied. */
const NO_COPY = Symbol('no copy')

/** What a list or any other object was when it was copied; a list has no `keys`. */
class Copy {
  constructor(keys, values) {
    this.keys = keys
    this.values = values
  }
}

/** The keys of the objects that were copied last. Messages of one kind share them. */
const shapes = new Array(8).fill([])
let nextShape = 0

const isSameShape = (shape, keys) => {
  if (shape.length !== keys.length) return false
  for (let at = 0; at < keys.length; at += 1) if (shape[at] !== keys[at]) return false
  return true
}

const sharedShape = (keys) => {
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
const copyOf = (value, depth) => {
  if (typeof value !== 'object' || value === null) {
    valuesLeft -= 1
    return valuesLeft < 0 ? NO_COPY : value
  }
  if (depth === 0 || Object.getPrototypeOf(value) === null || typeof value.toJSON === 'function') return NO_COPY
  const values = []
  // JSON leaves out keys that an array has in addition to its entries.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const copy = copyOf(value[at], depth - 1)
      if (copy === NO_COPY) return NO_COPY
      values.push(copy)
    }
    return new Copy(undefined, values)
  }
  const keys = []
  for (const key in value) {
    const copy = copyOf(value[key], depth - 1)
    if (copy === NO_COPY) return NO_COPY
    keys.push(key)
    values.push(copy)
  }
  return new Copy(sharedShape(keys), values)
}

/** Whether an object still is as it was copied. */
const matchesCopy = (value, { keys, values }) => {
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
    const now = value[key]
    if (now !== values[at] && !matchesObjectCopy(now, values[at])) return false
    at += 1
  }
  return at === keys.length
}

const isObject = (value) => typeof value === 'object' && value !== null

/** What a copy was made of. */
const restoreCopy = (copy) => {
  if (!isObject(copy)) return copy
  const values = copy.values.map(restoreCopy)
  return copy.keys === undefined ? values : Object.fromEntries(copy.keys.map((key, at) => [key, values[at]]))
}

/** The same of a value that is not the copy itself. Something that is no object is then another. */
const matchesObjectCopy = (value, copy) => isObject(copy) && isObject(value) && matchesCopy(value, copy)

/** The messages of one agent's last request. An agent that only appends is taken at its word. */
export class SentMessages {
  #format
  #appendOnly
  // The messages themselves, and what each is known by if it is another object or was changed in its place.
  #messages = []
  #copies = []
  /** The messages that are next to be looked at, and into, in turn. */
  #nextChecks = { outside: 0, inside: 0 }
  /** The list itself that was sent last, and the messages in it that were not looked at, and into, then. */
  #list = []
  #unchecked = { outside: [], inside: [] }

  constructor(appendOnly = false) {
    this.#appendOnly = appendOnly
  }

  /** Whether a call may look at less than all that was sent. */
  get isLong() {
    return this.#copies.length > CONTENT_CHECKS.all
  }

  /**
   * Takes a request over: how many of its messages are as they were, and the texts of the others. With `isLast` all that
   * was sent before is compared, however long it is.
   */
  update(format, messages, isLast = false) {
    if (format !== this.#format) this.forget()
    this.#format = format
    this.#unchecked = { outside: [], inside: [] }
    const keep = this.#countUnchanged(messages, isLast)
    this.#truncate(keep)
    this.#list = messages
    const texts = []
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
   * The first message that was changed since it was sent, among those that the last request did not check: its index, the
   * message before and after. Undefined if there is none. Messages that `isEquivalent` accepts are not changed.
   */
  findChange(isEquivalent = () => false) {
    for (const name of ['inside', 'outside']) {
      // A list that was cut after the request says nothing of it any more; the messages of it still do.
      const list = name === 'inside' || this.#list.length < this.#copies.length ? this.#messages : this.#list
      for (const [from, to] of this.#unchecked[name]) {
        const end = Math.min(to, this.#copies.length)
        for (let at = from; at < end; at += 1) {
          if (this.#isUnchanged(at, list[at])) continue
          const [expected, actual] = [this.#restore(at), list[at]]
          if (!isEquivalent(this.#format, expected, actual)) return { at, expected, actual }
        }
      }
    }
    return undefined
  }

  /** Everything counts as new again. */
  forget() {
    this.#truncate(0)
    this.#list = []
  }

  #restore(at) {
    const { value, text } = this.#copies[at]
    return text === undefined ? restoreCopy(value) : JSON.parse(text)
  }

  #isUnchanged(at, message) {
    try {
      return this.#isSame(at, message)
    } catch {
      // It could be written when it was sent.
      return false
    }
  }

  #truncate(length) {
    this.#messages.length = length
    this.#copies.length = length
  }

  #countUnchanged(messages, isLast) {
    const most = Math.min(this.#copies.length, messages.length)
    // The first and the last known message are looked at all the same.
    if (this.#appendOnly && most > 0 && most === this.#copies.length) {
      if (this.#isSame(0, messages[0]) && this.#isSame(most - 1, messages[most - 1])) return most
    }
    if (isLast) return this.#checkContent(messages, 0, this.#checkIdentity(messages, 0, most))
    // A list that was cut, or that differs anywhere, is looked at from its begin: the first difference counts.
    const isWhole = most === this.#copies.length && this.#checkPart('outside', IDENTITY_CHECKS, messages, most) === most
    const keep = isWhole ? most : this.#checkIdentity(messages, 0, most)
    if (!isWhole) this.#unchecked.outside = []
    return this.#checkPart('inside', CONTENT_CHECKS, messages, keep)
  }

  /** The first message found that is another, of those whose turn it is; `end` when there is none. */
  #checkPart(name, { all, latest, turn }, messages, end) {
    const look = (from, to) => (name === 'outside' ? this.#checkIdentity(messages, from, to) : this.#checkContent(messages, from, to))
    const latestFrom = end <= all ? 0 : end - latest
    const from = this.#nextChecks[name] < latestFrom ? this.#nextChecks[name] : 0
    const to = Math.min(from + turn, latestFrom)
    // From the end it goes back to the begin at once: the list may grow by as much as would be left.
    this.#nextChecks[name] = to < latestFrom ? to : 0
    // A message that differs, and those after it, are sent again.
    this.#unchecked[name] = [[0, from], [to, latestFrom]]
    const found = look(from, to)
    return found < to ? found : look(latestFrom, end)
  }

  /** How far messages of a range are the same objects, or others that say the same. */
  #checkIdentity(messages, from, to) {
    const known = this.#messages
    for (let at = from; at < to; at += 1) {
      const message = messages[at]
      if (message === known[at]) continue
      if (!this.#isSame(at, message)) return at
      known[at] = message
    }
    return to
  }

  /** The first message of a range that does not say the same; the end of the range when there is none. */
  #checkContent(messages, from, to) {
    let at = from
    while (at < to && this.#isSame(at, messages[at])) at += 1
    return at
  }

  #isSame(at, message) {
    const { value, text } = this.#copies[at]
    if (text !== undefined) return messageText(this.#format, message) === text
    return message === value || matchesObjectCopy(message, value)
  }
}
