// Does something again when files change. They are looked at from time to time, for not every file system tells of
// changes, and a folder that is told of is not told of for what lies below it.
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Misuse } from './failure.js'
import { failure } from './report.js'

const EVERY_MS = 300

/** What can be seen of a file without reading it. */
const stampOf = (name) => {
  const { mtimeMs, size, ino } = statSync(name, { throwIfNoEntry: false }) ?? {}
  return `${name}\0${mtimeMs}\0${size}\0${ino}`
}

const look = (names) => {
  try {
    return names().map(stampOf).join('\n')
  } catch (error) {
    // The last file of a folder may be gone for a moment, while an editor writes it anew.
    if (error instanceof Misuse) return error.message
    throw error
  }
}

const attempt = async (act, terminal) => {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    terminal.err(failure(error.message, error.help))
    return 2
  }
}

/** Acts at once, and then whenever one of the files that `names()` gives changed, until the program is interrupted; the last exit code. */
export const watch = async (names, act, terminal) => {
  let isOver = false
  const end = () => (isOver = true)
  process.once('SIGINT', end).once('SIGTERM', end)
  let code
  let seen
  while (!isOver) {
    const now = look(names)
    if (now !== seen) {
      seen = now
      terminal.unreadable = false
      code = await attempt(act, terminal)
      terminal.err('waiting for a change; Ctrl-C ends it\n')
    }
    await setTimeout(EVERY_MS)
  }
  return code
}
