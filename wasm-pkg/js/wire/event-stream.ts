// The frames of `application/vnd.amazon.eventstream`, in which Amazon Bedrock sends streams. The core reads those of recorded HTTP;
// a connection is of bytes, which the core never sees.
import { jsonText } from '../api/request.ts'
import type { Fields } from '../api/fields.ts'
import type { StreamEvent } from '../api/write-exchange.ts'
import type { ReadEvent } from './sse.ts'

/** The media type. */
export const FRAMES = 'application/vnd.amazon.eventstream'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The CRC-32 of RFC 1952, without a table: frames are short. */
const crc32 = (bytes: Uint8Array) => {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}

/** The length and the bytes of a text; the length has so many bytes. */
const sized = (text: string, size: 1 | 2) => {
  const bytes = encoder.encode(text)
  return size === 1 ? [bytes.length, ...bytes] : [bytes.length >> 8, bytes.length & 255, ...bytes]
}

/** The type of a header that is a text. */
const TEXT = 7

/** A frame: its length, that of its headers, their sum, the headers, the payload, and the sum of all. */
const frame = (kind: string, name: string, payload: unknown) => {
  const headers = [
    [`:${kind}-type`, name],
    [':content-type', 'application/json'],
    [':message-type', kind],
  ].flatMap(([key, value]) => [...sized(key!, 1), TEXT, ...sized(value!, 2)])
  const body = encoder.encode(jsonText(payload))
  const out = new Uint8Array(headers.length + body.length + 16)
  const view = new DataView(out.buffer)
  view.setUint32(0, out.length)
  view.setUint32(4, headers.length)
  view.setInt32(8, crc32(out.subarray(0, 8)))
  out.set(headers, 12)
  out.set(body, headers.length + 12)
  view.setInt32(out.length - 4, crc32(out.subarray(0, -4)))
  return out
}

const failureFrame = (data: unknown) => {
  const { type, message } = (data as { error: { type: string; message: unknown } }).error
  return frame('exception', type === 'api_error' ? 'modelStreamErrorException' : type, { message })
}

/** The frame of an event of Converse. */
export const converseFrame = ({ event, data }: StreamEvent) => (event === 'error' ? failureFrame(data) : frame('event', event!, data))

/** The frame of an event of the model's own stream, which is a chunk of bytes. */
export const invocationFrame = ({ event, data }: StreamEvent) => {
  if (event === 'error') return failureFrame(data)
  const text = Array.from(encoder.encode(jsonText(data)), (byte) => String.fromCharCode(byte)).join('')
  return frame('event', 'chunk', { bytes: btoa(text) })
}

const readFrame = (bytes: Uint8Array, parse: (text: string) => unknown): ReadEvent => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = (from: number, to: number) => decoder.decode(bytes.subarray(from, to))
  const headers = new Map<string, string>()
  const start = view.getUint32(4) + 12
  for (let at = 12; at < start; ) {
    // One byte follows the name for the type, and two for the length: all headers are texts.
    const nameEnd = at + 1 + view.getUint8(at)
    const end = nameEnd + 3 + view.getUint16(nameEnd + 1)
    headers.set(text(at + 1, nameEnd), text(nameEnd + 3, end))
    at = end
  }
  const data = parse(text(start, bytes.length - 4)) as Fields
  if (headers.get(':message-type') !== 'event') {
    const type = headers.get(':exception-type') ?? headers.get(':error-code')
    const message = data?.message ?? headers.get(':error-message') ?? ''
    return { event: 'error', data: { type: 'error', error: { type, message } } }
  }
  const event = headers.get(':event-type')!
  if (event !== 'chunk') return { event, data: { [event]: data } }
  const chunk = Uint8Array.from(atob(String(data?.bytes)), (character) => character.charCodeAt(0))
  return { event: undefined, data: parse(decoder.decode(chunk)) }
}

/** The length of a frame without headers and payload. */
const SHORTEST = 16

/** Reads frames as they come, as the reader of server-sent events does: the events of Converse are under their names. */
export const frameReader = (parse: (text: string) => unknown) => {
  let rest = new Uint8Array(0)
  return {
    push: (bytes: Uint8Array) => {
      const all = new Uint8Array(rest.length + bytes.length)
      all.set(rest)
      all.set(bytes, rest.length)
      const view = new DataView(all.buffer)
      const found: ReadEvent[] = []
      let at = 0
      while (all.length - at >= SHORTEST) {
        const end = at + Math.max(view.getUint32(at), SHORTEST)
        if (end > all.length) break
        found.push(readFrame(all.subarray(at, end), parse))
        at = end
      }
      rest = all.slice(at)
      return found
    },
    /** A frame that is cut is no event. */
    end: (): ReadEvent[] => [],
  }
}
