// Halves of surrogate pairs: a server may send an emoji in two events. The core has texts of whole characters only.

/** Where the halves go: a private plane that no text uses. */
const PLANE = 0x10_0000

/** The data with each half as a character of its own. */
export const encodeHalves = <Data>(data: Data): Data =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/[\uD800-\uDFFF]/gu, (half) => String.fromCodePoint(half.charCodeAt(0) + PLANE)) : value,
  )

/** The text with the halves again. */
export const decodeHalves = (text: string) =>
  text.replace(/[\u{10D800}-\u{10DFFF}]/gu, (character) => String.fromCharCode(character.codePointAt(0)! - PLANE))
