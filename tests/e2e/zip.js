// A zip file of a few entries, some of which may say what is not so.
import { deflateRawSync } from 'node:zlib';

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const words = (...values) =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

/** The bytes of an archive of `[path, content, {flags}]`. */
export function zip(entries) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [path, content, { flags = 0 } = {}] of entries) {
    const name = Buffer.from(path);
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const common = words([2, 20], [2, flags], [2, 8], [4, 0], [4, crc32(data)], [4, packed.length], [4, data.length], [2, name.length], [2, 0]);
    parts.push(Buffer.from('PK\x03\x04'), common, name, packed);
    directory.push(Buffer.from('PK\x01\x02'), words([2, 20]), common, Buffer.alloc(10), words([4, at]), name);
    at += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = words([4, 0], [2, entries.length], [2, entries.length], [4, listed.length], [4, at], [2, 0]);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}
