// Serves the workbench with one file, for whoever knows the token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import { bodyOf } from '../../server/body.ts'
import { listenAt } from '../../server/listener.ts'
import { UsageError } from '../failure.ts'
import type { WorkbenchFile } from './file.ts'
import type { FollowedLog } from './followed.ts'
import type { Site } from './site.ts'

/** What is served in addition to the site. */
export interface Settings {
  file: WorkbenchFile
  /** Whether the page saves by itself. */
  autosave: boolean
  /** The most bytes of a document. */
  most: number
  onSave(size: number): void
}

/** A log that is shown as it grows; nothing is written. */
export interface FollowSettings {
  log: FollowedLog
}

interface Answer {
  status: number
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

/** Only this machine reaches it. */
const HOST = '127.0.0.1'

/** The frame in which the page sends requests to other hosts, after a person has agreed to them, has a policy of its own. */
const FRAME = /^\/outside-[\da-f]{16}\.html$/
const FRAME_POLICY = "sandbox allow-scripts; frame-ancestors 'self'"

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (candidate: string, token: string) => timingSafeEqual(digest(candidate), digest(token))

const jsonError = (status: number, error: string, help?: string | null, headers: OutgoingHttpHeaders = {}): Answer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error, help }),
})

const tagOf = (version: string | undefined) => (version === undefined ? {} : { etag: `"${version}"` })

/** The version in a header such as `"abc"`; null is never a version. */
const versionIn = (header: string) => /^"([\w-]+)"$/.exec(header)?.[1] ?? null

interface Routes {
  [route: string]: (request: IncomingMessage) => Answer | Promise<Answer>
}

/** The answers about a log, by method and path. */
const logRoutes = ({ log }: FollowSettings): Routes => ({
  'GET /api/workspace': () => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ name: log.name, id: log.id, follow: true }),
  }),
  'GET /api/log': ({ headers }) => {
    const found = log.look()
    if (found === undefined) return { status: 204 }
    if (versionIn(headers['if-none-match'] ?? '') === found.version) return { status: 304, headers: tagOf(found.version) }
    return { status: 200, headers: { ...tagOf(found.version), 'content-type': 'application/octet-stream' }, body: found.read() }
  },
})

/** The answers about the file, by method and path. */
const fileRoutes = ({ file, autosave, most, onSave }: Settings): Routes => ({
  'GET /api/workspace': () => {
    const { name, id, readOnly } = file
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ name, id, readOnly, autosave }),
    }
  },
  'GET /api/file': ({ headers }) => {
    const version = file.version()
    if (version !== undefined && versionIn(headers['if-none-match'] ?? '') === version) return { status: 304, headers: tagOf(version) }
    const found = file.read()
    if (found === undefined) return { status: 204 }
    return { status: 200, headers: { ...tagOf(found.version), 'content-type': 'application/octet-stream' }, body: found.bytes }
  },
  'PUT /api/file': async (request) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
    if (match === undefined && noneMatch !== '*')
      return jsonError(428, 'name the version to replace', '`if-match` with its tag, or `if-none-match: *`')
    if (file.readOnly)
      return jsonError(403, `\`${file.name}\` was written by another program and was not changed`, 'download the transcript to keep it')
    const bytes = await bodyOf(request, most)
    if (bytes === undefined)
      return jsonError(413, `the document has more than ${most} bytes`, 'raise the limit with --max-bytes', { connection: 'close' })
    const version = file.write(bytes, match === undefined ? undefined : versionIn(match))
    if (version === undefined) return jsonError(412, `\`${file.name}\` has changed since it was read`, undefined, tagOf(file.version()))
    onSave(bytes.length)
    return { status: 204, headers: tagOf(version) }
  },
})

/**
 * Serves the site with the file. The answer has the `address` for a person, `launch()` for an address that works once,
 * for a program with arguments that others may see, and `close()`.
 */
export const serveWorkbench = async (site: Site, settings: Settings | FollowSettings, port: number) => {
  const token = randomBytes(24).toString('base64url')
  const codes = new Set<string>()
  const isLog = 'log' in settings
  const answers = isLog ? logRoutes(settings) : fileRoutes(settings)
  const home = `/#/${isLog ? 'read' : 'edit'}?d=f:${token}`
  const commonHeaders = {
    'content-security-policy': `${site.policy}; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  }
  let hosts: string[]
  const isOwnHost = ({ headers }: IncomingMessage) => hosts.includes(headers.host!)
  /** Whether a request comes from a page that is not this one. */
  const isCrossSite = ({ headers }: IncomingMessage) => {
    const { origin, host, 'sec-fetch-site': from } = headers
    return (origin !== undefined && origin !== `http://${host}`) || (from !== undefined && from !== 'same-origin')
  }
  const page = (request: IncomingMessage, path: string): Answer => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return jsonError(405, 'only GET and HEAD', undefined, { allow: 'GET, HEAD' })
    const found = site.at(path === '/' ? 'index.html' : path.slice(1))
    if (found === undefined) return jsonError(404, 'not found')
    if (FRAME.test(path))
      return { status: 200, headers: { 'content-type': found.type, 'content-security-policy': FRAME_POLICY }, body: found.bytes }
    return { status: 200, headers: { 'content-type': found.type }, body: found.bytes }
  }
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    // A page of another site may have its name lead here, and would then be let read.
    if (!isOwnHost(request)) return jsonError(403, 'unknown host', `the address is http://${hosts[0]}`, { connection: 'close' })
    const [path] = request.url!.split('?') as [string]
    if (path.startsWith('/launch/')) {
      if (!codes.delete(path.slice('/launch/'.length)))
        return jsonError(403, 'this address was already used', 'use the one that `transcript open` printed')
      return { status: 303, headers: { location: home, 'cache-control': 'no-store' } }
    }
    if (!path.startsWith('/api/')) return page(request, path)
    if (isCrossSite(request)) return jsonError(403, 'requests from other sites are refused', undefined, { connection: 'close' })
    // Only cookies come as a list.
    if (!isSame((request.headers['x-transcript-token'] as string | undefined) ?? '', token))
      return jsonError(403, 'this page belongs to another run of `transcript open`', 'use the address that it printed')
    const act = answers[`${request.method} ${path}`]
    return act === undefined ? jsonError(404, 'not found') : act(request)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let result: Answer
    try {
      result = await answer(request)
    } catch (error) {
      if (request.destroyed && !request.complete) return
      result = error instanceof UsageError ? jsonError(403, error.message, error.help) : jsonError(500, (error as Error).message)
    }
    const { status, headers, body } = result
    const about = request.url!.startsWith('/api/') ? { ...commonHeaders, 'cache-control': 'no-store' } : commonHeaders
    response.writeHead(status, { ...about, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    handle(request, response).catch(() => response.destroy())
  })
  const { url, port: bound, close } = await listenAt(server, { port, host: HOST })
  hosts = [`${HOST}:${bound}`, `localhost:${bound}`]
  const launch = () => {
    const code = randomBytes(18).toString('base64url')
    codes.add(code)
    return `${url}/launch/${code}`
  }
  return { address: `${url}${home}`, launch, close }
}
