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
export const watchBody = (protocol, call, status, text) => {
  if (status >= 400) return call.failed(readError(status, text))
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return call.failed({ type: 'unreadable', message: 'the body of the answer is no JSON', status })
  }
  if (body?.status === 'failed' && body.error) return call.failed({ type: body.error.code ?? 'api_error', message: String(body.error.message) })
  let answer
  try {
    answer = protocol.isAnswer(body) ? protocol.readAnswer(body) : undefined
  } catch {
    // Reported below.
  }
  if (answer === undefined) {
    call.reportProblem('has a form that is not known, and is recorded as a failure')
    return call.failed({ type: 'unreadable', message: 'the body of the answer has a form that is not known', status })
  }
  for (const message of protocol.unrecordedParts?.(body) ?? []) call.reportProblem(message)
  return call.answered(answer)
}

/**
 * Records a stream: `push` takes its bytes, `end` its end, `cut` a broken connection, `stop` that the caller stopped reading.
 * `now` returns the milliseconds since the start, for the times of chunks.
 */
export const watchStream = (protocol, call, now) => {
  const events = eventReader()
  const reader = protocol.createReader()
  const readEvents = (found) => {
    for (const event of found) {
      for (const delta of reader.take(event)) call.chunk(now === undefined ? delta : { ...delta, at_ms: now() })
      if (event.data?.error && event.data.type !== 'error') failure = event.data.error
    }
  }
  let failure
  const close = (error, otherwise = call.failed) => {
    const streamError = reader.failure?.() ?? failure
    if (streamError) call.failed({ type: streamError.type ?? streamError.code ?? 'api_error', message: String(streamError.message ?? 'the stream failed') })
    else if (reader.isDone()) {
      for (const message of reader.unrecordedParts?.() ?? []) call.reportProblem(message)
      call.answered(reader.end())
    }
    else otherwise(error)
  }
  return {
    push: (bytes) => readEvents(events.push(bytes)),
    end: () => {
      readEvents(events.end())
      close({ type: 'incomplete', message: 'the stream ended before the answer did' })
    },
    cut: (error) => close({ type: 'connection_error', message: `the stream was cut off: ${error?.cause?.message ?? error?.message ?? error}` }),
    stop: (reason) => close({ type: 'aborted', message: `the stream was given up: ${reason?.message ?? reason ?? 'no reason was given'}` }, call.abandoned),
  }
}
