// Writes a zip file of a few entries, some with false data; and reads one.
import assert from 'node:assert/strict'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

function crc32(bytes) {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

const words = (...values) =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )

/** The bytes of an archive of `[path, content, {flags}]`. */
export function zip(entries) {
  const parts = []
  const directory = []
  let at = 0
  for (const [path, content, { flags = 0 } = {}] of entries) {
    const name = Buffer.from(path)
    const data = Buffer.from(content)
    const packed = deflateRawSync(data)
    const common = words(
      [2, 20],
      [2, flags],
      [2, 8],
      [4, 0],
      [4, crc32(data)],
      [4, packed.length],
      [4, data.length],
      [2, name.length],
      [2, 0],
    )
    parts.push(Buffer.from('PK\x03\x04'), common, name, packed)
    directory.push(Buffer.from('PK\x01\x02'), words([2, 20]), common, Buffer.alloc(10), words([4, at]), name)
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = words([4, 0], [2, entries.length], [2, entries.length], [4, listed.length], [4, at], [2, 0])
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end])
}

/** The paths and texts of an archive, as its directory at the end has them. */
export function unzip(bytes) {
  const end = bytes.lastIndexOf('PK\x05\x06')
  assert.ok(end >= 0, 'no directory')
  const files = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(bytes.toString('latin1', at, at + 4), 'PK\x01\x02')
    const [sum, packed, size, local] = [16, 20, 24, 42].map((place) => bytes.readUInt32LE(at + place))
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place))
    const path = bytes.toString('utf8', at + 46, at + 46 + name)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = inflateRawSync(bytes.subarray(from, from + packed))
    assert.deepEqual([content.length, crc32(content)], [size, sum], path)
    files.push([path, content.toString()])
    at += 46 + name + extra + comment
  }
  return files
}
