// Reads and writes the file of `transcript open` for the page, and watches it. Nothing else loads this.
//
// The page sends `[token]` first, and `[text, version]` to have `text` written in place of that version of the file,
// which is '' for none. It gets:
//   ['file', name, id, version, bytes, readOnly, autosave]  what there is; `bytes` is null while there is no file
//   ['log']                                                 it is a log to follow, which the worker of the logs reads
//   ['changed', version, bytes]                             something else has written or removed it
//   ['saved', version]                                      what was sent is in the file
//   ['conflict', version, bytes]                            it is not, since the file is another one by now
//   ['failed', reason]                                      it is not, or the file cannot be read
//   ['gone', whether]                                       whether the program has ended
const EVERY_MS = 1000

let token
/** The file as it was seen last. */
let seen = { version: '', bytes: null }
let isGone = false
/** Whether another worker reads what there is; this one then only watches the program. */
let isLog = false

const ask = (path, { headers, ...options } = {}) =>
  fetch(path, { ...options, cache: 'no-store', headers: { ...headers, 'x-transcript-token': token } })

const reasonIn = async (response) => {
  const body = await response.json().catch(() => undefined)
  // The worker is named after the language of the page.
  const answered = self.name === 'de' ? 'die Antwort war' : 'the answer was'
  return [body?.error ?? `${answered} ${response.status}`, body?.help].filter(Boolean).join('; ')
}

const versionOf = (response) => response.headers.get('etag') ?? ''

/** Looks at the file; false when it is as it was seen last. */
const look = async (headers) => {
  const response = await ask('./api/file', { headers })
  if (response.status === 304) return false
  if (!response.ok) throw new Error(await reasonIn(response))
  const version = versionOf(response)
  if (version === seen.version) return false
  seen = { version, bytes: version === '' ? null : new Uint8Array(await response.arrayBuffer()) }
  return true
}

const linesOf = (text) => text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? []
const plain = (line) => line.replace(/\r\n?$/, '\n')

/** The text of the page, which knows LF alone, with the line ends that the file has; a new line ends as most do. */
const withLineEnds = (text, bytes) => {
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes ?? new Uint8Array())
  if (!before.includes('\r')) return text
  const old = linesOf(before)
  const now = linesOf(text)
  const ends = ['\n', '\r\n', '\r'].map((end) => [end, old.filter((line) => line.replace(/^[^\r\n]*/, '') === end).length])
  const [[usual]] = ends.sort(([, a], [, b]) => b - a)
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && plain(old[head]) === now[head]) head += 1
  let tail = 0
  while (tail < most - head && plain(old[old.length - 1 - tail]) === now[now.length - 1 - tail]) tail += 1
  const changed = now.slice(head, now.length - tail).map((line) => line.replace(/\n$/, usual))
  return [...old.slice(0, head), ...changed, ...old.slice(old.length - tail)].join('')
}

const save = async (text, version) => {
  const body = new TextEncoder().encode(withLineEnds(text, seen.bytes))
  const headers = version === '' ? { 'if-none-match': '*' } : { 'if-match': version }
  const response = await ask('./api/file', { method: 'PUT', headers, body })
  if (response.ok) {
    seen = { version: versionOf(response), bytes: body }
    postMessage(['saved', seen.version])
  } else if (response.status === 412) {
    await look()
    postMessage(['conflict', seen.version, seen.bytes])
  } else {
    postMessage(['failed', await reasonIn(response)])
  }
}

const gone = (now) => {
  if (now !== isGone) postMessage(['gone', (isGone = now)])
}

const begin = async () => {
  const response = await ask('./api/workspace')
  if (!response.ok) throw new Error(await reasonIn(response))
  const { name, id, readOnly, autosave, follow } = await response.json()
  isLog = follow
  if (isLog) {
    postMessage(['log'])
  } else {
    await look()
    postMessage(['file', name, id, seen.version, seen.bytes, readOnly, autosave])
  }
  watch()
}

const watch = async () => {
  await new Promise((done) => setTimeout(done, isGone ? 5 * EVERY_MS : EVERY_MS))
  await turn(async () => {
    try {
      if (isLog) await ask('./api/workspace')
      const isChanged = !isLog && (await look(seen.version === '' ? {} : { 'if-none-match': seen.version }))
      gone(false)
      if (isChanged) postMessage(['changed', seen.version, seen.bytes])
    } catch {
      gone(true)
    }
  })
  watch()
}

// One thing after the other, so that a look in the middle of a write finds nothing strange.
let last = Promise.resolve()
const turn = (act) => (last = last.then(act))

onmessage = ({ data }) =>
  turn(async () => {
    try {
      if (data.length > 1) return await save(...data)
      token = data[0]
      await begin()
    } catch (error) {
      // A fetch without any answer is a TypeError.
      postMessage(['failed', error instanceof TypeError ? '' : error.message])
    }
  })
