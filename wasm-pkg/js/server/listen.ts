// An HTTP server that gets requests as data.
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import type { ListenOptions } from '../types/server.ts'
import { bodyOf } from './body.ts'
import { requestError } from './exchange-writer.ts'
import { listenAt } from './listener.ts'

/** A request as data. */
export interface HostedRequest {
  method: string
  path: string
  search: string
  headers: Headers
  bytes: Buffer<ArrayBuffer>
  signal: AbortSignal
}

/** What is sent: a string, or pieces. */
export interface HostedResponse {
  status: number
  headers: OutgoingHttpHeaders
  text?: string
  pieces?: AsyncIterable<string | Uint8Array>
}

/** The most bytes of a request that are read. */
const MOST = 64 * 1024 * 1024

/** Names under which only this machine, and what runs on it, reaches a server on loopback. */
const LOCAL_HOSTS = /^(localhost|[\w.-]+\.localhost|127(\.\d+){3}|\[::1\]|host\.docker\.internal|[\w-]+)(:\d+)?$/i

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

const headersOf = ({ headers }: IncomingMessage) => {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [name: string, value: string] => [name, one as string]),
  )
  return new Headers(pairs)
}

const send = async (response: ServerResponse, { status, headers, text, pieces }: HostedResponse) => {
  response.writeHead(status, headers)
  if (pieces === undefined) {
    response.end(text)
    return
  }
  response.flushHeaders()
  for await (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await new Promise((done) => response.once('drain', done).once('close', done))
  }
  response.end()
}

/** Checks where a server is to listen. */
export const listenOptions = (call: string, { port = 0, host = '127.0.0.1', maxBytes = MOST }: ListenOptions) => {
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw misuse(`the option \`port\` of ${call}() must be a number from 0 to 65535`)
  if (typeof host !== 'string' || host === '') throw misuse(`the option \`host\` of ${call}() must be a name or an address`)
  if (!Number.isInteger(maxBytes) || maxBytes < 1) throw misuse(`the option \`maxBytes\` of ${call}() must be a number of bytes`)
  return { port, host, maxBytes }
}

/** Rejects options that a call does not have. */
export const checkNames = (call: string, options: object, names: readonly string[]) => {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw misuse(`${call}() has no option \`${unknown}\`; there are: ${names.join(', ')}`)
}

/** Calls `onResponse` of the host. If it throws, the request goes on and a warning is emitted. */
export const answerNotifier = <Answer>(call: string, onResponse: ((answer: Answer) => void) | undefined) => {
  if (onResponse !== undefined && typeof onResponse !== 'function') throw misuse(`the option \`onResponse\` of ${call}() is a function`)
  return (answer: Answer) => {
    try {
      onResponse?.(answer)
    } catch (error) {
      process.emitWarning(`the function \`onResponse\` of ${call}() failed: ${(error as Fields)?.message ?? error}`)
    }
  }
}

/**
 * Listens; `answer` gives for `{method, path, search, headers, bytes, signal}` what is sent: `{status, headers, text}`,
 * or `pieces` instead of the text.
 */
export const listen = async (
  { port, host, maxBytes }: { port: number; host: string; maxBytes: number },
  answer: (request: HostedRequest) => Promise<HostedResponse>,
) => {
  const under = new Set<AbortController>()
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, search } = new URL(request.url!, 'http://localhost')
    const headers = headersOf(request)
    const controller = new AbortController()
    under.add(controller)
    response.once('close', () => {
      under.delete(controller)
      if (!response.writableFinished) controller.abort(new DOMException('the caller disconnected', 'AbortError'))
    })
    // A caller that disconnects gets nothing more.
    response.on('error', () => {})
    try {
      // A page of another site may have its name lead here, and would then be let read.
      if (isLoopback(host) && !LOCAL_HOSTS.test(headers.get('host') ?? 'localhost')) {
        await send(response, requestError(path, headers, 403, `\`${headers.get('host')}\` is not a name of this machine`, 'foreign_host'))
        return
      }
      const bytes = await bodyOf(request, maxBytes)
      if (bytes === undefined) {
        const refusal = requestError(path, headers, 413, `the request has more than ${maxBytes} bytes`, 'too_large')
        await send(response, { ...refusal, headers: { ...refusal.headers, connection: 'close' } })
        return
      }
      await send(response, await answer({ method: request.method!, path, search, headers, bytes, signal: controller.signal }))
    } catch (error) {
      if (controller.signal.aborted) return
      // The part before the interruption must arrive.
      if (response.headersSent) response.socket?.destroySoon()
      else await send(response, requestError(path, headers, 500, error instanceof Error ? error.message : String(error), 'internal_error'))
    }
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return listenAt(server, { port, host }, () => {
    for (const controller of under) controller.abort(new DOMException('the server is closing', 'AbortError'))
  })
}
