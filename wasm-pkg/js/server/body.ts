// The body of a request of HTTP.

/** All of it; undefined where it is longer than `most` bytes: the rest is not read. */
export const bodyOf = async (request: AsyncIterable<Uint8Array>, most: number) => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
