// An agent's request as JSON text.

/** What JSON cannot say: a half of a surrogate pair becomes U+FFFD, as in UTF-8; a BigInt its digits. */
const sayable = (_key, value) => {
  if (typeof value === 'string') return value.isWellFormed?.() === false ? value.toWellFormed() : value
  return typeof value === 'bigint' ? String(value) : value
}

export const requestJson = (request) => JSON.stringify(request, sayable)
