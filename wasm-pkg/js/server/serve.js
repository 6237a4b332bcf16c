// A server that answers as the models of recordings did.
import { JSON_TYPE, paced, refused, respond, timingOf } from '../wire/index.js'
import { checkNames, listen, placeOf, telling } from './listen.js'
import { decodedName } from './session-names.js'
import { Shelf } from './recording-registry.js'

const OWN = ['port', 'host', 'maxBytes', 'timing', 'replay', 'onAnswer', 'signal']

const json = (status, data) => ({ status, headers: { 'content-type': JSON_TYPE }, text: `${JSON.stringify(data)}\n` })

const control = (shelf, { method, path, headers }) => {
  if (method === 'GET' && /^\/(health|healthz)$/.test(path)) return json(200, { ok: true, transcripts: shelf.names })
  const found = /^\/(?:(.*)\/)?transcript\/?$/.exec(path)
  if (found === null) return undefined
  const prefix = found[1] ?? ''
  const wrong = shelf.wrong(prefix, headers)
  if (wrong !== undefined) return refused(path, headers, 404, wrong, 'unknown_transcript')
  if (method === 'DELETE') {
    shelf.reset(prefix, headers)
    return json(200, { ok: true })
  }
  return method === 'GET' ? json(200, { sessions: shelf.statuses(prefix, headers) }) : undefined
}

/** Answers the clients of OpenAI and of Anthropic from recordings, over HTTP. */
export const serve = async (source, options = {}) => {
  checkNames('serve', options, OWN)
  const place = placeOf('serve', options)
  const timing = timingOf('serve', options.timing)
  const { onAnswer, replay, signal } = options
  const tell = telling('serve', onAnswer)
  signal?.throwIfAborted()
  const shelf = await Shelf.open(source, replay)
  const rooms = {
    find: (prefix, headers) => shelf.find(prefix, headers),
    modelNames: (prefix, headers) => shelf.modelNames(prefix, headers),
  }
  const server = await listen(place, async (asked) => {
    if (decodedName(asked.path) === undefined) {
      return refused(asked.path, asked.headers, 400, `the address \`${asked.path}\` has a \`%\` that begins no character`, 'unreadable_address')
    }
    const controlled = control(shelf, asked)
    if (controlled !== undefined) return controlled
    const { method, path, headers, bytes, signal: gone } = asked
    const told = await respond({ method, path, headers, text: bytes.toString('utf8'), signal: gone }, rooms)
    tell({ method, path, status: told.status, ...(told.status >= 400 ? { error: JSON.parse(told.text).error } : {}) })
    return told.events === undefined ? told : { ...told, pieces: paced(told.events, timing, gone) }
  })
  const close = () => server.close()
  signal?.addEventListener('abort', close, { once: true })
  return {
    url: server.url,
    port: server.port,
    host: server.host,
    get names() {
      return shelf.names
    },
    get sessions() {
      return shelf.sessions
    },
    tape: (name = shelf.names[0], session = '') => shelf.source(name, session),
    assertComplete: () => shelf.assertComplete(),
    reset: () => shelf.clear(),
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  }
}
