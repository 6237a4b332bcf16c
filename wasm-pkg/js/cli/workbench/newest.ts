// Which files of a folder belong to the log that was written last. The page asks the same of a folder that was dropped.

/** A file with its path below the folder, and when it was written. */
export interface WrittenFile {
  path: string
  modified: number
}

const LINES = /\.(jsonl|ndjson)(\.gz|\.zst)?$/i
const LOG = /\.(jsonl?|ndjson|ya?ml|har|eval|db|sqlite3?|vscdb)(\.gz|\.zst)?$/i

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
/** The folder of a path with its final slash; empty for none. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
/** The path without its extension: that of the folder where the agents of a session are. */
const stemOf = (path: string) => path.replace(LOG, '')

/** The folders around a path, the outermost first. */
const foldersOf = (path: string) => ['', ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))]

/** Older releases of Claude Code keep the agents of all sessions next to them. */
const isAgent = ({ path }: WrittenFile) => nameOf(path).startsWith('agent-')

/** How long a followed session must be quiet before an older one takes its place, in milliseconds. */
const QUIET = 30_000

/**
 * Finds the session that was written last. It stays with a session while it is written; only a session that is new takes its place
 * at once. The result has the `files`, the main one first. `agents` may belong to it: those with `id` in their first lines do. It is
 * undefined if there is no log.
 */
export const newestLog = () => {
  let followed: { path: string; known: Set<string> } | undefined
  return <File extends WrittenFile>(all: readonly File[]) => {
    const found = newest(all, followed)
    followed = found && { path: found.files[0]!.path, known: new Set(all.map(({ path }) => path)) }
    return found
  }
}

const latestOf = <File extends WrittenFile>(files: readonly File[]) =>
  files.reduce<File | undefined>((latest, file) => (latest && latest.modified >= file.modified ? latest : file), undefined)

const newest = <File extends WrittenFile>(all: readonly File[], followed?: { path: string; known: Set<string> }) => {
  const logs = all.filter(({ path }) => LOG.test(path))
  // Where there are logs in JSON Lines, the other files are an index or settings.
  const lines = logs.filter(({ path }) => LINES.test(path))
  const sessions = lines.length > 0 ? lines : logs
  const own = sessions.filter((file) => !isAgent(file))
  const last = latestOf(own.length > 0 ? own : sessions)
  if (last === undefined) return undefined
  const before = followed?.known.has(last.path) && sessions.find(({ path }) => path === followed.path)
  const isActive = (file: File) =>
    Date.now() - file.modified < QUIET && (file === before || file.path.startsWith(`${stemOf(followed!.path)}/`))
  const latest = before && sessions.some(isActive) ? before : last
  const folders = foldersOf(latest.path)
  const find = (isMain: (file: File, folder: string) => boolean) =>
    folders.map((folder) => logs.find((file) => isMain(file, folder))).find(Boolean)
  // The file next to the folder of its agents, or else the outermost file of that name.
  const main =
    find(({ path }, folder) => `${stemOf(path)}/` === folder) ?? find(({ path }, folder) => path === folder + nameOf(latest.path)) ?? latest
  const folder = folderOf(main.path)
  const siblings = logs.filter((file) => file !== main && folderOf(file.path) === folder)
  const below = siblings.length === 0 ? folder : `${stemOf(main.path)}/`
  const files = [main, ...logs.filter((file) => file !== main && file.path.startsWith(below))]
  return { files, agents: siblings.filter(isAgent), id: `"${nameOf(stemOf(main.path))}"` }
}

/** How many bytes of an agent's file are searched for the id of its session. */
export const ID_WITHIN = 4096
