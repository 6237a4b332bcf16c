// A `fetch` that passes requests on and tells a recorder of them. Nothing that goes wrong with the recording reaches
// the caller.
import { misuse } from '../api/misuse.js'
import { Bodies, Story, routeOf, secretsOf, watchBody, watchStream } from '../wire/index.js'

/** The body that a text says; undefined where it is no JSON object. */
const bodyOf = (bodies, text, { list }) => {
  try {
    return bodies.read(text, list)
  } catch {
    return undefined
  }
}

const readable = (body, watch, signal) => {
  const reader = body.getReader()
  const quietly = (work) => {
    try {
      work()
    } catch {
      // The recorder has told of it, or the answer has a form that is not known.
    }
  }
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) {
          quietly(() => watch.end())
          controller.close()
        } else {
          quietly(() => watch.push(value))
          controller.enqueue(value)
        }
      } catch (error) {
        quietly(() => (signal?.aborted ? watch.stop(signal.reason) : watch.cut(error)))
        controller.error(error)
      }
    },
    cancel: (reason) => {
      quietly(() => watch.stop(reason))
      return reader.cancel(reason)
    },
  }, { highWaterMark: 0 })
}

/** What is told of a call; undefined where it cannot be. */
const begun = (story, protocol, body, asked) => {
  try {
    return story.begin(protocol, body, secretsOf(asked))
  } catch (error) {
    story.problem(`a request is not recorded: ${error?.message ?? error}`)
    return undefined
  }
}

/** A `fetch` that records what passes through it. */
export const recordFetch = (recorder, options = {}) => {
  if (typeof recorder?.modelCalled !== 'function') throw misuse('recordFetch() takes a recorder, which createRecorder() makes')
  const odd = Object.keys(options).find((name) => name !== 'fetch' && name !== 'timing')
  if (odd !== undefined) throw misuse(`recordFetch() has no option \`${odd}\`; there are: fetch, timing`)
  const { fetch: inner = globalThis.fetch, timing = false } = options
  if (typeof inner !== 'function') throw misuse('the option `fetch` of recordFetch() is a function')
  const story = new Story(recorder)
  const bodies = new Bodies()
  return async (input, init) => {
    let asked
    try {
      asked = new Request(input, init)
    } catch {
      // Whoever carries it says what is wrong with it.
      return inner(input, init)
    }
    // What was read of a request with a body of its own cannot be read again.
    const send = async () => (input instanceof Request ? inner(asked) : inner(input, init))
    const { protocol } = routeOf(new URL(asked.url).pathname)
    const body = protocol === undefined || asked.method !== 'POST' ? undefined : bodyOf(bodies, await asked.clone().text().catch(() => ''), protocol)
    const call = body === undefined ? undefined : begun(story, protocol, body, asked)
    if (call === undefined) return send()
    const signal = init?.signal ?? undefined
    const begin = performance.now()
    const lost = (error) => {
      call.failed({ type: signal?.aborted ? 'aborted' : 'connection_error', message: String(error?.message ?? error) })
      throw error
    }
    const response = await send().catch(lost)
    const { status, statusText, headers } = response
    const told = { status, statusText, headers }
    const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '') && response.body !== null
    if (isStream) {
      const now = timing ? () => Math.round(performance.now() - begin) : undefined
      return new Response(readable(response.body, watchStream(protocol, call, now), signal), told)
    }
    const text = await response.text().catch(lost)
    try {
      watchBody(protocol, call, status, text)
    } catch (error) {
      story.problem(`an answer is not recorded: ${error?.message ?? error}`)
    }
    return new Response([204, 205, 304].includes(status) ? null : text, told)
  }
}
