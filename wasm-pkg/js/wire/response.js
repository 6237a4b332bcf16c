// What is sent back for a request, whoever carries it.
import { misuse } from '../api/misuse.js'
import { PATHS, errorProtocol, routeOf } from './route.js'
import { eventText } from './sse.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const STREAM_TYPE = 'text/event-stream; charset=utf-8'

const protocolError = (write, protocol, { status, error, isRetried = false }) => ({
  status,
  headers: {
    'content-type': JSON_TYPE,
    // Clients wait before they retry; a replay has no reason to.
    ...(isRetried ? { 'retry-after-ms': '1' } : {}),
    'x-should-retry': String(isRetried),
  },
  text: JSON.stringify(write('error', protocol.format, error)),
})

/** An error in the form that clients of `path` read; `write` writes what vendors send. */
export const requestError = (write, path, headers, status, message, code) =>
  protocolError(write, errorProtocol(path, headers), { status, error: { status, type: 'invalid_request_error', message, code } })

/** The models that there are, in a form that clients of either vendor read. */
const modelList = (names) => ({
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
export const respond = async ({ method, path, headers, text, signal }, { find, modelNames, write }) => {
  const refuse = (status, message, code) => requestError(write, path, headers, status, message, code)
  const modelsPath = /^(.*?)(?:\/v1)?\/models$/.exec(path.replace(/\/+$/, ''))
  if (method === 'GET' && modelsPath !== null) return modelList(modelNames(modelsPath[1].replace(/^\/+/, ''), headers))
  const { protocol, prefix } = routeOf(path)
  if (protocol === undefined) return refuse(404, `nothing answers \`${method} ${path}\` here; there are: ${PATHS}`, 'unknown_path')
  if (method !== 'POST') return refuse(405, `\`${path}\` answers POST, but was asked with ${method}`, 'unknown_method')
  const found = await find(prefix, headers)
  if (found.wrong !== undefined) return refuse(404, found.wrong, 'unknown_transcript')
  let body
  try {
    body = found.replaySession.read(protocol, text)
  } catch (error) {
    return refuse(400, `the body of the request is no JSON object: ${error.message}`, 'unreadable_request')
  }
  const answered = await found.replaySession.answer(protocol, body, signal)
  if (answered.error !== undefined) return protocolError(write, protocol, answered)
  const id = `req_${answered.step}`
  const head = { 'request-id': id, 'x-request-id': id }
  if (answered.events === undefined) {
    return { status: 200, headers: { ...head, 'content-type': JSON_TYPE }, text: JSON.stringify(answered.body) }
  }
  return { status: 200, headers: { ...head, 'content-type': STREAM_TYPE, 'cache-control': 'no-cache' }, events: answered.events }
}

/** Waits, or less long where the signal gives up. */
const wait = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    signal?.addEventListener('abort', end)
  })

/**
 * The texts of events, one after the other. Without `timing` they come at once; with `recorded` as they were recorded; with a
 * number, that many milliseconds apart.
 */
export const pacedEvents = async function* (events, timing, signal) {
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
    yield eventText(event)
  }
}

/** Checks the option `timing` of a call. */
export const checkTiming = (call, timing) => {
  if (timing === undefined || timing === 'recorded' || (typeof timing === 'number' && timing >= 0)) return timing
  throw misuse(`the option \`timing\` of ${call}() is \`recorded\`, or a number of milliseconds`)
}
