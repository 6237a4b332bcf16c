// Events of a server, written and read.
import { jsonText } from '../api/request.ts'

export const eventText = ({ event, data }: { event?: string | undefined; data: unknown }) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : jsonText(data)}\n\n`

/** An event as a line of JSON. */
export const lineText = ({ data }: { data: unknown }) => `${jsonText(data)}\n`

/** The name and the value of a line, without the space that may follow the colon. */
const fieldOf = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)]
}

/**
 * The lines of a string that comes in pieces, each without its end: \r\n, \n or \r. Every character is looked at once, however
 * small the pieces are.
 */
const lineReader = () => {
  let pieces: string[] = []
  // Whether the last line ended with a \r at the end of a piece: a \n that follows belongs to it.
  let isAfterReturn = false
  const lineWith = (last: string) => {
    const line = pieces.length === 0 ? last : pieces.join('') + last
    pieces = []
    return line
  }
  return {
    push: (text: string) => {
      if (text === '') return []
      const lines: string[] = []
      let start = isAfterReturn && text[0] === '\n' ? 1 : 0
      const lineEnd = /\r\n|\n|\r/g
      lineEnd.lastIndex = start
      while (lineEnd.exec(text) !== null) {
        const end = lineEnd.lastIndex
        lines.push(lineWith(text.slice(start, text[end - 2] === '\r' && text[end - 1] === '\n' ? end - 2 : end - 1)))
        start = end
      }
      if (start < text.length) pieces.push(text.slice(start))
      isAfterReturn = text.at(-1) === '\r'
      return lines
    },
    /** What follows the last end of a line. */
    rest: () => lineWith(''),
  }
}

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An event that was read: its data is null where it is no JSON. */
export interface ReadEvent {
  event: string | undefined
  data: unknown
}

/**
 * Reads a stream of bytes as it comes, by the rules of the HTML standard for event streams: `push` gives the events that are
 * whole, `{event, data}`; `end` also gives one that no empty line ends. `parse` reads the data of an event, and returns null for data
 * that is no JSON.
 */
export const eventReader = (parse: (text: string) => unknown = parseOrNull) => {
  // It drops a byte order mark at the start.
  const decoder = new TextDecoder()
  const lines = lineReader()
  let event: string | undefined
  let data: string[] = []
  const dispatch = () => {
    const found: ReadEvent[] = data.length === 0 ? [] : [{ event, data: parse(data.length === 1 ? data[0]! : data.join('\n')) }]
    event = undefined
    data = []
    return found
  }
  const read = (line: string): ReadEvent[] => {
    if (line === '') return dispatch()
    // A comment is a field without a name.
    const [name, value] = fieldOf(line)
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    return []
  }
  const push = (text: string) => lines.push(text).flatMap(read)
  return {
    push: (bytes: Uint8Array) => push(decoder.decode(bytes, { stream: true })),
    end: () => {
      const found = push(decoder.decode())
      return [...found, ...read(lines.rest()), ...dispatch()]
    },
  }
}

/** Reads a stream of lines of JSON in the same way. */
export const lineEventReader = (parse: (text: string) => unknown = parseOrNull) => {
  const decoder = new TextDecoder()
  const lines = lineReader()
  const read = (line: string): ReadEvent[] => (line.trim() === '' ? [] : [{ event: undefined, data: parse(line) }])
  return {
    push: (bytes: Uint8Array) => lines.push(decoder.decode(bytes, { stream: true })).flatMap(read),
    end: () => [...lines.push(decoder.decode()), lines.rest()].flatMap(read),
  }
}
