// Halves of surrogate pairs: a server may send an emoji in two events. The core has texts of whole characters only.

/** Where the halves go: a private plane that no text uses. */
const PLANE = 0x10_0000

/** A half in JSON, which writes whole pairs as they are; before it an even number of backslashes. */
const HALF = /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g

const decodeHalves = (text: string) =>
  text.replace(/[\u{10D800}-\u{10DFFF}]/gu, (character) => String.fromCharCode(character.codePointAt(0)! - PLANE))

/** The data with each half as a character of its own, and the function that brings the halves in a text of it back. */
export const withoutHalves = <Data>(data: Data): { data: Data; decode: (text: string) => string } => {
  const json = JSON.stringify(data)
  const encoded = json.replace(HALF, (_, before, half) => before + String.fromCodePoint(Number.parseInt(half, 16) + PLANE))
  return encoded === json ? { data, decode: (text) => text } : { data: JSON.parse(encoded), decode: decodeHalves }
}
