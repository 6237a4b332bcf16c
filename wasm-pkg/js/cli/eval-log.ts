// Logs of Inspect AI in their form of an archive (`.eval`), put together to the log in JSON: a zip file with the log
// without its samples, and each sample in a file of its own, packed with Zstandard.
import zlib from 'node:zlib'
import './common.ts'
import { DEFAULT_LIMIT } from '../api/gzip.ts'
import { UsageError } from './failure.ts'
import { pluralize } from './report.ts'

const [HEADER, START, REDUCTIONS] = ['header.json', '_journal/start.json', 'reductions.json']
const SAMPLE = /^samples\/(.*?)(?:_epoch_(\d+))?\.json$/s
const UPDATE = /^_journal\/config_updates\/(\d+)\.json$/

/** A file in an archive: how it is packed, and where. */
interface Member {
  flags: number
  method: number
  sum: number
  packed: number
  size: number
  local: number
}

/** Why a part cannot be read; `isLarge` when it is beyond the limit. */
type PartError = Error & { isLarge?: boolean }

/** The entries of a zip file by path; of several with one path the last. Undefined for other files. */
const readZipDirectory = (bytes: Buffer) => {
  const end = bytes.lastIndexOf('PK\x05\x06')
  if (end < 0 || end + 22 > bytes.length) return undefined
  const members = new Map<string, Member>()
  for (let at = bytes.readUInt32LE(end + 16); at + 46 <= end && bytes.readUInt32LE(at) === 0x02014b50; ) {
    const [flags, method, name, extra, comment] = [8, 10, 28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const [sum, packed, size, local] = [16, 20, 24, 42].map((place) => bytes.readUInt32LE(at + place)) as [number, number, number, number]
    members.set(bytes.toString('utf8', at + 46, at + 46 + name), { flags, method, sum, packed, size, local })
    at += 46 + name + extra + comment
  }
  return members
}

const unpack = (method: number, data: Buffer, maxOutputLength: number, file: string) => {
  if (method === 0) return data
  if (method === 8) return zlib.inflateRawSync(data, { maxOutputLength })
  if (method !== 93) throw new Error('its compression method is not supported')
  if (zlib.zstdDecompressSync === undefined) {
    throw new UsageError(
      `\`${file}\` is an Inspect AI log in Zstandard, which Node.js ${process.versions.node} cannot read`,
      'use Node.js 22.15 or later, or convert the log with `inspect log convert --to json --output-dir FOLDER FILE`',
    )
  }
  return zlib.zstdDecompressSync(data, { maxOutputLength })
}

/** The text of a member, of at most `most` bytes; the sizes in the archive are not trusted. */
const textOf = (bytes: Buffer, { flags, method, sum, packed, size, local }: Member, most: number, file: string) => {
  if (flags & 1) throw new Error('it is encrypted')
  try {
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = unpack(method, bytes.subarray(from, from + packed), Math.max(1, most), file)
    if (content.length > most) throw Object.assign(new Error(), { code: 'ERR_BUFFER_TOO_LARGE' })
    if (content.length === size && (zlib.crc32 === undefined || zlib.crc32(content) === sum)) return content.toString()
  } catch (error) {
    if (error instanceof UsageError || (error as Error).message.includes('method')) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw Object.assign(new Error(`it has more than ${most} bytes`), { isLarge: true })
  }
  throw new Error('it is damaged')
}

/** The content of a string between its braces, if it is the text of such a log. */
const jsonBody = (text: string | undefined) => {
  const trimmed = text?.trim() ?? ''
  return trimmed.startsWith('{') && trimmed.endsWith('}') && trimmed.includes('"eval"') ? trimmed.slice(1, -1) : undefined
}

const sampleStub = ({ id, epoch }: { id: string; epoch: number }) => JSON.stringify({ id, epoch })

/** A log as JSON; `sample` gives it with one of its samples whole. */
interface EvalLog {
  text: string
  sample?: (at: number) => string
}

/**
 * The log in an archive, undefined for any other archive: `text` is the log in JSON. If its samples are too large for one
 * document, the text has only their ids, and `sample(at)` returns the log with that one whole. Parts that cannot be read are
 * reported to `warn`.
 */
export const readEvalLog = (
  input: Uint8Array,
  file: string,
  warn: (message: string) => void,
  most = DEFAULT_LIMIT,
): EvalLog | undefined => {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const members = readZipDirectory(bytes)
  if (members === undefined && /^(_journal\/|samples\/|header\.json)/.test(bytes.toString('latin1', 30, 60))) {
    throw new UsageError(`\`${file}\` is an Inspect AI log that is damaged or cut`)
  }
  if (!members?.has(START) && !(members?.has(HEADER) && [...members.keys()].some((path) => SAMPLE.test(path)))) return undefined
  const read = (path: string, limit = most) => textOf(bytes, members.get(path)!, limit, file)
  // Everything except the samples may together be as large as one document.
  let left = most
  const tryRead = (path: string) => {
    try {
      const text = members.has(path) ? read(path, left) : undefined
      left -= text?.length ?? 0
      return text
    } catch (error) {
      if (error instanceof UsageError) throw error
      if ((error as PartError).isLarge) left = 0
      warn(`${path}: ${(error as PartError).message}`)
      return undefined
    }
  }
  let head = jsonBody(tryRead(HEADER))
  if (head !== undefined) {
    const reductions = tryRead(REDUCTIONS)?.trim()
    if (reductions) head += `,"reductions":${reductions}`
  } else {
    if (!members.has(START)) return undefined
    const updates = [...members.keys()].filter((path) => UPDATE.test(path)).sort((a, b) => +UPDATE.exec(a)![1]! - +UPDATE.exec(b)![1]!)
    const changed = updates.map(tryRead).filter((text) => text !== undefined)
    head = jsonBody(tryRead(START)) ?? '"version":2,"eval":{},"plan":{}'
    if (!members.has(HEADER)) head += ',"status":"started"'
    if (changed.length > 0) head += `,"config_updates":[${changed}]`
  }
  const samples = [...members.keys()].flatMap((path) => {
    const [, id, epoch = '1'] = SAMPLE.exec(path) ?? []
    const order = /^\d+$/.test(id!) ? id!.padStart(20, '0') : id!
    return id === undefined ? [] : [{ path, id, epoch: Number(epoch), order }]
  })
  // Inspect has them in this order.
  samples.sort((a, b) => a.epoch - b.epoch || (a.order < b.order ? -1 : 1))
  const log = (texts: readonly string[]) => `{${head},"samples":[\n${texts.join(',\n')}\n]}\n`
  const whole: string[] = []
  let bytesLeft = most - head.length
  for (const { path } of samples) {
    try {
      const text = read(path, bytesLeft)
      bytesLeft -= Buffer.byteLength(text)
      whole.push(text)
    } catch (error) {
      if (error instanceof UsageError) throw error
      if ((error as PartError).isLarge) {
        warn(`its samples have more than ${pluralize(most, 'byte')}, so they are read one by one`)
        const others = (at: number) => samples.filter((_, other) => other !== at).map(sampleStub)
        return { text: log(samples.map(sampleStub)), sample: (at) => log([read(samples[at]!.path), ...others(at)]) }
      }
      warn(`${path}: ${(error as PartError).message}`)
    }
  }
  return { text: log(whole) }
}
