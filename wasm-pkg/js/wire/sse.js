// Events of a server, written and read.
import { parseJson } from '../adapters/content.js'

export const eventText = ({ event, data }) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** Reads a stream of bytes as it comes: `push` gives the events that are whole, `{event, data}`. */
export const eventReader = () => {
  const decoder = new TextDecoder()
  let rest = ''
  const read = (block) => {
    let event
    const lines = []
    for (const line of block.split(/\r\n|\r|\n/)) {
      if (line.startsWith('event:')) event = line.slice(6).trim()
      else if (line.startsWith('data:')) lines.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
    return lines.length === 0 ? [] : [{ event, data: parseJson(lines.join('\n'), null) }]
  }
  const whole = () => {
    const found = []
    for (let end; (end = /\r\n\r\n|\n\n|\r\r/.exec(rest)) !== null;) {
      found.push(...read(rest.slice(0, end.index)))
      rest = rest.slice(end.index + end[0].length)
    }
    return found
  }
  return {
    push: (bytes) => {
      rest += decoder.decode(bytes, { stream: true })
      return whole()
    },
    end: () => {
      rest += decoder.decode()
      const found = whole()
      return rest.trim() === '' ? found : [...found, ...read(rest)]
    },
  }
}
