// Looks whether a log that its program still writes has changed: that of `transcript open --follow`, or files that were dropped.
import { ID_WITHIN, newestLog } from '../../wasm-pkg/js/cli/workbench/newest.ts'

/** How much of the end is searched for the begin of the last line, and how much of a file is read to see whether it is whole. */
const TAIL = 8 << 20
const WHOLE = 32 << 20
/** How often a file that looks broken is looked at again before it is shown as it is. */
const WAITS = 2

const isJson = (text) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const firstLine = async (file) => (await file.slice(0, ID_WITHIN).text()).split('\n')[0]

async function served(token, known) {
  const headers = { 'x-transcript-token': token, ...(known && { 'if-none-match': known }) }
  const response = await fetch('./api/log', { cache: 'no-store', headers })
  if (response.status === 304) return { tag: known }
  if (response.status === 204) return { tag: '', files: [] }
  if (!response.ok) throw new Error((await response.json().catch(() => undefined))?.error ?? `${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  let at = bytes.indexOf(10) + 1
  const files = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at))).map(({ path, modified, size }) => ({
    path,
    modified,
    file: new Blob([bytes.subarray(at, (at += size))]),
  }))
  return { tag: response.headers.get('etag') ?? '', files }
}

async function filesOf(handle, path) {
  if (handle.kind === 'file') {
    // A file that is gone for a moment is no failure.
    const file = await handle.getFile().catch(() => undefined)
    return file ? [{ path, modified: file.lastModified, file }] : []
  }
  const inside = []
  for await (const child of handle.values()) inside.push(filesOf(child, `${path}/${child.name}`))
  return (await Promise.all(inside)).flat()
}

async function dropped(handles) {
  let files = (await Promise.all(handles.map((handle) => filesOf(handle, handle.name)))).flat()
  if (handles.some(({ kind }) => kind === 'directory')) {
    const newest = newestOf(files)
    const isOf =
      newest && (await Promise.all(newest.agents.map(async ({ file }) => (await file.slice(0, ID_WITHIN).text()).includes(newest.id))))
    files = newest ? [...newest.files, ...newest.agents.filter((_, at) => isOf[at])] : []
  }
  return { tag: files.map(({ path, modified, file }) => [path, modified, file.size].join()).join('\n'), files }
}

/** The file without the line that is being written. */
async function withoutHalfLine({ path, file, ...others }) {
  // In other files a line has no end of its own.
  if (!/\.(jsonl|ndjson)$/i.test(path)) return { ...others, path, file }
  const start = Math.max(0, file.size - TAIL)
  const bytes = new Uint8Array(await file.slice(start).arrayBuffer())
  const end = bytes.lastIndexOf(10) + 1
  const tail = new TextDecoder().decode(bytes.subarray(end))
  const isHalf = end > 0 && /^[{[]/.test(tail) && !isJson(tail)
  return { ...others, path, file: isHalf ? file.slice(0, start + end) : file }
}

/** Whether a file is no JSON that is being written. */
const isWhole = async ({ path, file }) =>
  !/\.json$/i.test(path) || file.size > WHOLE || isJson(await firstLine(file)) || isJson(await file.text())

/** What was seen last, and what was shown last. */
let seen = {}
let shown
let newestOf = newestLog()

/**
 * The files, when they have changed since they were last given: `{files, modified, isOther}`. `begin` forgets what was given.
 * Throws when they cannot be read.
 */
export async function look({ token, handles = [], begin }) {
  if (begin) [seen, shown, newestOf] = [{}, undefined, newestLog()]
  const { tag, files } = token ? await served(token, seen.tag) : await dropped(handles)
  const isStill = tag === seen.tag
  if (!isStill) seen = { tag, files: await Promise.all(files.map(withoutHalfLine)), waits: seen.isGiven ? 0 : (seen.waits ?? 0) }
  const [main] = seen.files ?? []
  // A file that is written anew is empty, short or broken for a moment.
  if (seen.isGiven || !main?.file.size) return undefined
  const size = seen.files.reduce((size, { file }) => size + file.size, 0)
  const mayWait = shown && !isStill && (seen.waits += 1) <= WAITS
  if (mayWait && (size < shown.size || !(await Promise.all(seen.files.map(isWhole))).every(Boolean))) return undefined
  seen.isGiven = true
  // Lines are only added, so that another first line is that of another session.
  const head = /\.(jsonl|ndjson)$/i.test(main.path) ? await firstLine(main.file) : undefined
  const isOther = shown !== undefined && (shown.path !== main.path || shown.head !== head)
  shown = { path: main.path, head, size }
  return { files: seen.files, modified: Math.max(...seen.files.map(({ modified }) => modified)), isOther }
}
