// A `fetch` that answers from recordings or mocks. Structural: nothing of the core is imported, and nothing of Node.
import { misuse } from '../api/misuse.js'
import { Room, isMock, isTape, paced, respond, timingOf } from '../wire/index.js'

const checkSource = (source, name) => {
  if (isTape(source) || isMock(source)) return source
  const where = name === undefined ? 'replayFetch() takes' : `\`${name}\` of replayFetch() is`
  const help = typeof source?.then === 'function' ? '; replay() gives a promise, which has to be awaited' : ''
  throw misuse(`${where} a tape, which replay() makes, or a mock, which mock() makes${help}`)
}

const isMap = (source) => {
  if (source instanceof Map) return true
  if (typeof source !== 'object' || source === null || typeof source.then === 'function') return false
  return !isTape(source) && !isMock(source) && Object.keys(source).length > 0
}

/** The rooms by name; one alone has the name ''. */
const roomsOf = (source) => {
  if (!isMap(source)) return new Map([['', new Room(checkSource(source))]])
  const entries = source instanceof Map ? [...source] : Object.entries(source)
  return new Map(entries.map(([name, one]) => [name, new Room(checkSource(one, name))]))
}

const modelOf = (name, { source }) => {
  const model = isMock(source) ? undefined : source.expectedConfig?.model
  return typeof model === 'string' ? model : name || 'recorded'
}

/** What is asked; a body that is a text, as clients send it, is not copied. */
const readRequest = async (input, init) => {
  const isText = typeof init?.body === 'string' && !(input instanceof Request)
  const asked = new Request(input, isText ? { ...init, body: '', signal: undefined } : init)
  const { method, headers, url } = asked
  const text = isText ? init.body : method === 'GET' || method === 'HEAD' ? '' : await asked.text()
  return { method, headers, url, text }
}

const streamOf = (events, timing, signal) => {
  const texts = paced(events, timing, signal)
  const encoder = new TextEncoder()
  let give
  const onAbort = () => give?.error(signal.reason)
  return new ReadableStream({
    start: (controller) => {
      give = controller
      signal?.addEventListener('abort', onAbort, { once: true })
    },
    pull: async (controller) => {
      const { done, value } = await texts.next().catch((error) => {
        if (!signal?.aborted) throw error
        return { aborted: true }
      })
      if (signal?.aborted) return
      if (!done) return controller.enqueue(encoder.encode(value))
      signal?.removeEventListener('abort', onAbort)
      controller.close()
    },
    cancel: () => {
      signal?.removeEventListener('abort', onAbort)
      return texts.return()
    },
  })
}

/** A `fetch` that answers as the models of a recording did, or as a mock does. */
export const replayFetch = (source, options = {}) => {
  const rooms = roomsOf(source)
  const odd = Object.keys(options).find((name) => name !== 'timing')
  if (odd !== undefined) throw misuse(`replayFetch() has no option \`${odd}\`; there is: timing`)
  const timing = timingOf('replayFetch', options.timing)
  const find = (prefix, headers) => {
    if (rooms.has('')) return { room: rooms.get('') }
    const name = headers.get('x-transcript') ?? prefix
    const room = rooms.get(name)
    if (room !== undefined) return { room }
    const names = [...rooms.keys()].join(', ')
    return { wrong: `there is no transcript \`${name}\`; there are: ${names}; the header \`x-transcript\`, or the path before \`/v1\`, names one` }
  }
  const modelNames = () => [...new Set([...rooms].map(([name, room]) => modelOf(name, room)))]
  const replayed = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined) ?? undefined
    signal?.throwIfAborted()
    const { method, headers, url, text } = await readRequest(input, init)
    const path = new URL(url).pathname
    const { status, headers: told, text: body, events } = await respond({ method, path, headers, text, signal }, { find, modelNames })
    signal?.throwIfAborted()
    return new Response(events === undefined ? body : streamOf(events, timing, signal), { status, headers: told })
  }
  return Object.defineProperties(replayed, {
    lastDivergence: { get: () => [...rooms.values()].map(({ lastError }) => lastError).find((error) => error !== undefined) },
    assertComplete: {
      value: () => {
        for (const { lastError, source: one } of rooms.values()) {
          if (lastError !== undefined) throw lastError
          one.assertComplete?.()
        }
      },
    },
  })
}
