// The response to a request, over any transport.
import { misuse } from '../api/misuse.ts'
import { jsonText } from '../api/request.ts'
import type { StreamEvent, WriteExchange } from '../api/write-exchange.ts'
import { FRAMES } from './event-stream.ts'
import type { Protocol, RequestBody } from './protocols.ts'
import type { FailedAnswer, ReplaySession } from './replay-session.ts'
import { PATHS, errorProtocol, routeOf } from './route.ts'
import { eventText } from './sse.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const STREAM_TYPE = 'text/event-stream; charset=utf-8'

/** A request to a server or to a `fetch` that answers. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: Headers
  text: string
  signal?: AbortSignal | undefined
}

/** The response: a string, or the events of a stream. */
export interface SentResponse {
  status: number
  headers: { [name: string]: string }
  text?: string
  events?: StreamEvent[] | undefined
  /** Writes an event, if it is not a server-sent event. */
  writeEvent?: NonNullable<Protocol['stream']>['write'] | undefined
}

/** The answering sessions: `wrong` is why there is none. */
export interface SessionLookup {
  find(prefix: string, headers: Headers): FoundSession | Promise<FoundSession>
  modelNames(prefix: string, headers: Headers): string[]
  write: WriteExchange
}

/** The session for a request, or why there is none. */
export type FoundSession = { replaySession: ReplaySession; wrong?: undefined } | { replaySession?: undefined; wrong: string }

/** How the pieces of a stream come. */
export type StreamTiming = 'recorded' | number

const protocolError = (
  write: WriteExchange,
  protocol: Protocol,
  { status, error, isRetried = false }: Omit<FailedAnswer, 'isRetried'> & { isRetried?: boolean },
): SentResponse => {
  // Bedrock has the type of an error in a header.
  const { __type: type, ...body } = write('error', protocol.errorFormat ?? protocol.format, error) as { __type?: string }
  return {
    status,
    headers: {
      'content-type': JSON_TYPE,
      // Clients wait before they retry; a replay has no reason to.
      ...(isRetried ? { 'retry-after-ms': '1' } : {}),
      'x-should-retry': String(isRetried),
      ...(type === undefined ? {} : { 'x-amzn-errortype': type }),
    },
    text: JSON.stringify(body),
  }
}

/** An error in the form that clients of `path` read; `write` writes what vendors send. */
export const requestError = (write: WriteExchange, path: string, headers: Headers, status: number, message: string, code: string) =>
  protocolError(write, errorProtocol(path, headers), { status, error: { status, type: 'invalid_request_error', message, code } })

/** The models that there are, in a form that clients of every vendor read. */
const modelList = (names: readonly string[]): SentResponse => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE },
  text: JSON.stringify({
    object: 'list',
    data: names.map((id) => ({
      id,
      object: 'model',
      type: 'model',
      created: 0,
      created_at: '1970-01-01T00:00:00Z',
      display_name: id,
      owned_by: 'transcript-workbench',
    })),
    models: names.map((name) => ({ name: `models/${name}`, displayName: name, supportedGenerationMethods: ['generateContent'] })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
})

/**
 * Answers `{method, path, headers, text, signal}` as `{status, headers, text}` or, for a stream, `{status, headers, events}`.
 * `find` returns `{replaySession}` for a prefix and headers, or `{wrong}`; `modelNames` the models for the same; `write` writes
 * what vendors send.
 */
export const respond = async (
  { method, path, headers, text, signal }: ReceivedRequest,
  { find, modelNames, write }: SessionLookup,
): Promise<SentResponse> => {
  const refuse = (status: number, message: string, code: string) => requestError(write, path, headers, status, message, code)
  const modelsPath = /^(.*?)(?:\/v1(?:beta\d*)?)?\/models$/.exec(path.replace(/\/+$/, ''))
  if (method === 'GET' && modelsPath !== null) return modelList(modelNames(modelsPath[1]!.replace(/^\/+/, ''), headers))
  const { protocol, prefix, fields } = routeOf(path, headers)
  if (protocol === undefined) return refuse(404, `nothing answers \`${method} ${path}\` here; there are: ${PATHS}`, 'unknown_path')
  if (method !== 'POST') return refuse(405, `\`${path}\` answers POST, but was asked with ${method}`, 'unknown_method')
  const found = await find(prefix, headers)
  if (found.wrong !== undefined) return refuse(404, found.wrong, 'unknown_transcript')
  let body: RequestBody
  try {
    body = { ...protocol.defaults, ...found.replaySession.read(protocol, text), ...fields }
  } catch (error) {
    return refuse(400, `the body of the request is no JSON object: ${(error as Error).message}`, 'unreadable_request')
  }
  if (protocol.requiredField !== undefined && !(protocol.requiredField in body)) {
    return refuse(404, `the body has no \`${protocol.requiredField}\`: this API is not supported`, 'unknown_model')
  }
  const answered = await found.replaySession.answer(protocol, body, signal)
  if (answered.error !== undefined) return protocolError(write, protocol, answered)
  const id = `req_${answered.step}`
  const head = { 'request-id': id, 'x-request-id': id, ...(protocol.stream?.type === FRAMES ? { 'x-amzn-requestid': id } : {}) }
  if (answered.events === undefined) {
    return { status: 200, headers: { ...head, 'content-type': JSON_TYPE }, text: jsonText(answered.body) }
  }
  const { type = STREAM_TYPE, write: writeEvent } = protocol.stream ?? {}
  return { status: 200, headers: { ...head, 'content-type': type, 'cache-control': 'no-cache' }, events: answered.events, writeEvent }
}

/** Waits, or until the signal aborts. */
const wait = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((done) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    signal?.addEventListener('abort', end)
  })

/**
 * The texts of events, or their bytes, one after the other. Without `timing` they come at once; with `recorded` as they were recorded;
 * with a number, that many milliseconds apart.
 */
export const pacedEvents = async function* (
  { events = [], writeEvent = eventText }: Pick<SentResponse, 'events' | 'writeEvent'>,
  timing?: StreamTiming,
  signal?: AbortSignal,
) {
  const begin = performance.now()
  let isFirst = true
  for (const event of events) {
    if (typeof timing === 'number' && !isFirst) await wait(timing, signal)
    const due = timing === 'recorded' && event.at !== undefined ? event.at - (performance.now() - begin) : 0
    if (due > 0) await wait(due, signal)
    signal?.throwIfAborted()
    // The connection broke off here.
    if (event.cut !== undefined) throw new TypeError(event.cut)
    isFirst = false
    yield writeEvent(event)
  }
}

/** Checks the option `timing` of a call. */
export const checkTiming = (call: string, timing: unknown): StreamTiming | undefined => {
  if (timing === undefined || timing === 'recorded' || (typeof timing === 'number' && timing >= 0)) return timing
  throw misuse(`the option \`timing\` of ${call}() is \`recorded\`, or a number of milliseconds`)
}
