// The files of other programs, imported or repaired.
import { toData } from '../api/data.ts'
import { isDatabase } from '../api/database.ts'
import { isZstandard } from '../api/gzip.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import type { Diagnostic, Drift, HashedRequest, ImportOptions, ImportResult, Options, RepairedLog, Source } from '../types/index.ts'
import { call } from './wasm-module.ts'

/** A cut in the middle of a character leaves bytes that are no text, which is no fault of the log. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const OWN = {
  from: 'a string',
  session: 'a string',
  format: 'a string',
  summary: 'a boolean',
  sizes: 'a boolean',
  color: 'a boolean',
} as const

const readLog = (source: Source, options: ImportOptions) => {
  const { text, bytes, file } = sourceOf('importLog', source, options)
  if (bytes && isZstandard(bytes)) {
    throw misuse(
      `\`${file}\` is packed with Zstandard and cannot be unpacked: it is damaged, or this is not Node.js 22.15 or later; \`zstd -d\` unpacks it as well`,
    )
  }
  if (bytes && isDatabase(bytes)) return { path: file, ...call('storeText', {}, {}, [{ bytes, file }]) }
  return { path: file, text: text ?? decoder.decode(bytes) }
}

/**
 * Converts a log of another program, with the files that belong to it, into a transcript. `formats` lists the formats.
 * Rules become `handlers`, and a transcript if they record one conversation. The names of the files determine
 * their roles; their order does not matter.
 *
 * @param source One file of the log, or all of them.
 * @returns The transcript as text and data, further files, and what became of each entry.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, files } = importLog({ text: log, file: 'abc/transcript.json' })
 */
export const importLog = (source: Source | Source[], options: ImportOptions = {}): ImportResult => {
  const sources = Array.isArray(source) ? source : [source]
  if (sources.length === 0) throw misuse('importLog() gets an empty list; it takes the files of one session or recording')
  const logs = sources.map((one) => readLog(one, options))
  const kinds = { ...OWN, logs: 'an object or an array' } as const
  return call('importLog', { ...options, logs }, kinds, [])
}

/** A log with many sessions is read about this many times, each time for a part of them: all at once would take too much memory. */
const READS = 16

/** The result of one session. A log that is a single run has no name for it. */
export interface ImportedSession {
  session: string | undefined
  found: ImportResult
}

/** Imports each session of a log, one after the other. The `sessions` and `firstWords` of a result list only its own session. */
export function* importSessions(sources: readonly Source[], options: ImportOptions): Generator<ImportedSession, void, undefined> {
  const logs = sources.map((one) => readLog(one, options))
  const kinds = { ...OWN, logs: 'an object or an array', first: 'an integer', count: 'an integer' } as const
  for (let first = 0, total = 1; first < total; ) {
    const count = Math.ceil(total / READS)
    const answer = call('importSessions', { ...options, logs, first, count }, kinds, [])
    total = answer.count
    for (const found of answer.results) yield { session: total > 1 ? found.sessions[0] : undefined, found }
    first += count
  }
}

/**
 * Repairs a log that was cut, mixed or written by an older release: writes one event a line, as today. The formats
 * that can be repaired have `repair` among their `extras`.
 *
 * @returns The repaired text, and what was left out.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, omitted } = repairLog(await readFile('transcript.json'))
 */
export const repairLog = (source: Source, options?: { maxBytes?: number }): RepairedLog => call('repairLog', options, {}, [source])

/**
 * Checks whether requests are still those of a recording of AgentLoom. With `before`, the requests as
 * they once were, any changed field is found; without it only the usual values of a field are tried.
 *
 * @example
 * drift(recording, requests).requests.filter(({ status }) => status === 'changed')
 */
export const drift = (
  source: Source,
  requests: HashedRequest[],
  options?: Options & { before?: HashedRequest[] },
): { ok: boolean; requests: Drift[]; diagnostics: Diagnostic[] } => {
  const before = options?.before
  const own = { requests: toData(requests, 'the requests'), ...(before !== undefined && { before: toData(before, '`before`') }) }
  const kinds = { requests: 'an object or an array', before: 'an object or an array' } as const
  return call('drift', { ...options, ...own }, kinds, [source])
}

/**
 * The hash by which AgentLoom finds the answer to a request; of a list of messages, the hash of release 0.4.0. Numbers
 * such as `1.0` stay fractions only in JSON text.
 *
 * @example
 * promptHash({ messages: [{ role: 'user', content: 'Hi' }], model: 'm' })
 */
export const promptHash = (request: HashedRequest | unknown[] | string): string => {
  const isText = typeof request === 'string'
  if (!isText && (typeof request !== 'object' || request === null)) {
    throw misuse(`promptHash() takes a request, its messages, or either as JSON text, but got ${kindOf(request)}`)
  }
  const kind = isText ? 'a string' : 'an object or an array'
  return call('promptHash', { request: isText ? request : toData(request, 'the request') }, { request: kind }, []).hash
}
