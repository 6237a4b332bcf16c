// Requests to an endpoint: whole or streamed answers, retries, and replies and errors without the caller's key.
import { raceAbort } from '../../api/abort.ts'
import type { Fields } from '../../api/fields.ts'
import { redactSecrets, secretsOf } from '../../wire/secrets.ts'
import { eventReader } from '../../wire/sse.ts'
import { GenerateError, type GenerateFailure } from '../generate-error.ts'
import { createRedactor } from './redact-stream.ts'
import type { ModelReply, ModelRequest } from './request.ts'

/** Statuses of an endpoint that may answer later. */
const RETRY_STATUSES = [408, 429, 500, 502, 503, 504, 529]
/** The longest wait between two tries, in milliseconds. */
const MAX_WAIT = 30_000
/** The maximum length of an error text. */
const MAX_ERROR_LENGTH = 500
/** The most bytes of an error that are read. */
const MAX_ERROR_BYTES = 64 << 10
/** The most characters of a reply. What is longer than any transcript is cut off. */
const MAX_REPLY_LENGTH = 4_000_000

/** The signal of a caller. */
type Signal = AbortSignal | undefined

const encodings = (key: string) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]

/** A string of the endpoint or of the platform, without keys. */
const redact = (keys: readonly string[], text: unknown) => redactSecrets(String(text), keys)

/** The secrets of a request in every form in which one may come back; the longest first. */
const secretKeys = (url: string, headers: HeaderMap, apiKey: string | undefined) => {
  const found = [...(apiKey ? encodings(apiKey) : []), ...secretsOf({ headers: new Headers(headers), url })]
  return [...new Set(found)].sort((a, b) => b.length - a.length)
}

const pause = (ms: number, signal: Signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return raceAbort(waited, signal).finally(() => clearTimeout(timer))
}

/** The milliseconds until an HTTP date (RFC 9110, 10.2.3), by the clock of the endpoint if it sends one. */
const msUntil = (headers: Headers, date: string) => {
  if (!/[a-z]{3}.*\d\d:\d\d:\d\d/i.test(date)) return Number.NaN
  const now = Date.parse(headers.get('date') ?? '')
  return Date.parse(date) - (Number.isNaN(now) ? Date.now() : now)
}

/** How long to wait, as the endpoint requests it; otherwise longer for each attempt. */
const retryDelay = (headers: Headers, tried: number) => {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  const after = headers.get('retry-after') ?? ''
  const seconds = after === '' ? Number.NaN : Number(after)
  const later = Number.isFinite(seconds) ? seconds * 1000 : msUntil(headers, after)
  const requested = Number.isFinite(ms) ? ms : later
  return Math.min(MAX_WAIT, Number.isFinite(requested) && requested >= 0 ? requested : 500 * 2 ** tried)
}

const errorMessage = (text: string): unknown => {
  try {
    const { error, message }: { error?: unknown; message?: unknown } = JSON.parse(text)
    return (typeof error === 'string' ? error : (error as Fields)?.message) ?? message ?? text
  } catch {
    return text
  }
}

/** The message of an endpoint about a fault amid an answer. */
const faultText = (fault: NonNullable<unknown>) =>
  typeof fault === 'string' ? fault : ((fault as { message?: unknown }).message ?? JSON.stringify(fault))

/** Why a platform could not send a request. */
const networkErrorText = (error: Fields) =>
  [error?.message ?? error, (error?.cause as Fields)?.code ?? (error?.cause as Fields)?.message].filter(Boolean).join(': ')

/** The events of a body as they come. */
async function* bodyEvents<Data>(body: ReadableStream<Uint8Array>, signal: Signal): AsyncGenerator<{ data: Data | null }, void> {
  // What the data is besides, its reader finds out.
  const events = eventReader() as { push(bytes: Uint8Array): { data: Data | null }[]; end(): { data: Data | null }[] }
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), signal)
      if (done) break
      yield* events.push(value)
    }
    yield* events.end()
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** The pieces of a body as they come; a `fetch` of the caller may return one that is not a stream. */
async function* bodyPieces(response: Response, signal: Signal): AsyncGenerator<Uint8Array, void> {
  if (typeof response.body?.getReader !== 'function') {
    yield new TextEncoder().encode(await raceAbort(response.text(), signal))
    return
  }
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), signal)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** The text of an error response, read up to a limit; errors while reading it are ignored. */
const readErrorText = async (response: Response, signal: Signal) => {
  const decoder = new TextDecoder()
  let text = ''
  let left = MAX_ERROR_BYTES
  try {
    for await (const piece of bodyPieces(response, signal)) {
      text += decoder.decode(piece.subarray(0, left), { stream: true })
      left -= piece.length
      if (left <= 0) return { text, isCut: true }
    }
  } catch {
    signal?.throwIfAborted()
  }
  return { text: text + decoder.decode(), isCut: false }
}

/** The JSON of a body, which is read up to a limit. */
const readJson = async (response: Response, signal: Signal): Promise<unknown> => {
  if (typeof response.body?.getReader !== 'function') return raceAbort(response.json(), signal)
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of bodyPieces(response, signal)) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_REPLY_LENGTH) throw new RangeError(`it is longer than ${MAX_REPLY_LENGTH} characters`)
  }
  text += decoder.decode()
  try {
    return JSON.parse(text)
  } catch {
    throw new NotJsonError(text, response.headers?.get('content-type'))
  }
}

