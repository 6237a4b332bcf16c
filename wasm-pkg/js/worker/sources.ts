// Sources on their way into a worker. A file of a page is sent as it is, and read in the worker.
import type { Fields } from '../api/fields.ts'
import { DEFAULT_LIMIT, decompressedLater, isCompressed } from '../api/gzip.ts'
import type { WorkerProgress } from '../types/worker.ts'

const isObject = (value: unknown): value is { readonly [key: string]: unknown } => typeof value === 'object' && value !== null

export const isBlob = (value: unknown): value is Blob => typeof Blob === 'function' && value instanceof Blob

/** The bytes or the file of a source. */
type Part = Uint8Array | Blob

interface FoundPart {
  part: Part
  with(bytes: Part): unknown
}

/** Receives how far a call is. */
export type Report = (progress: WorkerProgress) => void

/** The bytes or the file of a source, if it has any, and the source with others instead. */
const partOf = (source: unknown): FoundPart | undefined => {
  if (source instanceof Uint8Array) return { part: source, with: (bytes) => bytes }
  if (isBlob(source)) return { part: source, with: (bytes) => ({ bytes }) }
  if (!isObject(source) || !(source.bytes instanceof Uint8Array || isBlob(source.bytes))) return undefined
  return { part: source.bytes, with: (bytes) => ({ ...source, bytes }) }
}

/** The arguments with explicit file names: a file that is sent to a worker of Node loses its name. */
export const withFileNames = (args: readonly unknown[]) => {
  const one = (source: unknown) => {
    const blob = isBlob(source) ? source : isObject(source) && isBlob(source.bytes) && source.file === undefined ? source.bytes : undefined
    if (!(blob as Fields)?.name) return source
    return { ...(source === blob ? {} : (source as object)), bytes: blob, file: (blob as File).name }
  }
  return args.map((arg) => (Array.isArray(arg) ? arg.map(one) : one(arg)))
}

/** The arguments with the bytes of every source among them as `change` gives them; lists of sources have several. */
const mapBytes = async (args: readonly unknown[], change: (part: Part) => Promise<Part> | Part) => {
  const one = async (source: unknown) => {
    const found = partOf(source)
    return found === undefined ? source : found.with(await change(found.part))
  }
  const out: unknown[] = []
  for (const arg of args) {
    if (!Array.isArray(arg)) out.push(await one(arg))
    else {
      const list: unknown[] = []
      for (const source of arg) list.push(await one(source))
      out.push(list)
    }
  }
  return out
}

const partsOf = (args: readonly unknown[]) =>
  args
    .flat()
    .map((source) => partOf(source)?.part)
    .filter((part) => part !== undefined)

/** The memory in the arguments that can be transferred: bytes that own their whole buffer. */
export const transferable = (args: readonly unknown[]) => {
  const own = partsOf(args).filter(
    (part): part is Uint8Array<ArrayBuffer> => part instanceof Uint8Array && part.buffer instanceof ArrayBuffer,
  )
  return [...new Set(own.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength).map(({ buffer }) => buffer))]
}

/** The arguments with files read on this side: some files, such as those that Node opens, cannot be sent to a worker. */
export const readBlobs = (args: readonly unknown[]) =>
  mapBytes(args, async (part) => (isBlob(part) ? new Uint8Array(await part.arrayBuffer()) : part))

export const hasBlobs = (args: readonly unknown[]) => partsOf(args).some(isBlob)

const limitOf = (options: Fields) => (Number.isInteger(options?.maxBytes) ? (options!.maxBytes as number) : DEFAULT_LIMIT)

/** How often progress of reading a file is reported, in bytes. */
const STRIDE = 1 << 20

/** The bytes of a file. One that is too large becomes as many zeros, so that the core reports its size. */
const bytesOf = async (blob: Blob, limit: number, report: (count: number) => void) => {
  if (blob.size > limit && !isCompressed(new Uint8Array(await blob.slice(0, 3).arrayBuffer()))) return new Uint8Array(blob.size)
  const bytes = new Uint8Array(blob.size)
  for (let at = 0; at < blob.size; at += STRIDE) {
    const piece = new Uint8Array(await blob.slice(at, at + STRIDE).arrayBuffer())
    bytes.set(piece, at)
    report(piece.length)
  }
  return bytes
}

/** Reads the files among the arguments, and what is in gzip where the calls cannot do so themselves. */
export const readSources = async (args: readonly unknown[], options: unknown, inflates: boolean, report: Report) => {
  const total = partsOf(args)
    .filter(isBlob)
    .reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const limit = limitOf(options as Fields)
  if (total > 0) report({ phase: 'reading', done, total })
  return mapBytes(args, async (part) => {
    const counted = (more: number) => {
      done += more
      report({ phase: 'reading', done, total })
    }
    const bytes = isBlob(part) ? await bytesOf(part, limit, counted) : part
    return inflates ? decompressedLater(bytes, limit) : bytes
  })
}
