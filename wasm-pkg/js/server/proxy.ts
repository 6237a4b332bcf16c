// A server that passes requests on to a vendor, and records what passes.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Recorder, createRecorder } from 'transcript-workbench'
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import { recordFetch } from '../fetch/record.ts'
import { requestError } from './exchange-writer.ts'
import { type HostedRequest, type HostedResponse, checkNames, listen, listenOptions, answerNotifier } from './listen.ts'
import type { ProxyOptions, RecordingProxy } from '../types/server.ts'
import { decodeName, fileFor } from './session-names.ts'

const OWN = ['upstream', 'port', 'host', 'maxBytes', 'output', 'journal', 'record', 'timing', 'fetch', 'onResponse', 'signal']

/** Headers that are about one connection, or that `fetch` sets by itself. */
const OWN_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
  'x-transcript',
  'x-transcript-session',
]
/** The body of an answer comes decoded. */
const NOT_PASSED = ['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length']

const omitHeaders = (headers: Headers, names: readonly string[]) =>
  Object.fromEntries([...headers].filter(([name]) => !names.includes(name)))

const parseUpstream = (upstream: string | URL) => {
  try {
    const url = new URL(upstream)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {
    // Reported below.
  }
  throw misuse(`the option \`upstream\` of proxy() must be the URL of an API, such as \`https://api.openai.com\`, but got \`${upstream}\``)
}

/** The address of a path: what both have at the seam, as `/v1`, is used once. */
const upstreamUrl = (upstream: URL, path: string, search: string) => {
  const base = upstream.pathname.replace(/\/+$/, '')
  const rest = base !== '' && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) : path
  return new URL(`${base}${rest}${search}`, upstream.origin)
}

/** The session of a request, and its path without it; undefined if the address cannot be read. */
const parseTarget = (path: string, headers: Headers) => {
  const [, named = '', rest = path] = /^\/[^/@]*@([^/]*)(\/.*)$/.exec(path) ?? []
  const session = headers.get('x-transcript-session') ?? decodeName(named)
  return session === undefined ? undefined : { session, path: rest }
}

/** Rejects a file that cannot be written, before a run is recorded for it. */
const checkOutput = (output: string | URL | undefined) => {
  const file = output instanceof URL ? fileURLToPath(output) : output
  if (file === undefined) return
  if (typeof file !== 'string' || file === '') throw misuse('the option `output` of proxy() must be a file name')
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw misuse(`the option \`output\` of proxy() is a folder, not a file: \`${file}\``)
}

/**
 * Passes requests on to a vendor and records them. Their keys go to the vendor and are not recorded.
 * Each caller has its own recording: `@CALLER` at the start of the path, or the header `x-transcript-session`, names it, and
 * its file has the name after a dash.
 *
 * @returns The proxy, once it listens.
 * @throws {TypeError} when `upstream` is no URL.
 * @example
 * const recording = await proxy({ upstream: 'https://api.openai.com', output: 'run.yaml' })
 * await runAgent(new OpenAI({ baseURL: `${recording.url}/v1` }))
 * await recording.close()
 */
export const proxy = async (options: ProxyOptions): Promise<RecordingProxy> => {
  checkNames('proxy', options ?? {}, OWN)
  const { output, journal, record, timing, fetch: inner = globalThis.fetch, onResponse, signal } = options ?? {}
  const upstream = parseUpstream(options?.upstream)
  const place = listenOptions('proxy', options ?? {})
  // Wrong options are reported now, and not to the first caller.
  const trial = createRecorder({ ...record })
  recordFetch(trial, { fetch: inner, timing })
  trial.free()
  checkOutput(output)
  const notify = answerNotifier('proxy', onResponse)
  const recorded = new Map<string, { recorder: Recorder; fetch: ReturnType<typeof recordFetch> }>()
  const recordingFor = (session: string) => {
    if (!recorded.has(session)) {
      const recorder = createRecorder({ ...record, ...(journal === undefined ? {} : { journal: fileFor(journal, session) }) })
      recorded.set(session, { recorder, fetch: recordFetch(recorder, { fetch: inner, timing }) })
    }
    return recorded.get(session)!
  }
  const answer = async ({ method, path: whole, search, headers, bytes, signal: gone }: HostedRequest): Promise<HostedResponse> => {
    if (method === 'GET' && /^\/(health|healthz)$/.test(whole)) {
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        text: `${JSON.stringify({ ok: true, upstream: upstream.origin })}\n`,
      }
    }
    const split = parseTarget(whole, headers)
    if (split === undefined)
      return requestError(whole, headers, 400, `the address \`${whole}\` has an invalid \`%\` escape`, 'unreadable_address')
    const { session, path } = split
    const { fetch } = recordingFor(session)
    let response: Response
    try {
      response = await fetch(upstreamUrl(upstream, path, search), {
        method,
        headers: { ...omitHeaders(headers, OWN_HEADERS), 'accept-encoding': 'identity' },
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: bytes }),
        redirect: 'manual',
        signal: gone,
      })
    } catch (error) {
      if (gone.aborted) throw error
      const cause = ((error as Fields)?.cause as Fields)?.message ?? (error as Fields)?.message ?? String(error)
      return requestError(path, headers, 502, `${upstream.origin} cannot be reached: ${cause}`, 'upstream_unreachable')
    }
    notify({ method, path, session, status: response.status })
    const cookies = response.headers.getSetCookie()
    const answered = {
      status: response.status,
      headers: { ...omitHeaders(response.headers, NOT_PASSED), ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) },
    }
    return response.body === null ? { ...answered, text: '' } : { ...answered, pieces: response.body }
  }
  const server = await listen(place, answer)
  const save = async (file = output) => {
    if (file === undefined) throw misuse('save() needs a file name, because proxy() has no `output`')
    const files: string[] = []
    for (const [session, { recorder }] of recorded) {
      // A session that only requested the list of models is no run.
      if ((recorder.finish().transcript as { execution: unknown[] }).execution.length > 0)
        files.push(await recorder.save(fileFor(file, session)))
    }
    return files
  }
  let closing: Promise<string[]> | undefined
  const close = () => {
    closing ??= server.close().then(() => (output === undefined ? [] : save()))
    return closing
  }
  signal?.addEventListener('abort', () => void close(), { once: true })
  const opened = {
    url: server.url,
    port: server.port,
    host: server.host,
    get sessions() {
      return [...recorded.keys()]
    },
    recorder: (session = '') => recorded.get(session)?.recorder,
    save,
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  }
  return opened
}
