// The log that another program is writing: a file, or the newest one of a folder with the files that belong to it.
import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UsageError } from '../failure.ts'
import { canonicalPath, hashOf } from './file.ts'
import { ID_WITHIN, newestLog } from './newest.ts'

/** What fails because a file or a folder is gone by now, or may not be read. */
const unlessGone = <Result>(work: () => Result) => {
  try {
    return work()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code!)) return undefined
    throw error
  }
}

const fileAt = (place: string, path: string) => {
  const stat = unlessGone(() => statSync(place, { bigint: true }))
  if (!stat?.isFile()) return []
  const { mtimeNs, size, ino } = stat
  return [{ path, place, modified: Number(mtimeNs / 1_000_000n), stamp: [path, mtimeNs, size, ino].join() }]
}

type LogFile = ReturnType<typeof fileAt>[number]

/** The files below a folder. Links are left out: they may lead out of it. */
const filesBelow = (place: string, path: string): LogFile[] =>
  (unlessGone(() => readdirSync(place, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const [below, name] = [join(place, entry.name), `${path}/${entry.name}`]
    if (entry.isDirectory()) return filesBelow(below, name)
    return entry.isFile() ? fileAt(below, name) : []
  })

const begins = ({ place }: LogFile) => {
  const opened = unlessGone(() => openSync(place, 'r'))
  if (opened === undefined) return ''
  try {
    const bytes = Buffer.alloc(ID_WITHIN)
    return bytes.toString('utf8', 0, readSync(opened, bytes))
  } finally {
    closeSync(opened)
  }
}

/** The log of a file or a folder of that name. The file need not exist yet. */
export const followLog = (name: string) => {
  const place = canonicalPath(name)
  const stat = statSync(place, { throwIfNoEntry: false })
  const isFolder = stat?.isDirectory() ?? false
  if (stat !== undefined && !isFolder && !stat.isFile())
    throw new UsageError(`cannot follow \`${name}\`: it is neither a file nor a folder`)
  // An agent of a session is found by the first lines, which never change.
  const known = new Map<string, boolean>()
  const isOf = (file: LogFile, id: string) => {
    const key = `${id} ${file.place}`
    if (!known.get(key)) known.set(key, begins(file).includes(id))
    return known.get(key)!
  }
  const newestOf = newestLog()
  const files = () => {
    if (!isFolder) return fileAt(place, basename(place))
    const newest = newestOf(filesBelow(place, basename(place)))
    return newest === undefined ? [] : [...newest.files, ...newest.agents.filter((file) => isOf(file, newest.id))]
  }
  /** What is there now: its version, which no other content has, and how to read it. */
  const look = () => {
    const found = files()
    if (found.length === 0) return undefined
    const read = () => {
      const parts = found.flatMap(({ path, place, modified }) => {
        const bytes = unlessGone(() => readFileSync(place))
        return bytes === undefined ? [] : [{ path, modified, bytes }]
      })
      // A line says what follows it.
      const head = parts.map(({ path, modified, bytes }) => ({ path, modified, size: bytes.length }))
      return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts.map(({ bytes }) => bytes)])
    }
    return { version: hashOf(found.map(({ stamp }) => stamp).join('\n')), read }
  }
  return { name: basename(place), id: `file-${hashOf(place).slice(0, 22)}`, look }
}

export type FollowedLog = ReturnType<typeof followLog>
