// Files in gzip, in and out, and those in Zstandard, which are read only.
import { DEFAULT_LIMIT, isZstandard } from '../api/gzip.ts'
import { builtin } from './builtin.ts'
import { UsageError } from './failure.ts'

/** The byte of the header that names the operating system; 255 is "unknown", so that all write the same. */
const SYSTEM = 9

/** The bytes in `bytes`, at most `limit` of them, so that a small file cannot fill the memory. */
export const decompress = (bytes: Uint8Array, name: string, limit = DEFAULT_LIMIT) => {
  const zlib = builtin('node:zlib')
  const isZstd = isZstandard(bytes)
  if (isZstd && zlib.zstdDecompressSync === undefined) {
    throw new UsageError(
      `\`${name}\` is in Zstandard, which Node.js ${process.versions.node} cannot read`,
      'use Node.js 22.15 or later, or unpack the file with `zstd -d`',
    )
  }
  try {
    const unpack = isZstd ? zlib.zstdDecompressSync : zlib.gunzipSync
    return unpack(bytes, { maxOutputLength: Math.max(1, limit) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new UsageError(`\`${name}\` has more than ${limit} bytes`, 'raise the limit with --max-bytes')
    }
    throw new UsageError(
      `\`${name}\` begins like ${isZstd ? 'Zstandard' : 'gzip'}, but cannot be decompressed: ${(error as Error).message}`,
    )
  }
}

/** The same bytes for the same text on every machine. */
export const compress = (text: string | Uint8Array) => {
  const bytes = builtin('node:zlib').gzipSync(text, { level: 9 })
  bytes[SYSTEM] = 255
  return bytes
}