/** An answer of a web site, of a proxy, of nothing. */
class NotJsonError extends Error {
  constructor(text: string, type: string | null | undefined) {
    const excerpt = text.trim().slice(0, MAX_ERROR_LENGTH)
    const what = excerpt === '' ? 'nothing' : `no JSON${type ? ` but ${type}` : ''}: ${excerpt}`
    super(`the endpoint answered ${what}; is \`baseURL\` the one of its API, such as one that ends in /v1?`)
  }
}

/** A reply that comes in pieces; whether it is a refusal may be known before its end. */
export interface StreamedReply extends ModelReply {
  isRefusal?: boolean
}

/** How the answers of an endpoint are read. */
export interface EndpointReader<Data extends object> {
  /** What an answer has. */
  readonly part: string
  is(data: Data): boolean
  whole(data: Data): ModelReply
  /** Reads an event of a streamed answer into the reply. */
  event(data: Data, answer: StreamedReply): Fault | undefined
}

/** Why an endpoint did not answer. */
type Fault = { error?: unknown }

type HeaderMap = { [name: string]: string }

type Body = { readonly [entry: string]: unknown }

/** A request to an endpoint. `adjustBody` gives another body for the one that was refused, or nothing. */
export interface EndpointRequest extends Pick<ModelRequest, 'retries' | 'signal' | 'onText' | 'onWait'> {
  url: string
  headers: HeaderMap
  apiKey: string | undefined
  body: Body
  fetch: typeof fetch | undefined
  adjustBody?: (body: Body, errorText: string) => Body | undefined
}

/**
 * Sends `body` and gives what `read` makes of the answer: of its JSON, which is one if `read.is(data)` and else lacks
 * `read.part`, by `read.whole(data)`; or of its events by
 * `read.event(data, answer)`, which changes `{text, finish, usage}`, adds to a `text` that is empty, and may return `{error}`.
 */
export const requestModel = async <Data extends object>(
  { url, headers, apiKey, body, retries, signal, onText, onWait, fetch: send = globalThis.fetch, adjustBody }: EndpointRequest,
  read: EndpointReader<Data>,
): Promise<ModelReply> => {
  const keys = secretKeys(url, headers, apiKey)
  const failed = (message: string, about: Partial<GenerateFailure> = {}) =>
    new GenerateError(redact(keys, message), { status: 'endpoint', ...about })
  let currentBody = body
  for (let attempt = 0; ; ) {
    signal?.throwIfAborted()
    let response: Response
    try {
      const request: RequestInit = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(currentBody),
        redirect: 'manual',
        signal,
      }
      response = await raceAbort(send(url, request), signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw failed(`the endpoint ${new URL(url).origin} cannot be reached: ${networkErrorText(error as Fields)}`)
    }
    if (!response.ok) {
      const { text, isCut } = await readErrorText(response, signal)
      const adjusted = response.status === 400 ? adjustBody?.(currentBody, text) : undefined
      if (adjusted !== undefined && currentBody === body) {
        currentBody = adjusted
        continue
      }
      if (RETRY_STATUSES.includes(response.status) && attempt < retries) {
        const ms = retryDelay(response.headers, attempt)
        attempt += 1
        onWait?.(ms, response.status)
        await pause(ms, signal)
        continue
      }
      const shown = redact(keys, errorMessage(text)).slice(0, MAX_ERROR_LENGTH)
      const rest = isCut ? ` (only the first ${MAX_ERROR_BYTES >> 10} KiB of it were read)` : ''
      throw failed(`the endpoint answered ${response.status}${shown === '' ? '' : `: ${shown}`}${rest}`, { httpStatus: response.status })
    }
    const answer: StreamedReply = { text: '', finish: '', usage: undefined }
    const redactor = createRedactor(keys)
    const isStream = /event-stream/i.test(response.headers.get('content-type') ?? '')
    try {
      if (!isStream || response.body === null) {
        // Its reader checks the rest.
        const data = (await readJson(response, signal)) as Data & Fault
        if (typeof data !== 'object' || data === null)
          throw failed(`the answer of the endpoint is no object of JSON: ${redact(keys, JSON.stringify(data)).slice(0, MAX_ERROR_LENGTH)}`)
        const fault = data.error ?? (read.is(data) ? undefined : `it has no \`${read.part}\`: ${JSON.stringify(data)}`)
        if (fault !== undefined && fault !== null)
          throw failed(`the endpoint did not answer: ${redact(keys, faultText(fault)).slice(0, MAX_ERROR_LENGTH)}`)
        Object.assign(answer, read.whole(data))
        redactor.push(answer.text)
        return { ...answer, text: answer.finish === 'length' ? redactor.cut() : redactor.whole() }
      }
      let length = 0
      for await (const { data } of bodyEvents<Data & Fault>(response.body, signal)) {
        if (data === undefined || data === null) continue
        answer.text = ''
        const fault = data.error ?? read.event(data, answer)?.error
        if (fault !== undefined && fault !== null) {
          const shown = redact(keys, faultText(fault)).slice(0, MAX_ERROR_LENGTH)
          throw failed(`the endpoint failed amid its answer: ${shown}`, { reply: redactor.cut() })
        }
        redactor.push(answer.text)
        onText?.(redactor.text)
        length += answer.text.length
        if (length > MAX_REPLY_LENGTH) return { ...answer, text: redactor.cut(), finish: 'length' }
      }
      const isWhole = answer.finish !== '' && answer.finish !== 'length'
      const text = isWhole ? redactor.whole() : redactor.cut()
      if (text.length > redactor.text.length) onText?.(text)
      return { ...answer, text }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof GenerateError) throw error
      if (error instanceof NotJsonError) throw failed(error.message)
      throw failed(`the answer of the endpoint cannot be read: ${networkErrorText(error as Fields)}`, { reply: redactor.cut() })
    }
  }
}
