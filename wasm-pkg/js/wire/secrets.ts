// Credentials, which are never recorded.

/** Names of headers and parts of addresses with credentials as values. The name of an account is none. */
const NAMES = /(^|[-_.])(authorization|(api-?)?key|auth|token|secret|password|passwd|credential|sig|signature|session)s?$|apikey$/i
const COOKIES = /^(set-)?cookie$/i
/** Keys of requests that do not identify the caller. */
const NO_SECRETS = ['idempotency-key', 'x-transcript-session']

/** A value shorter than this is no secret, and may be anywhere. */
const SHORTEST = 8
/** The value of a cookie is often a setting: only a value that does not look like a word is a secret. */
const LIKE_A_KEY = /^(?=.*\d)(?=.*[a-z]).{12,}$|^.{24,}$/i

const tryDecode = (text: string, decode: (text: string) => string): string[] => {
  try {
    return [decode(text)]
  } catch {
    return []
  }
}

const secretsInHeader = ([name, value]: [name: string, value: string]) => {
  if (NO_SECRETS.includes(name)) return []
  if (COOKIES.test(name)) {
    const values = value.split(/[;,]\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1).replace(/^"|"$/g, ''))
    const plain = values.flatMap((one) => [one, ...tryDecode(one, decodeURIComponent)])
    return [value, ...plain.filter((one) => LIKE_A_KEY.test(one))]
  }
  if (!NAMES.test(name)) return []
  const [, scheme, rest = value] = /^([a-z]+)\s+(\S.*)$/i.exec(value) ?? []
  if (!/^basic$/i.test(scheme ?? '')) return [value, rest]
  return [value, rest, ...tryDecode(rest, atob).flatMap((pair) => [pair, pair.slice(pair.indexOf(':') + 1)])]
}

const secretsInUrl = (url: string) => {
  const { searchParams, password } = new URL(url)
  return [...[...searchParams].flatMap(([name, value]) => (NAMES.test(name) ? [value] : [])), ...tryDecode(password, decodeURIComponent)]
}

/** The secrets of a request, and how they are written in base64; the longest first, since one may hold another. */
export const secretsOf = ({ headers, url }: { headers: Iterable<[name: string, value: string]>; url: string }) => {
  const found = [...[...headers].flatMap(secretsInHeader), ...secretsInUrl(url)].filter((value) => value.length >= SHORTEST)
  const written = found.flatMap((value) => tryDecode(value, btoa)).map((text) => text.replace(/=+$/, ''))
  return [...new Set([...found, ...written])].sort((a, b) => b.length - a.length)
}

const PLACEHOLDER = '[redacted]'

/** The same data without secrets. */
export const redactSecrets = <Value>(value: Value, secrets: readonly string[]): Value => {
  // What is returned has the form of the value.
  if (typeof value === 'string') return secrets.reduce<string>((text, secret) => text.replaceAll(secret, PLACEHOLDER), value) as Value
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, secrets)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactSecrets(key, secrets), redactSecrets(item, secrets)]),
  ) as Value
}
