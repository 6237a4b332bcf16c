// Requests to an endpoint: whole or streamed answers, retries, and responses and errors without the caller's key.
import { raceAbort } from '../../api/abort.ts'
import type { Fields } from '../../api/fields.ts'
import { redactSecrets, secretsOf } from '../../wire/secrets.ts'
import { type ReadEvent, eventReader } from '../../wire/sse.ts'
import type { ExchangeAnswer, ReadResults } from '../../api/read-exchange.ts'
import type { ResponseFinish } from '../../types/index.ts'
import type { WireProtocol } from '../../types/generated/index.ts'
import { GenerateError, type GenerateFailure } from '../generate-error.ts'
import { createRedactor } from './redact-stream.ts'
import { type ReadModelResponse, type ModelRequest, responseFinish } from './request.ts'
import { withoutHalves } from './surrogates.ts'

/** Statuses of an endpoint that may answer later. */
const RETRY_STATUSES = [408, 429, 500, 502, 503, 504, 529]
/** The longest wait between two tries, in milliseconds. */
const MAX_WAIT = 30_000
/** The maximum length of an error text. */
const MAX_ERROR_LENGTH = 500
/** The most bytes of an error that are read. */
const MAX_ERROR_BYTES = 64 << 10
/** The most characters of a response. What is longer than any transcript is cut off. */
const MAX_RESPONSE_LENGTH = 4_000_000

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

/** Why a platform could not send a request. */
const networkErrorText = (error: Fields) =>
  [error?.message ?? error, (error?.cause as Fields)?.code ?? (error?.cause as Fields)?.message].filter(Boolean).join(': ')

/** The events of a body as they come: those of one piece together, only data that is an object. */
async function* bodyEvents(body: ReadableStream<Uint8Array>, signal: Signal): AsyncGenerator<object[], void> {
  const events = eventReader()
  const reader = body.getReader()
  const objectsOf = (found: readonly ReadEvent[]) =>
    found.map(({ data }) => data).filter((data) => typeof data === 'object' && data !== null)
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), signal)
      const found = objectsOf(done ? events.end() : events.push(value))
      if (found.length > 0) yield found
      if (done) return
    }
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
    if (text.length > MAX_RESPONSE_LENGTH) throw new RangeError(`it is longer than ${MAX_RESPONSE_LENGTH} characters`)
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

/** What is wrong with a body that is no answer of its protocol. */
const NO_ANSWER = { 'openai-chat': '`choices` has no message', anthropic: '`content` has no blocks' } as const

/** The protocols of the endpoints. */
type EndpointProtocol = WireProtocol & keyof typeof NO_ANSWER

/** Reads a response with the core, which may run elsewhere. */
export type ReadExchangePart = <Operation extends 'response' | 'stream' | 'error'>(
  operation: Operation,
  format: string,
  data: unknown,
) => ReadResults[Operation] | Promise<ReadResults[Operation]>

/** The response of a whole answer. A refusal is text too, and ends the answer. */
const responseOf = ({ content, refusal, finish_reason: reason, usage }: ExchangeAnswer): ReadModelResponse => ({
  text: content + (refusal ?? ''),
  finish: refusal ? 'refusal' : responseFinish(reason),
  usage,
})

/** The message of an error response, which may be no JSON. */
const errorMessage = async (text: string, protocol: EndpointProtocol, readExchange: ReadExchangePart) => {
  try {
    return (await readExchange('error', protocol, JSON.parse(text))).message
  } catch {
    return text
  }
}

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
  protocol: EndpointProtocol
  readExchange: ReadExchangePart
}

/** Sends `body`, and returns the response: a JSON body or a stream of events, as the core reads its protocol. */
export const requestModel = async ({
  url,
  headers,
  apiKey,
  body,
  retries,
  signal,
  onText,
  onWait,
  fetch: send = globalThis.fetch,
  adjustBody,
  protocol,
  readExchange,
}: EndpointRequest): Promise<ReadModelResponse> => {
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
      const shown = redact(keys, await errorMessage(text, protocol, readExchange)).slice(0, MAX_ERROR_LENGTH)
      const rest = isCut ? ` (only the first ${MAX_ERROR_BYTES >> 10} KiB of it were read)` : ''
      throw failed(`the endpoint answered ${response.status}${shown === '' ? '' : `: ${shown}`}${rest}`, { httpStatus: response.status })
    }
    const streamed = createRedactor(keys)
    const isStream = /event-stream/i.test(response.headers.get('content-type') ?? '')
    try {
      if (!isStream || response.body === null) {
        const data = await readJson(response, signal)
        const excerpt = () => redact(keys, JSON.stringify(data)).slice(0, MAX_ERROR_LENGTH)
        if (typeof data !== 'object' || data === null) throw failed(`the answer of the endpoint is no object of JSON: ${excerpt()}`)
        const { data: readable, decode } = withoutHalves(data)
        const { answer, failure } = await readExchange('response', protocol, readable)
        if (failure !== null) throw failed(`the endpoint did not answer: ${redact(keys, failure.message).slice(0, MAX_ERROR_LENGTH)}`)
        if (answer === null) throw failed(`the endpoint did not answer: ${NO_ANSWER[protocol]}: ${excerpt()}`)
        const read = responseOf(answer)
        streamed.push(decode(read.text))
        return { ...read, text: read.finish === 'length' ? streamed.cut() : streamed.whole() }
      }
      let length = 0
      let finish: ResponseFinish = ''
      let usage: object | undefined
      for await (const events of bodyEvents(response.body, signal)) {
        const { data, decode } = withoutHalves(events)
        const { answer, chunks, failure } = await readExchange('stream', protocol, data)
        const text = decode(chunks.map(([, chunk]) => chunk.text ?? chunk.refusal ?? '').join(''))
        streamed.push(text)
        if (failure !== null) {
          const shown = redact(keys, failure.message).slice(0, MAX_ERROR_LENGTH)
          throw failed(`the endpoint failed amid its answer: ${shown}`, { response: streamed.cut() })
        }
        onText?.(streamed.text)
        // Anthropic counts the tokens of the request at the start, and those of the answer at the end.
        if (answer.usage) usage = { ...usage, ...answer.usage }
        if (answer.refusal) finish = 'refusal'
        else if (answer.finish_reason && finish !== 'refusal') finish = responseFinish(answer.finish_reason)
        length += text.length
        if (length > MAX_RESPONSE_LENGTH) return { text: streamed.cut(), finish: 'length', usage }
      }
      const shown = streamed.text.length
      const text = finish !== '' && finish !== 'length' ? streamed.whole() : streamed.cut()
      if (text.length > shown) onText?.(text)
      return { text, finish, usage }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof GenerateError) throw error
      if (error instanceof NotJsonError) throw failed(error.message)
      throw failed(`the answer of the endpoint cannot be read: ${networkErrorText(error as Fields)}`, { response: streamed.cut() })
    }
  }
}
