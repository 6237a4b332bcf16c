// Redacts the caller's key in replies; an endpoint may repeat it split across several pieces.
import { redactSecrets } from '../../wire/secrets.ts'

/** Shorter values are no secrets: words such as `none`, which local endpoints take for a key, may occur anywhere. */
const SHORTEST = 8

/** Where the end of a string starts that may become one of the keys; the length of the text if there is none. */
const partialKeyStart = (text: string, keys: readonly string[]) => {
  let at = text.length
  for (const key of keys) {
    let i = text.indexOf(key[0]!, Math.max(0, text.length - key.length + 1))
    while (i !== -1 && i < at && !key.startsWith(text.slice(i))) i = text.indexOf(key[0]!, i + 1)
    if (i !== -1 && i < at) at = i
  }
  return at
}

/** The same or an earlier place, at which no key is cut in two. */
const keyBoundary = (text: string, keys: readonly string[], place: number) => {
  let at = place
  for (let before = -1; before !== at; ) {
    before = at
    for (const key of keys) {
      const i = text.indexOf(key, Math.max(0, at - key.length + 1))
      if (i !== -1 && i < at) at = i
    }
  }
  return at
}

/**
 * Redacts keys in a string that arrives in pieces. `push` takes the next piece, `text` is the safe text so far: an end that may
 * become a key is held back. `whole()` returns everything, and `cut()` the same for a string that ended early, perhaps within a
 * key.
 */
export const createRedactor = (secrets: readonly string[]) => {
  const keys = secrets.filter((key) => key.length >= SHORTEST)
  let text = ''
  let pending = ''
  return {
    push: (piece: string) => {
      pending += piece
      const at = keyBoundary(pending, keys, partialKeyStart(pending, keys))
      text += redactSecrets(pending.slice(0, at), keys)
      pending = pending.slice(at)
    },
    get text() {
      return text
    },
    whole: () => text + redactSecrets(pending, keys),
    cut: () => {
      const at = keyBoundary(pending, keys, partialKeyStart(pending, keys))
      const end = pending.slice(at)
      const isKey = end.length >= SHORTEST && keys.some((key) => key.startsWith(end))
      return text + redactSecrets(pending.slice(0, at), keys) + (isKey ? '[redacted]' : redactSecrets(end, keys))
    },
  }
}
