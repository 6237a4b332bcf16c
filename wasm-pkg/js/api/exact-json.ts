// JSON whose numbers keep the digits that they were written with. JavaScript has no number for 12345678901234567890 or 1e400,
// but such numbers must pass from one text to another: from an answer to its recording, and from a recording to an answer.

import type { Tape } from '../types/index.ts'

/** `mark` begins a string that is a number as it was written. It is random, so that no text of a document begins with it. */
interface Marking {
  mark: string
  isUsed: boolean
}

const MARKING = Symbol.for('transcript-workbench.exactNumbers')

/** The marking of this process: the modules of the package have copies of this one. */
const marking = () => {
  const shared = globalThis as { [MARKING]?: Marking }
  return (shared[MARKING] ??= { mark: `\uf8ff${Math.random().toString(36).slice(2)}:`, isUsed: false })
}

/** A number as the string that `restoreNumbers` writes as that number. */
export const markNumber = (number: string) => {
  const shared = marking()
  shared.isUsed = true
  return shared.mark + number
}

/** A quick test: only numbers of this kind can change when JavaScript reads and writes them. */
const MAY_CHANGE = /\d{16}|\.\d|\d[eE]|-0/

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The index behind the JSON string that begins at `start`. */
const stringEnd = (text: string, start: number) => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slash = end
    while (text[slash - 1] === '\\') slash -= 1
    if ((end - slash) % 2 === 0) return end + 1
  }
}

const markInexact = (number: string) => (String(Number(number)) === number ? number : `"${markNumber(number)}"`)

/** Valid JSON, with a marked string for each number that JavaScript would write with other digits. */
const markNumbers = (text: string) => {
  let marked = ''
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const start = quote < 0 ? text.length : quote
    const end = quote < 0 ? start : stringEnd(text, start)
    marked += text.slice(at, start).replace(NUMBER, markInexact) + text.slice(start, end)
    at = end
  }
  return marked
}

/**
 * The value of a JSON text. A number that JavaScript would write with other digits becomes a string that `restoreNumbers` and
 * `nearestNumbers` know. Throws what `JSON.parse` throws.
 */
export const parseExact = (text: string) => {
  const plain = JSON.parse(text)
  if (!MAY_CHANGE.test(text)) return plain
  const marked = markNumbers(text)
  return marked.length === text.length ? plain : JSON.parse(marked)
}

/** The JSON text of a value of `parseExact`, with the numbers as they were written. */
export const restoreNumbers = (text: string) => {
  const { mark, isUsed } = marking()
  return isUsed && text.includes(mark) ? text.replace(new RegExp(`"${mark}(${NUMBER.source})"`, 'g'), '$1') : text
}

/** A value of `parseExact` with the nearest numbers that JavaScript has, as `JSON.parse` gives them. */
export const nearestNumbers = <Value>(value: Value): Value => {
  const { mark, isUsed } = marking()
  const text = isUsed ? JSON.stringify(value) : undefined
  return text?.includes(mark) ? JSON.parse(restoreNumbers(text)) : value
}

/**
 * The method of tapes that answers a request as `request` does, with the recorded numbers as `parseExact` gives them. Modules of
 * the package that import nothing of the core find it by this symbol.
 */
export const REQUEST_EXACTLY: unique symbol = Symbol.for('transcript-workbench.requestExactly')

/** A tape; one of another version of the package may lack the method. */
export interface ExactTape {
  request: Tape['request']
  [REQUEST_EXACTLY]?: Tape['request']
}
