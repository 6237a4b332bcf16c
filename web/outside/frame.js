// Asks one host for one thing, in a sandboxed frame of its own: the page that holds it may ask only its own server.
//
// The page makes the frame after a person has agreed to the host, and sends `[origin, request]` with a port. From then on
// the frame may ask that origin alone. It reports, through the port:
//   ['here']                       that it is there
//   ['progress', bytes, total]     what has come of a document; `total` is 0 while it is not known
//   ['wrote', text]                what a model has written so far
//   ['read', operation, format, data]  JSON of an endpoint for the core; the page answers [answer] or [undefined, problem]
//   ['waiting', seconds, status]   that an endpoint wants to be asked again later
//   ['done', answer]               the bytes of a document, or JSON of what a model answered
//   ['failed', kind, detail]       'status', 'large', 'late', 'redirect', 'unreachable', or 'model' with the reason
import { anthropic } from '../../wasm-pkg/js/authoring/models/anthropic.ts'
import { openai } from '../../wasm-pkg/js/authoring/models/openai.ts'

const QUIET = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' }

/** Whether the host redirected to another one; the browser hides its name. */
let isElsewhere = false
addEventListener('securitypolicyviolation', () => {
  isElsewhere = true
})
/** How long the browser may take to say so, in milliseconds. */
const WORD = 100

/** Narrows the policy of this frame, which a later one of the same kind can only narrow further. */
function only(origin) {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `connect-src ${origin}`
  document.head.append(policy)
}

const failed = (kind, detail = '') => Object.assign(new Error(kind), { kind, detail })

async function documentAt({ url, limit, patience }, send) {
  const stop = new AbortController()
  let timer
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stop.abort(), patience)
  }
  const excuse = async () => {
    if (stop.signal.aborted) throw failed('late')
    await new Promise((resolve) => setTimeout(resolve, WORD))
    throw failed(isElsewhere ? 'redirect' : 'unreachable')
  }
  restartTimer()
  try {
    const response = await fetch(url, { ...QUIET, signal: stop.signal }).catch(excuse)
    if (!response.ok) throw failed('status', String(response.status))
    const isPacked = response.headers.has('content-encoding')
    const total = isPacked ? 0 : Number(response.headers.get('content-length') ?? 0)
    if (total > limit) throw failed('large')
    const reader = response.body.getReader()
    const pieces = []
    let length = 0
    for (;;) {
      const { done, value } = await reader.read().catch(excuse)
      if (done) break
      restartTimer()
      pieces.push(value)
      length += value.length
      if (length > limit) throw failed('large')
      send('progress', length, total)
    }
    const bytes = new Uint8Array(length)
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** A browser hides where it would be sent on to. */
async function fetchWithoutRedirect(url, options) {
  const response = await fetch(url, { ...options, ...QUIET })
  if (response.type === 'opaqueredirect') throw new Error('it sends on to another address, which is not followed')
  return response
}

const MODELS = { openai, anthropic }
/** Without it the endpoint of Anthropic answers no page. */
const HEADERS = { openai: {}, anthropic: { 'anthropic-dangerous-direct-browser-access': 'true' } }

/** Has the page read what the endpoint answered: the frame may load no core. */
function pageReader(port) {
  // One request is read after another.
  return (operation, format, data) =>
    new Promise((resolve, reject) => {
      port.onmessage = ({ data: [answer, problem] }) => {
        if (answer === undefined) reject(new Error(problem))
        else resolve(JSON.parse(answer))
      }
      port.postMessage(['read', operation, format, JSON.stringify(data)])
    })
}

async function modelReply({ kind, endpoint, messages }, send, port) {
  const model = MODELS[kind]({ ...endpoint, headers: HEADERS[kind], fetch: fetchWithoutRedirect }, pageReader(port))
  let wrote = 0
  try {
    const { text, finish } = await model({
      messages,
      stream: true,
      retries: 2,
      onText: (text) => {
        if (text.length === wrote) return
        wrote = text.length
        send('wrote', text)
      },
      onWait: (ms, status) => send('waiting', Math.ceil(ms / 1000), status),
    })
    return JSON.stringify({ text, finish })
  } catch (error) {
    throw failed('model', error.message)
  }
}

addEventListener('message', async function begin({ source, data, ports: [port] }) {
  if (source !== parent || !port) return
  removeEventListener('message', begin)
  const [origin, request] = data
  const send = (...event) => port.postMessage(event)
  send('here')
  only(origin)
  const { what, ...about } = JSON.parse(request)
  try {
    send('done', await (what === 'document' ? documentAt : modelReply)(about, send, port))
  } catch (error) {
    send('failed', error.kind ?? 'model', error.detail ?? String(error))
  }
})
