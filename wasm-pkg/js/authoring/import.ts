// The files of other programs, imported or repaired.
import { toData } from '../api/data.ts'
import { isZstandard } from '../api/gzip.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import type { HashedRequest, ImportOptions, Options, Source } from '../types/index.ts'
import type { CallModule } from './wasm-module.ts'

/** A cut in the middle of a character leaves bytes that are no text, which is no fault of the log. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const OWN = { from: 'a text', session: 'a text', format: 'a text', summary: 'true or false', color: 'true or false' } as const

const readLog = (source: Source, options: ImportOptions) => {
  const { text, bytes, file } = sourceOf('importLog', source, options)
  if (bytes && isZstandard(bytes)) {
    throw misuse(
      `\`${file}\` is packed with Zstandard and cannot be unpacked: it is damaged, or this is not Node.js 22.15 or later; \`zstd -d\` unpacks it as well`,
    )
  }
  return { path: file, text: text ?? decoder.decode(bytes) }
}

/** What `call` is for an operation of the module: its name, its options with their kinds, its sources. */
export const createImport = (call: CallModule) => ({
  importLog: (source: Source | Source[], options: ImportOptions = {}) => {
    const sources = Array.isArray(source) ? source : [source]
    if (sources.length === 0) throw misuse('importLog() gets an empty list; it takes the files of one session or recording')
    const logs = sources.map((one) => readLog(one, options))
    const kinds = { ...OWN, logs: 'an object or a list' } as const
    return call('importLog', { ...options, logs }, kinds, [])
  },
  repairLog: (source: Source, options?: { maxBytes?: number }) => call('repairLog', options, {}, [source]),
  drift: (source: Source, requests: HashedRequest[], options?: Options & { before?: HashedRequest[] }) => {
    const before = options?.before
    const own = { requests: toData(requests, 'the requests'), ...(before !== undefined && { before: toData(before, '`before`') }) }
    const kinds = { requests: 'an object or a list', before: 'an object or a list' } as const
    return call('drift', { ...options, ...own }, kinds, [source])
  },
  promptHash: (request: HashedRequest | unknown[] | string) => {
    const isText = typeof request === 'string'
    if (!isText && (typeof request !== 'object' || request === null)) {
      throw misuse(`promptHash() takes a request, its messages, or either as JSON text, but got ${kindOf(request)}`)
    }
    const kind = isText ? 'a text' : 'an object or a list'
    return call('promptHash', { request: isText ? request : toData(request, 'the request') }, { request: kind }, []).hash
  },
})
