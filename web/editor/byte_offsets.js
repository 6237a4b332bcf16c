// The core counts bytes of UTF-8, the editor code units of UTF-16.

/** The number of bytes of the code unit at `at` of `text`; a pair counts four at its first half and none at its second. */
function bytesAt(text, at) {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  const pairs = (high, low) => high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
  if (pairs(unit, text.charCodeAt(at + 1))) return 4
  return pairs(text.charCodeAt(at - 1), unit) ? 0 : 3
}

const ASCII = /^[\0-\x7f]*$/

function bytesOf(text) {
  if (ASCII.test(text)) return text.length
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) bytes += bytesAt(text, at)
  return bytes
}

/** The number of bytes before the offset `end` of the document. */
export function bytesBefore(doc, end) {
  let bytes = 0
  for (const chunk of doc.iterRange(0, end)) bytes += bytesOf(chunk)
  return bytes
}

/** A function from byte offsets to offsets of the document, for those in `wanted`: the document is walked through once. */
export function fromBytes(doc, wanted) {
  const sorted = [...new Set(wanted)].sort((a, b) => a - b)
  const found = new Map()
  let next = 0
  let bytes = 0
  let units = 0
  for (const chunk of doc) {
    if (next === sorted.length) break
    const size = bytesOf(chunk)
    let [at, passed] = [0, 0]
    for (; next < sorted.length && sorted[next] <= bytes + size; next += 1) {
      const more = sorted[next] - bytes - passed
      at += size === chunk.length ? more : unitsOf(chunk, more, at)
      passed += more
      found.set(sorted[next], units + at)
    }
    bytes += size
    units += chunk.length
  }
  return (offset) => found.get(offset) ?? doc.length
}

/** The number of code units of `text` that `bytes` bytes after its offset `from` take. */
export function unitsOf(text, bytes, from = 0) {
  let at = from
  // A pair counts at its first half; its second goes with it.
  for (let left = bytes; at < text.length && (left > 0 || bytesAt(text, at) === 0); at += 1) left -= bytesAt(text, at)
  return at - from
}
