// Session names of callers, in addresses and file names.
import { createHash } from 'node:crypto'

/** A name of a file may have 255 bytes, and has an ending and more. */
const LONGEST = 120

/** Decodes a name in an address; undefined if it is invalid. */
export const decodeName = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A session name as part of a file name; different sessions get different names. */
const fileNamePart = (session: string) => {
  const plain = session.replace(/[^\w.-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  if (plain.length <= LONGEST) return plain
  return `${plain.slice(0, LONGEST)}~~${createHash('sha256').update(session).digest('hex').slice(0, 16)}`
}

/** A name of a file for one caller: `run.yaml` is `run-alice.yaml` for `alice`. */
export const fileFor = (file: string, session: string) =>
  session === '' || file === undefined
    ? file
    : String(file).replace(/((?:\.\w+(?:\.gz)?)?)$/, (ending) => `-${fileNamePart(session)}${ending}`)
