// What an agent sent before, so that a request which repeats it costs only what is new.
import { sayable } from './request.js'

/** The most values by which a message is known again; one of more is known by its text. */
const VALUES = 64
/** How deep they are looked for: as deep as the text of a part and the arguments of a call. */
const DEPTH = 4

/** Collects the values of a message; false when there are too many. */
const collect = (value, out, depth) => {
  if (typeof value !== 'object' || value === null) {
    if (out.length >= VALUES) return false
    out.push(value)
    return true
  }
  if (depth === 0 || Object.getPrototypeOf(value) === null || typeof value.toJSON === 'function') return false
  for (const key in value) {
    out.push(key)
    if (!collect(value[key], out, depth - 1)) return false
  }
  // Where an object ends no key stands.
  out.push(out.length)
  return true
}

/** Whether an object still has the values that were collected of it; they are walked in the same order. */
const holds = (value, values, from, depth) => {
  if (typeof value !== 'object' || value === null) return Object.is(value, values[from]) ? from + 1 : -1
  if (depth === 0) return -1
  let at = from
  for (const key in value) {
    if (values[at] !== key) return -1
    at = holds(value[key], values, at + 1, depth - 1)
    if (at === -1) return -1
  }
  return values[at] === at ? at + 1 : -1
}

const known = (message) => {
  const values = []
  return collect(message, values, DEPTH) ? values : undefined
}

/** The messages of one agent's last request. An agent that only appends is taken at its word. */
export class Sent {
  #format
  #entries = []
  #appendOnly

  constructor(appendOnly = false) {
    this.#appendOnly = appendOnly
  }

  /** Takes a request over: how many of its messages are as they were, and the texts of the others. */
  take(format, messages) {
    if (format !== this.#format) this.#entries = []
    this.#format = format
    const keep = this.#keep(messages)
    this.#entries.length = keep
    const texts = []
    for (let at = keep; at < messages.length; at += 1) {
      const text = JSON.stringify(messages[at], sayable) ?? 'null'
      const values = known(messages[at])
      this.#entries.push({ values, text: values === undefined ? text : undefined })
      texts.push(text)
    }
    return { keep, texts }
  }

  /** Everything counts as new again. */
  forget() {
    this.#entries = []
  }

  #keep(messages) {
    const most = Math.min(this.#entries.length, messages.length)
    // The first and the last known message are looked at all the same.
    if (this.#appendOnly && most > 0 && most === this.#entries.length) {
      const ends = [0, most - 1].every((at) => this.#isSame(this.#entries[at], messages[at]))
      if (ends) return most
    }
    let keep = 0
    while (keep < most && this.#isSame(this.#entries[keep], messages[keep])) keep += 1
    return keep
  }

  #isSame(entry, message) {
    const { values, text } = entry
    if (values === undefined) return JSON.stringify(message, sayable) === text
    if (typeof message !== 'object' || message === null) return false
    return holds(message, values, 0, DEPTH) === values.length
  }
}
