// Callers, as addresses and files name them.
import { createHash } from 'node:crypto'

/** A name of a file may have 255 bytes, and has an ending and more. */
const LONGEST = 120

/** What an address names, decoded; undefined where it cannot be. */
export const decodeName = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The name of a caller as a part of the name of a file: that of another caller is another one. */
const fileNamePart = (session) => {
  const plain = session.replace(/[^\w.-]/gu, (character) => [...Buffer.from(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join(''))
  if (plain.length <= LONGEST) return plain
  return `${plain.slice(0, LONGEST)}~~${createHash('sha256').update(session).digest('hex').slice(0, 16)}`
}

/** A name of a file for one caller: `run.yaml` is `run-alice.yaml` for `alice`. */
export const fileFor = (file, session) =>
  session === '' || file === undefined ? file : String(file).replace(/((?:\.\w+(?:\.gz)?)?)$/, (ending) => `-${fileNamePart(session)}${ending}`)
