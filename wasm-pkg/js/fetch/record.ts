// A `fetch` that passes requests on and records them. Errors in the recording do not reach the caller.
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { Recorder } from '../types/index.ts'
import type { ExchangeObserver } from '../wire/exchange-recorder.ts'
import type { Protocol, RequestBody } from '../wire/protocols.ts'
import { RequestBodies, ExchangeRecorder, isStream, routeOf, secretsOf, watchBody, watchStream } from '../wire/index.ts'

/** The parsed body with the fields of its path; undefined if it is no JSON object, or of another API. */
const bodyOf = (bodies: RequestBodies, text: string, protocol: Protocol, fields: RequestBody) => {
  const { messagesKey, defaults, requiredField } = protocol
  try {
    const body = bodies.read(text, messagesKey)
    return requiredField === undefined || requiredField in body ? { ...defaults, ...body, ...fields } : undefined
  } catch {
    return undefined
  }
}

const readable = (body: ReadableStream<Uint8Array>, watch: ReturnType<typeof watchStream>, signal: AbortSignal | undefined) => {
  const reader = body.getReader()
  const quietly = (work: () => void) => {
    try {
      work()
    } catch {
      // The recorder has reported it, or the form of the answer is not known.
    }
  }
  return new ReadableStream<Uint8Array>(
    {
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
          quietly(() => (signal?.aborted ? watch.stop(signal.reason) : watch.cut(error as Fields)))
          controller.error(error)
        }
      },
      cancel: (reason) => {
        quietly(() => watch.stop(reason))
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Starts to record a call; undefined if that fails. */
const beginCall = (exchanges: ExchangeRecorder, protocol: Protocol, body: RequestBody, request: Request) => {
  try {
    return exchanges.beginCall(protocol, body, secretsOf(request))
  } catch (error) {
    exchanges.reportProblem(`a request is not recorded: ${(error as Fields)?.message ?? error}`)
    return undefined
  }
}

/**
 * A `fetch` that passes requests on and reports them and their answers to a recorder, streams piece by piece. It reports
 * only calls of models. Keys, tokens and cookies in headers and addresses are not recorded, and are blanked where
 * a request or an answer repeats them. Failures of the recording do not reach the caller: what cannot be
 * recorded is in the `problems` of the recorder.
 *
 * @param options.fetch Sends the requests. Default: the global `fetch`.
 * @param options.timing Whether to report the times of stream chunks. To keep them, set `chunks: true` on the
 * recorder.
 * @returns A function with the parameters of the global `fetch`.
 * @throws {TypeError} when `recorder` is no recorder.
 * @example
 * const recorder = createRecorder({ name: 'weather', chunks: true })
 * const client = new OpenAI({ fetch: recordFetch(recorder) })
 * await runAgent(client)
 * await recorder.save('run.yaml')
 */
export const recordFetch = (
  recorder: Recorder,
  options: { fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>; timing?: boolean } = {},
): ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) => {
  if (typeof (recorder as Recorder | undefined)?.modelCalled !== 'function')
    throw misuse('recordFetch() takes a recorder, which createRecorder() makes')
  const unknown = Object.keys(options).find((name) => name !== 'fetch' && name !== 'timing')
  if (unknown !== undefined) throw misuse(`recordFetch() has no option \`${unknown}\`; there are: fetch, timing`)
  const { fetch: passOn = globalThis.fetch, timing = false } = options
  if (typeof passOn !== 'function') throw misuse('the option `fetch` of recordFetch() is a function')
  // Every recorder of the package is one.
  const exchanges = new ExchangeRecorder(recorder as ExchangeObserver)
  const bodies = new RequestBodies()
  return async (input, init) => {
    let request: Request
    try {
      request = new Request(input, init)
    } catch {
      // Its transport reports the problem.
      return passOn(input, init)
    }
    // What was read of a request with a body of its own cannot be read again.
    const send = async () => (input instanceof Request ? passOn(request) : passOn(input, init))
    const { protocol, fields } = routeOf(new URL(request.url).pathname, request.headers)
    const body =
      protocol === undefined || request.method !== 'POST'
        ? undefined
        : bodyOf(
            bodies,
            await request
              .clone()
              .text()
              .catch(() => ''),
            protocol,
            fields,
          )
    const call = body === undefined ? undefined : beginCall(exchanges, protocol!, body, request)
    if (call === undefined) return send()
    const signal = init?.signal ?? undefined
    const begin = performance.now()
    const lost = (error: unknown): never => {
      call.failed({ type: signal?.aborted ? 'aborted' : 'connection_error', message: String((error as Fields)?.message ?? error) })
      throw error
    }
    const response = await send().catch(lost)
    const { status, statusText, headers } = response
    const responseInit = { status, statusText, headers }
    if (isStream(headers) && response.body !== null) {
      const now = timing ? () => Math.round(performance.now() - begin) : undefined
      return new Response(readable(response.body, watchStream(call, headers, now), signal), responseInit)
    }
    const text = await response.text().catch(lost)
    try {
      watchBody(call, status, text, headers.get('x-amzn-errortype')?.split(':')[0])
    } catch (error) {
      exchanges.reportProblem(`an answer is not recorded: ${(error as Fields)?.message ?? error}`)
    }
    return new Response([204, 205, 304].includes(status) ? null : text, responseInit)
  }
}
