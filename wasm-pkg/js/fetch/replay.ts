// A `fetch` that answers from recordings or mocks. Structural: nothing of the core is imported, and nothing of Node.
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { WriteExchange } from '../api/write-exchange.ts'
import type { ReplayFetch, ReplaySource, StreamTiming } from '../types/fetch.ts'
import type { Tape } from '../types/index.ts'
import type { FoundSession, SentResponse } from '../wire/response.ts'
import { ReplaySession, WRITE_EXCHANGE, isMock, isTape, pacedEvents, respond, checkTiming } from '../wire/index.ts'

/** A source that writes what vendors send, as those of the package do. */
type WritingSource = ReplaySource & { [WRITE_EXCHANGE]: WriteExchange }

const checkSource = (source: unknown, name?: string) => {
  if ((isTape(source) || isMock(source)) && typeof (source as WritingSource)[WRITE_EXCHANGE] === 'function') return source as WritingSource
  const where = name === undefined ? 'replayFetch() takes' : `\`${name}\` of replayFetch() is`
  throw misuse(`${where} a tape or a mock: pass \`await replay(file)\` or \`mock(…)\``)
}

type SourceMap = ReadonlyMap<string, ReplaySource> | { readonly [name: string]: ReplaySource }

const isMap = (source: unknown): source is SourceMap => {
  if (source instanceof Map) return source.size > 0
  if (typeof source !== 'object' || source === null || typeof (source as NonNullable<Fields>).then === 'function') return false
  return !isTape(source) && !isMock(source) && Object.keys(source).length > 0
}

/** The sources by name; a single one has the name ''. */
const sourcesByName = (source: ReplaySource | SourceMap) => {
  if (!isMap(source)) return new Map([['', checkSource(source)]])
  const entries = source instanceof Map ? [...source] : Object.entries(source)
  return new Map(entries.map(([name, one]) => [name, checkSource(one, name)]))
}

const modelName = (name: string, { source }: ReplaySession) => {
  const model = isMock(source) ? undefined : source.expectedConfig?.model
  return typeof model === 'string' ? model : name || 'recorded'
}

/** Reads a request; a body that is a string, as clients send it, is not copied. */
const readRequest = async (input: string | URL | Request, init: RequestInit | undefined) => {
  const isText = typeof init?.body === 'string' && !(input instanceof Request)
  const request = new Request(input, isText ? { ...init, body: '', signal: undefined } : init)
  const { method, headers, url } = request
  const text = isText ? (init.body as string) : method === 'GET' || method === 'HEAD' ? '' : await request.text()
  return { method, headers, url, text }
}

const streamOf = (response: SentResponse, timing: StreamTiming | undefined, signal: AbortSignal | undefined) => {
  const texts = pacedEvents(response, timing, signal)
  const encoder = new TextEncoder()
  let give: ReadableStreamController<Uint8Array> | undefined
  const onAbort = () => give?.error(signal!.reason)
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      give = controller
      signal?.addEventListener('abort', onAbort, { once: true })
    },
    pull: async (controller) => {
      const { done, value } = await texts.next().catch((error): { aborted: true; done?: undefined; value?: undefined } => {
        if (!signal?.aborted) throw error
        return { aborted: true }
      })
      if (signal?.aborted) return
      if (!done) return controller.enqueue(value instanceof Uint8Array ? value : encoder.encode(value))
      signal?.removeEventListener('abort', onAbort)
      controller.close()
    },
    cancel: () => {
      signal?.removeEventListener('abort', onAbort)
      // The value at the end of the texts is not used.
      return texts.return() as Promise<unknown> as Promise<void>
    },
  })
}

/**
 * A `fetch` for the clients of OpenAI (chat completions and Responses), Anthropic (Messages), Gemini (`generateContent`),
 * Amazon Bedrock (Converse, and Messages by `invoke`), Mistral, Ollama (`/api/chat`, `/api/generate`) and Cohere (`/v2/chat`) that
 * answers from a recording, as JSON and as streams, without a server.
 *
 * A request that differs gets the status 400 and the explanation, which no client retries: an error that is
 * thrown here would look like a broken network and be retried. `assertComplete()` throws the divergence itself.
 *
 * The path before `/v1`, or the header `x-transcript`, chooses one of several recordings.
 *
 * @param source What answers: a tape or a mock, or several by name.
 * @param options.timing When the pieces of a stream come. Default: at once.
 * @returns A function with the parameters of the global `fetch`.
 * @throws {TypeError} when a source is neither a tape nor a mock.
 * @example
 * const tape = await replay('run.yaml')
 * const client = new OpenAI({ apiKey: 'none', fetch: replayFetch(tape) })
 * await runAgent(client)
 * tape.assertComplete()
 */
export const replayFetch = (
  source: ReplaySource | ReadonlyMap<string, ReplaySource> | { readonly [name: string]: ReplaySource },
  options: { timing?: StreamTiming } = {},
): ReplayFetch => {
  const sources = sourcesByName(source)
  // All write alike.
  const [writer] = sources.values()
  const write: WriteExchange = (operation, format, data) => writer![WRITE_EXCHANGE](operation, format, data)
  const sessions = new Map([...sources].map(([name, one]) => [name, new ReplaySession(one, write)]))
  const unknown = Object.keys(options).find((name) => name !== 'timing')
  if (unknown !== undefined) throw misuse(`replayFetch() has no option \`${unknown}\`; there is: timing`)
  const timing = checkTiming('replayFetch', options.timing)
  const find = (prefix: string, headers: Headers): FoundSession => {
    if (sessions.has('')) return { replaySession: sessions.get('')! }
    const name = headers.get('x-transcript') ?? prefix
    const session = sessions.get(name)
    if (session !== undefined) return { replaySession: session }
    const names = [...sessions.keys()].join(', ')
    return {
      wrong: `unknown transcript \`${name}\`; choose one of ${names} with the header \`x-transcript\` or the path before \`/v1\``,
    }
  }
  const modelNames = () => [...new Set([...sessions].map(([name, session]) => modelName(name, session)))]
  const replayed = async (input: string | URL | Request, init?: RequestInit) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined) ?? undefined
    signal?.throwIfAborted()
    const { method, headers, url, text } = await readRequest(input, init)
    const path = new URL(url).pathname
    const response = await respond({ method, path, headers, text, signal }, { find, modelNames, write })
    signal?.throwIfAborted()
    const body = response.events === undefined ? response.text : streamOf(response, timing, signal)
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return Object.defineProperties(replayed, {
    lastDivergence: { get: () => [...sessions.values()].map(({ lastError }) => lastError).find((error) => error !== undefined) },
    assertComplete: {
      value: () => {
        // A mock has no end that could be checked.
        for (const { lastError, source: one } of sessions.values() as Iterable<{ lastError: unknown; source: Partial<Tape> }>) {
          if (lastError !== undefined) throw lastError
          one.assertComplete?.()
        }
      },
    },
  }) as ReplayFetch
}
