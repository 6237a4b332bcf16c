// Observes an answer on its way to the caller, and records it. The caller gets it unchanged.
import { eventReader } from './sse.js'

const readError = (status, text) => {
  let found
  try {
    found = JSON.parse(text)
  } catch {
    return { type: 'api_error', message: text.slice(0, 2000), status }
  }
  const error = found?.error ?? found
  return { type: error?.type ?? 'api_error', message: String(error?.message ?? text.slice(0, 2000)), status }
}

/** Records a whole body. */
export const watchBody = (call, status, text) => {
  if (status >= 400) return call.failed(readError(status, text))
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return call.failed({ type: 'unreadable', message: 'the body of the answer is no JSON', status })
  }
  const { answer, failure, unrecorded } = call.read('response', body)
  if (failure !== null) return call.failed(failure)
  if (answer === null) {
    call.reportProblem('has a form that is not known, and is recorded as a failure')
    return call.failed({ type: 'unreadable', message: 'the body of the answer has a form that is not known', status })
  }
  for (const message of unrecorded) call.reportProblem(message)
  return call.answered(answer)
}

/**
 * Records a stream: `push` takes its bytes, `end` its end, `cut` a broken connection, `stop` that the caller stopped reading.
 * `now` returns the milliseconds since the start, for the times of chunks.
 */
export const watchStream = (call, now) => {
  const reader = eventReader()
  const events = []
  const times = []
  const keep = (found) => {
    for (const { data } of found) {
      if (typeof data !== 'object' || data === null) continue
      events.push(data)
      times.push(now?.())
    }
  }
  const close = (error, otherwise = call.failed) => {
    const { answer, chunks, failure, is_done: isDone, unrecorded } = call.read('stream', events)
    for (const [at, chunk] of chunks) call.chunk(now === undefined ? chunk : { ...chunk, at_ms: times[at] })
    if (failure !== null) return call.failed(failure)
    if (!isDone) return otherwise(error)
    for (const message of unrecorded) call.reportProblem(message)
    return call.answered(answer)
  }
  return {
    push: (bytes) => keep(reader.push(bytes)),
    end: () => {
      keep(reader.end())
      close({ type: 'incomplete', message: 'the stream ended before the answer did' })
    },
    cut: (error) =>
      close({ type: 'connection_error', message: `the stream was cut off: ${error?.cause?.message ?? error?.message ?? error}` }),
    stop: (reason) =>
      close({ type: 'aborted', message: `the stream was given up: ${reason?.message ?? reason ?? 'no reason was given'}` }, call.abandoned),
  }
}
