// Requests to an endpoint: answers that come at once or piece by piece, another try where the endpoint asks for one,
// and replies and errors without the caller's key.
import { raced } from '../../api/waiting.js'
import { blanked, secretsOf } from '../../wire/secrets.js'
import { eventReader } from '../../wire/sse.js'
import { GenerateError } from '../generate-error.js'
import { blanking } from './blanking.js'

/** What an endpoint answers when it could answer later. */
const LATER = [408, 429, 500, 502, 503, 504, 529]
/** The longest wait between two tries, in milliseconds. */
const LONGEST = 30_000
/** The most characters of an error that are told. */
const TOLD = 500
/** The most characters of a reply. What is longer than any transcript is cut off. */
const MOST = 4_000_000

const encodings = (key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]

/** The words of an endpoint or of the platform, without keys. */
const without = (keys, text) => blanked(String(text), keys)

/** The secrets of a request in every form in which one may come back; the longest first. */
const keysOf = (url, headers, apiKey) => {
  const found = [...(apiKey ? encodings(apiKey) : []), ...secretsOf({ headers: new Headers(headers), url })]
  return [...new Set(found)].sort((a, b) => b.length - a.length)
}

const pause = (ms, signal) => {
  let timer
  const over = new Promise((resolve) => { timer = setTimeout(resolve, ms) })
  return raced(over, signal).finally(() => clearTimeout(timer))
}

/** How long the endpoint asks to wait, or else longer each time. */
const waitOf = (headers, tried) => {
  const told = Number(headers.get('retry-after-ms') ?? Number.NaN)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const asked = Number.isFinite(told) ? told : seconds * 1000
  return Math.min(LONGEST, Number.isFinite(asked) && asked >= 0 ? asked : 500 * 2 ** tried)
}

const messageOf = (text) => {
  try {
    const { error, message } = JSON.parse(text)
    return (typeof error === 'string' ? error : error?.message) ?? message ?? text
  } catch {
    return text
  }
}

/** Why a platform could not send a request. */
const faultOf = (error) => [error?.message ?? error, error?.cause?.code ?? error?.cause?.message].filter(Boolean).join(': ')

/** The events of a body as they come. */
async function* eventsOf(body, signal) {
  const events = eventReader()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await raced(reader.read(), signal)
      if (done) break
      yield* events.push(value)
    }
    yield* events.end()
  } finally {
    reader.cancel().catch(() => {})
  }
}

/**
 * Sends `body` and gives what `read` makes of the answer: of its JSON by `read.whole(data)`, or of its events by
 * `read.event(data, answer)`, which changes `{text, finish, usage}`, adds to a `text` that is empty, and may return `{error}`.
 */
export const asked = async ({ url, headers, apiKey, body, retries, signal, onText, onWait, fetch: send = globalThis.fetch, mend }, read) => {
  const keys = keysOf(url, headers, apiKey)
  const failed = (message, about = {}) => new GenerateError(without(keys, message), { status: 'endpoint', ...about })
  let sent = body
  for (let tried = 0; ; ) {
    signal?.throwIfAborted()
    let response
    try {
      const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(sent), redirect: 'manual', signal }
      response = await raced(send(url, request), signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw failed(`the endpoint ${new URL(url).origin} cannot be reached: ${faultOf(error)}`)
    }
    if (!response.ok) {
      const text = await raced(response.text().catch(() => ''), signal)
      const other = response.status === 400 ? mend?.(sent, text) : undefined
      if (other !== undefined && sent === body) {
        sent = other
        continue
      }
      if (LATER.includes(response.status) && tried < retries) {
        const ms = waitOf(response.headers, tried)
        tried += 1
        onWait?.(ms, response.status)
        await pause(ms, signal)
        continue
      }
      const words = without(keys, messageOf(text)).slice(0, TOLD)
      throw failed(`the endpoint answered ${response.status}${words === '' ? '' : `: ${words}`}`, { httpStatus: response.status })
    }
    const answer = { text: '', finish: '', usage: undefined }
    const told = blanking(keys)
    const isStream = /event-stream/i.test(response.headers.get('content-type') ?? '')
    try {
      if (!isStream || response.body === null) {
        Object.assign(answer, read.whole(await raced(response.json(), signal)))
        told.push(answer.text)
        return { ...answer, text: answer.finish === 'length' ? told.cut() : told.whole() }
      }
      let length = 0
      for await (const { data } of eventsOf(response.body, signal)) {
        if (data === undefined || data === null) continue
        answer.text = ''
        const fault = data.error ?? read.event(data, answer)?.error
        if (fault !== undefined && fault !== null) {
          const words = without(keys, fault.message ?? JSON.stringify(fault)).slice(0, TOLD)
          throw failed(`the endpoint failed amid its answer: ${words}`, { reply: told.cut() })
        }
        told.push(answer.text)
        onText?.(told.text)
        length += answer.text.length
        if (length > MOST) return { ...answer, text: told.cut(), finish: 'length' }
      }
      const isWhole = answer.finish !== '' && answer.finish !== 'length'
      const text = isWhole ? told.whole() : told.cut()
      if (text.length > told.text.length) onText?.(text)
      return { ...answer, text }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof GenerateError) throw error
      throw failed(`the answer of the endpoint cannot be read: ${faultOf(error)}`, { reply: told.cut() })
    }
  }
}
