// Observes an answer on its way to the caller, and records it. The caller gets it unchanged.
import { parseJson } from '../adapters/content.ts'
import { parseExact } from '../api/exact-json.ts'
import type { Fields } from '../api/fields.ts'
import type { CallFailure } from '../api/read-exchange.ts'
import type { ExchangeCall } from './exchange-recorder.ts'
import { FRAMES, frameReader } from './event-stream.ts'
import { NDJSON } from './protocols.ts'
import { eventReader, lineEventReader, type ReadEvent } from './sse.ts'

/** The most characters of an error that are recorded. */
const MAX_ERROR_LENGTH = 2000

const readError = (call: ExchangeCall, status: number, text: string, type: string | undefined): CallFailure => {
  let error: CallFailure
  try {
    error = call.read('error', parseExact(text))
  } catch {
    error = { type: 'api_error', message: text }
  }
  return { ...error, ...(type === undefined ? {} : { type }), message: error.message.slice(0, MAX_ERROR_LENGTH), status }
}

/** Whether an event is the last one: it reports a failure, or the end of an answer of Ollama. Some clients stop reading there. */
const isLast = ({ data }: ReadEvent) =>
  (data as Fields)?.done === true || Object.keys(((data as Fields)?.error as object | null | undefined) ?? {}).length > 0

/** Reads an answer; one that the core refuses, such as data that is nested too deep, is recorded as a failure. */
const readAnswer = <Operation extends 'response' | 'stream'>(
  call: ExchangeCall,
  operation: Operation,
  data: unknown,
  about: { status?: number; message?: string },
) => {
  try {
    return call.read(operation, data)
  } catch (error) {
    const { message } = error as Error
    call.reportProblem(`cannot be read, and is recorded as a failure: ${message}`)
    const reason = about.message === undefined ? '' : `; ${about.message}`
    call.failed({ ...about, type: 'unreadable', message: `the answer cannot be read: ${message}${reason}` })
    return undefined
  }
}

/** Records a whole body. `errorType` is the type of an error that a header has. */
export const watchBody = (call: ExchangeCall, status: number, text: string, errorType?: string) => {
  if (status >= 400) return call.failed(readError(call, status, text, errorType))
  let body: unknown
  try {
    body = parseExact(text)
  } catch {
    return call.failed({ type: 'unreadable', message: 'the body of the answer is no JSON', status })
  }
  const read = readAnswer(call, 'response', body, { status })
  if (read === undefined) return undefined
  const { answer, failure, unrecorded } = read
  if (failure !== null) return call.failed(failure)
  if (answer === null) {
    call.reportProblem('has a form that is not known, and is recorded as a failure')
    return call.failed({ type: 'unreadable', message: 'the body of the answer has a form that is not known', status })
  }
  for (const message of unrecorded) call.reportProblem(message)
  return call.answered(answer)
}

/** The readers of streams by their media types. */
const READERS = { 'text/event-stream': eventReader, [NDJSON]: lineEventReader, [FRAMES]: frameReader }

const readerOf = (headers: Headers) => {
  const type = /^[\w.+/-]*/.exec(headers.get('content-type') ?? '')![0].toLowerCase()
  return Object.hasOwn(READERS, type) ? READERS[type as keyof typeof READERS] : undefined
}

/** Whether a response with these headers is a stream. */
export const isStream = (headers: Headers) => readerOf(headers) !== undefined

/**
 * Records a stream with these headers: `push` takes its bytes, `end` its end, `cut` a broken connection, `stop` that the caller stopped reading.
 * `now` returns the milliseconds since the start, for the times of chunks.
 */
export const watchStream = (call: ExchangeCall, headers: Headers, now?: () => number) => {
  const reader = readerOf(headers)!((text) => parseJson<string | null>(text, null))
  const events: object[] = []
  const times: (number | undefined)[] = []
  const keep = (found: readonly ReadEvent[]) => {
    for (const { data } of found) {
      if (typeof data !== 'object' || data === null) continue
      events.push(data)
      times.push(now?.())
    }
  }
  const close = (error: CallFailure, otherwise = call.failed) => {
    const read = readAnswer(call, 'stream', events, { message: error.message })
    if (read === undefined) return undefined
    const { answer, chunks, failure, is_done: isDone, unrecorded } = read
    for (const [at, chunk] of chunks) call.chunk(now === undefined ? chunk : { ...chunk, at_ms: times[at] })
    if (failure !== null) return call.failed(failure)
    if (!isDone) return otherwise(error)
    for (const message of unrecorded) call.reportProblem(message)
    return call.answered(answer)
  }
  const end = () => close({ type: 'incomplete', message: 'the stream ended before the answer did' })
  return {
    push: (bytes: Uint8Array) => {
      const found = reader.push(bytes)
      keep(found)
      if (found.some(isLast)) end()
    },
    end: () => {
      keep(reader.end())
      end()
    },
    cut: (error: Fields) =>
      close({
        type: 'connection_error',
        message: `the stream was cut off: ${(error?.cause as Fields)?.message ?? error?.message ?? error}`,
      }),
    stop: (reason: Fields) =>
      close({ type: 'aborted', message: `the stream was aborted: ${reason?.message ?? reason ?? 'no reason'}` }, call.abandoned),
  }
}
