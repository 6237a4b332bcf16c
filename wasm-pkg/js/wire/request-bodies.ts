// Bodies of requests as data. An agent sends its whole history each time: what it sent before is not read again, and
// its messages stay the same objects, by which a replay knows them.

import { parseExact } from '../api/exact-json.ts'
import { jsonText } from '../api/request.ts'
import type { RequestBody } from './protocols.ts'

/** How many agents that take turns are remembered. */
const MOST = 8

const isBody = (value: unknown): value is RequestBody => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Where the list of messages ends in the text of a body; undefined if that is not certain. The fields after it must be written
 * as `JSON.stringify` writes them.
 */
const listEnd = (text: string, body: RequestBody, list: string) => {
  if (!Array.isArray(body[list]) || body[list].length === 0) return undefined
  const entries = Object.entries(body)
  const fieldsAfter = Object.fromEntries(entries.slice(entries.findIndex(([key]) => key === list) + 1))
  const rest = jsonText(fieldsAfter).slice(1)
  const tail = `]${rest === '}' ? '' : ','}${rest}`
  return text.endsWith(tail) ? text.length - tail.length : undefined
}

/** A body that was read, and its text up to the end of its list of messages. */
interface KnownBody {
  list: string
  end: number
  begin: string
  body: RequestBody
}

export class RequestBodies {
  #bodies: KnownBody[] = []

  /** The body of a string, with its messages in `list`; throws what `JSON.parse` throws. */
  read(text: string, list: string): RequestBody {
    const at = this.#bodies.findIndex((known) => known.list === list && text[known.end] === ',' && text.startsWith(known.begin))
    const known = at < 0 ? undefined : this.#bodies.splice(at, 1)[0]
    const body: unknown = known === undefined ? parseExact(text) : this.#extend(text, known)
    if (!isBody(body)) throw new SyntaxError('it is not an object')
    const end = listEnd(text, body, list)
    if (end !== undefined) {
      this.#bodies.unshift({ list, end, begin: text.slice(0, end), body })
      this.#bodies.length = Math.min(this.#bodies.length, MOST)
    }
    return body
  }

  #extend(text: string, { list, end, body }: KnownBody) {
    const more: { [key: string]: unknown } = parseExact(`{${JSON.stringify(list)}:[${text.slice(end + 1)}`)
    const entries = Object.entries(body)
    const head = Object.fromEntries(
      entries.slice(
        0,
        entries.findIndex(([key]) => key === list),
      ),
    )
    const { [list]: added, ...rest } = more
    return { ...head, [list]: [...(body[list] as unknown[]), ...(added as unknown[])], ...rest }
  }
}
