// Sources in gzip, and in Zstandard where Node can unpack it. Node decompresses at once; elsewhere only asynchronous calls can.

/** The default limit on the bytes that a compressed file may hold: the core's own limit. */
export const DEFAULT_LIMIT = 32 << 20

type Gunzip = (bytes: Uint8Array, most: number, isZstandard: boolean) => Uint8Array<ArrayBuffer>

let gunzip: Gunzip | undefined

/**
 * Lets every call take bytes in gzip; the entry for Node calls it. `atOnce` returns the bytes in a compressed file, or in one
 * of Zstandard if its third argument is true, and throws an error of code `ERR_BUFFER_TOO_LARGE` beyond the limit in its
 * second argument.
 */
export const useGunzip = (atOnce: Gunzip) => {
  gunzip = atOnce
}

/** Whether the bytes begin as gzip does. */
export const isCompressed = (bytes: Uint8Array) => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b

/** Whether the bytes begin as a frame of Zstandard does. */
export const isZstandard = (bytes: Uint8Array) => bytes.length > 4 && [0x28, 0xb5, 0x2f, 0xfd].every((byte, at) => bytes[at] === byte)

/** Whether bytes are in gzip or in Zstandard. */
export const isPacked = (bytes: Uint8Array) => isCompressed(bytes) || isZstandard(bytes)

const limitOf = (maxBytes: number | undefined) => (Number.isInteger(maxBytes) ? maxBytes! : DEFAULT_LIMIT)

/** A placeholder for data that is too large: the core reports the size, and a small file cannot fill the memory. */
const tooLarge = (limit: number) => new Uint8Array(limit + 1)

/** The bytes in a compressed source; those that cannot be decompressed here stay, and the core reports what they are. */
export const decompressed = (bytes: Uint8Array, maxBytes: number | undefined) => {
  const isZstd = isZstandard(bytes)
  if (gunzip === undefined || !(isZstd || isCompressed(bytes))) return bytes
  const limit = limitOf(maxBytes)
  try {
    return gunzip(bytes, Math.max(1, limit), isZstd)
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(limit) : bytes
  }
}

/** The same by the platform's stream, for calls that may wait. */
export const decompressedLater = async (bytes: Uint8Array, maxBytes: number | undefined) => {
  if (gunzip !== undefined || !isCompressed(bytes) || typeof DecompressionStream !== 'function') {
    return decompressed(bytes, maxBytes)
  }
  const limit = limitOf(maxBytes)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    // A Blob takes no shared memory, which then stays as it is.
    const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length
      if (size > limit) {
        await reader.cancel()
        return tooLarge(limit)
      }
      chunks.push(next.value)
    }
  } catch {
    return bytes
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
