// What identifies a caller to a vendor, and is never recorded.

/** Headers whose values are secrets, or name an account. */
const HEADERS = [
  'authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie', 'set-cookie',
  'openai-organization', 'openai-project', 'anthropic-organization-id',
]

/** A value shorter than this is no secret, and may stand anywhere. */
const SHORTEST = 8

/** The secrets among headers, the longest first: one may hold another. */
export const secretsOf = (headers) => {
  const found = HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [value, value.replace(/^(bearer|basic)\s+/i, '')]
  })
  return [...new Set(found)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

const PLACEHOLDER = '[redacted]'

/** The same data without secrets. */
export const blanked = (value, secrets) => {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, PLACEHOLDER), value)
  if (Array.isArray(value)) return value.map((item) => blanked(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [blanked(key, secrets), blanked(item, secrets)]))
}
