// Text of a transcript on one line of a terminal, which must neither obey it nor hide it.

const HIDDEN =
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu

/** The symbols are those of the core's diagnostics. */
const symbol = (character: string) => {
  const code = character.codePointAt(0)!
  if (character === '\t') return '    '
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

export const printable = (text: unknown) => String(text).replace(HIDDEN, symbol)

/** `text` in at most `most` characters. */
export const cut = (text: string, most: number) => {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, Math.max(1, most - 1)).join('')}…`
}
