// Files in gzip, in and out.
import { gunzipSync, gzipSync } from 'node:zlib'
import { DEFAULT_LIMIT } from '../api/gzip.js'
import { Misuse } from './failure.js'

/** The byte of the header that names the operating system; 255 is "unknown", so that all write the same. */
const SYSTEM = 9

/** The bytes in `bytes`, at most `limit` of them, so that a small file cannot fill the memory. */
export const decompress = (bytes, name, limit = DEFAULT_LIMIT) => {
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, limit) })
  } catch (error) {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Misuse(`\`${name}\` holds more than ${limit} bytes`, 'raise the limit with --max-bytes')
    }
    throw new Misuse(`\`${name}\` begins like gzip, but cannot be decompressed: ${error.message}`)
  }
}

/** The same bytes for the same text on every machine. */
export const compress = (text) => {
  const bytes = gzipSync(text, { level: 9 })
  bytes[SYSTEM] = 255
  return bytes
}
