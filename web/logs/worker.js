// Reads what a person brought apart from the page. A message is a list of a number and a question:
//   {files: [{path, file | text}], from} or {session, from}   the answer is that of `Logs` as JSON; with `last`, of several sessions
//                                                             that of the one that ended last
//   {text: PATH}                                              the answer is the text of that file
//   {sizes: [BEGIN, END], from}                               the answer is that of `Logs.sizes` as JSON
//   {follow: {token | handles, begin}}                        the answer is empty, or a line with the time of a log that has changed,
//                                                             ` other` where it is another session, and the answer of `Logs`
// The answer has that number first, then the text, or null and the reason. One without a number ends the worker; without a reason,
// too, its module did not come.
import init, { Logs, addExports } from './engine.js'
import { addPart, startEngine } from '../static/engine.js'
import { look } from '../static/follow.js'

const LIMIT = 32 << 20
// A log can be so large. What is in gzip has no end that is known, and is unpacked piece by piece by the module: the stream that the
// browser has for it piles up what it gave.
const MOST = 2 ** 31
const FIRST = 64
const CHUNK = 1 << 20

const ready = startEngine({
  init,
  addExports,
  module: new URL('./engine_bg.wasm', import.meta.url),
  later: [
    new URL('./engine_rest.wasm', import.meta.url),
    new URL('./engine_extra.wasm', import.meta.url),
    new URL('./engine_logs.wasm', import.meta.url),
  ],
})
/** The worker's own messages, in the language of the page, which names it. */
const say = (english, german) => (self.name === 'de' ? german : english)
// The part that unpacks archives and databases loads with the first of them.
let archives
const startArchives = () =>
  (archives ??= ready
    .then((first) => addPart(first, addExports, new URL('./engine_archives.wasm', import.meta.url)))
    .catch(() => {
      archives = undefined
      // Without a reason: the module did not come.
      throw new Error('')
    }))
let logs
// Whether `logs` has unpacked something.
let isUnpacked = false
// The file that is too large to be held.
let large

// A reader of the stream, and the buffer that it fills again and again where it can. Buffers that are let go would be held until the
// browser happens to clear up, and are more than the file together.
function readerOf(stream) {
  try {
    return { reader: stream.getReader({ mode: 'byob' }), buffer: new ArrayBuffer(CHUNK) }
  } catch {
    return { reader: stream.getReader() }
  }
}

// Passes the bytes of the large file chunk by chunk, and reports how many there are; for gzip how many are in it, which are
// not counted beyond `most`.
async function bytesOf(take, most) {
  const { reader, buffer } = readerOf(large.file.stream())
  let view = buffer && new Uint8Array(buffer)
  if (large.isPacked) logs.beginPacked(most)
  for (let size = 0; ; ) {
    const { done, value } = await reader.read(view)
    if (done) return size
    take(value)
    size = large.isPacked ? logs.unpackedSize() : size + value.length
    if (size > most) {
      await reader.cancel()
      return size
    }
    if (view) view = new Uint8Array(value.buffer)
    else value.buffer.transfer?.(0)
  }
}

async function each(take) {
  if ((await bytesOf(take, MOST)) > MOST) throw new Error(`it has more than ${MOST / 2 ** 20} MiB`)
}

async function cut(part) {
  if (!logs.beginCut(part)) return false
  do await each((chunk) => logs.cut(chunk))
  while (logs.cutAgain())
  return true
}

// Whether a file is too large and yet may be read: lines of JSON or one document of it.
async function isLarge({ path, file }) {
  if (!file) return false
  const isOf = (bytes) => /^\uFEFF?\s*[{[]/.test(new TextDecoder().decode(bytes))
  const begin = new Uint8Array(await file.slice(0, FIRST).arrayBuffer())
  const isPacked = begin[0] === 0x1f && begin[1] === 0x8b
  large = { path: isPacked ? path.replace(/\.gz$/, '') : path, file, isPacked }
  if (!isPacked) return file.size > LIMIT && isOf(begin)
  if (file.size > MOST) return false
  return (await bytesOf((chunk) => logs.probe(chunk), LIMIT)) > LIMIT && isOf(logs.unpackedBegin())
}

// Returns whether the file is an archive or a database, which `archivesUnpack` unpacks.
async function addFile(path, file) {
  const begin = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const mayBeLarger = ['PK', 'SQ'].includes(String.fromCharCode(...begin))
  if (logs.refuses(path, file.size, mayBeLarger)) return false
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return isPacked ? logs.addPacked(path.replace(/\.gz$/, ''), bytes) : logs.add(path, bytes)
}

async function add({ path, file, text }) {
  const isContainer = text === undefined ? await addFile(path, file) : logs.add(path, new TextEncoder().encode(text))
  if (!isContainer) return
  await startArchives()
  logs.archivesUnpack()
  isUnpacked = true
}

// Of several sessions in the files, the one that ended last.
async function answerOfLast(files) {
  const all = await answer({ files })
  const { sessions = [], text } = JSON.parse(all)
  if (text !== undefined || sessions.length === 0) return all
  const ends = JSON.parse(logs.sizes(0, sessions.length)).map(({ ended }) => Date.parse(ended) || 0)
  return answer({ session: sessions[Math.max(0, ends.indexOf(Math.max(...ends)))] })
}

async function followed(log) {
  const found = await look(log)
  if (!found) return ''
  // A person may be choosing a session of other files.
  const before = { logs, isUnpacked, large }
  logs = undefined
  try {
    return `${found.modified} ${found.isOther ? 'other' : ''}\n${await answerOfLast(found.files)}`
  } finally {
    if (before.logs) {
      logs?.free()
      ;({ logs, isUnpacked, large } = before)
    }
  }
}

async function answer({ files, session, from, text, sizes, follow, last }) {
  if (follow) return followed(follow)
  if (last) return answerOfLast(files)
  if (!files && !logs) {
    throw new Error(
      say('the files are no longer at hand; bring them once more', 'die Dateien sind nicht mehr da; bitte noch einmal bringen'),
    )
  }
  if (text !== undefined) return logs.text(text)
  if (sizes) return logs.sizes(...sizes, from)
  if (files) {
    logs?.free()
    logs = new Logs()
    isUnpacked = false
    if (files.length === 1 && (await isLarge(files[0]))) {
      await each((chunk) => logs.look(large.path, chunk))
      await cut()
    } else {
      large = undefined
      for (const file of files) await add(file)
    }
  } else if (large && session !== undefined && (await cut(session))) {
    return logs.answer(undefined, from)
  }
  return isUnpacked ? logs.archivesAnswer(session, from) : logs.answer(session, from)
}

let isStarted = false
async function reply(number, question) {
  try {
    await ready
    isStarted = true
    postMessage([number, await answer(question)])
  } catch (error) {
    const reason = String(error?.message ?? error)
    const isBroken = error instanceof WebAssembly.RuntimeError
    const stopped = say('the reader of logs stopped', 'der Leser von Protokollen ist stehen geblieben')
    postMessage([isBroken || !isStarted ? null : number, null, isStarted ? (isBroken ? `${stopped}: ${reason}` : reason) : ''])
  }
}

// One after the other: a question about the files waits until they are read.
let last = Promise.resolve()
addEventListener('message', ({ data: [number, question] }) => (last = last.then(() => reply(number, question))))
