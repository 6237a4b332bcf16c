// A server that answers as the models of recordings did.
import type { ReplayServer, ServeOptions, ServedSources } from '../types/server.ts'
import type { SessionLookup } from '../wire/response.ts'
import { JSON_TYPE, pacedEvents, respond, checkTiming } from '../wire/index.ts'
import { requestError, write } from './exchange-writer.ts'
import { type HostedRequest, type HostedResponse, checkNames, listen, listenOptions, answerNotifier } from './listen.ts'
import { decodeName } from './session-names.ts'
import { RecordingRegistry } from './recording-registry.ts'

const OWN = ['port', 'host', 'maxBytes', 'timing', 'replay', 'onResponse', 'signal']

const json = (status: number, data: object): HostedResponse => ({
  status,
  headers: { 'content-type': JSON_TYPE },
  text: `${JSON.stringify(data)}\n`,
})

const control = (registry: RecordingRegistry, { method, path, headers }: HostedRequest): HostedResponse | undefined => {
  if (method === 'GET' && /^\/(health|healthz)$/.test(path)) return json(200, { ok: true, transcripts: registry.names })
  const found = /^\/(?:(.*)\/)?transcript\/?$/.exec(path)
  if (found === null) return undefined
  const prefix = found[1] ?? ''
  const wrong = registry.nameError(prefix, headers)
  if (wrong !== undefined) return requestError(path, headers, 404, wrong, 'unknown_transcript')
  if (method === 'DELETE') {
    registry.reset(prefix, headers)
    return json(200, { ok: true })
  }
  return method === 'GET' ? json(200, { sessions: registry.statuses(prefix, headers) }) : undefined
}

/** The error of a body. Some vendors have no map for it, and Ollama has only its message. */
const errorOf = (text: string) => {
  const { error, ...body } = JSON.parse(text)
  if (error === undefined) return body
  return typeof error === 'string' ? { ...body, message: error } : error
}

/**
 * Answers the clients of OpenAI (chat completions, Responses), Anthropic (Messages), Gemini (`generateContent`), Amazon Bedrock
 * (Converse, and Messages by `invoke`), Mistral, Ollama (`/api/chat`, `/api/generate`) and Cohere (`/v2/chat`) from recordings over
 * HTTP, as JSON and as streams. A request that differs is answered with the status 400 and the explanation.
 *
 * The path before `/v1` (`/NAME/v1/…`), or the header `x-transcript`, chooses one of several transcripts. Each caller has a
 * cursor of its own: `NAME@CALLER` or `@CALLER` in the path, or the header `x-transcript-session`, names the caller.
 *
 * @param source Recordings or handlers: a file, a string, a tape or a mock; or several by name.
 * @returns The server, once it listens.
 * @throws {TranscriptError} when a transcript has errors, or records no model call.
 * @example
 * const server = await serve('run.yaml')
 * const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` })
 * await runAgent(client)
 * server.assertComplete()
 * await server.close()
 */
export const serve = async (source: ServedSources, options: ServeOptions = {}): Promise<ReplayServer> => {
  checkNames('serve', options, OWN)
  const place = listenOptions('serve', options)
  const timing = checkTiming('serve', options.timing)
  const { onResponse, replay, signal } = options
  const notify = answerNotifier('serve', onResponse)
  signal?.throwIfAborted()
  const registry = await RecordingRegistry.open(source, replay)
  const lookup: SessionLookup = {
    find: (prefix, headers) => registry.find(prefix, headers),
    modelNames: (prefix, headers) => registry.modelNames(prefix, headers),
    write,
  }
  const server = await listen(place, async (request) => {
    if (decodeName(request.path) === undefined) {
      return requestError(
        request.path,
        request.headers,
        400,
        `the address \`${request.path}\` has an invalid \`%\` escape`,
        'unreadable_address',
      )
    }
    const controlAnswer = control(registry, request)
    if (controlAnswer !== undefined) return controlAnswer
    const { method, path, headers, bytes, signal: gone } = request
    const response = await respond({ method, path, headers, text: bytes.toString('utf8'), signal: gone }, lookup)
    notify({ method, path, status: response.status, ...(response.status >= 400 ? { error: errorOf(response.text!) } : {}) })
    return response.events === undefined ? response : { ...response, pieces: pacedEvents(response, timing, gone) }
  })
  const close = () => server.close()
  signal?.addEventListener('abort', close, { once: true })
  const opened = {
    url: server.url,
    port: server.port,
    host: server.host,
    get names() {
      return registry.names
    },
    get sessions() {
      return registry.sessions
    },
    tape: (name = registry.names[0]!, session = '') => registry.source(name, session),
    assertComplete: () => registry.assertComplete(),
    reset: () => registry.clear(),
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  }
  return opened
}
