// Runs something again when files change. Files are polled, since not every file system reports changes, and a watched folder
// does not report what is below it.
import { type Stats, statSync } from 'node:fs'
import { UsageError } from './failure.ts'
import { renderError } from './report.ts'
import type { Terminal } from './terminal.ts'

const EVERY_MS = 300

/** What can be seen of a file without reading it. */
const stampOf = (name: string) => {
  const { mtimeMs, size, ino } = statSync(name, { throwIfNoEntry: false }) ?? ({} as Partial<Stats>)
  return `${name}\0${mtimeMs}\0${size}\0${ino}`
}

const snapshotFiles = (names: () => string[]) => {
  try {
    return names().map(stampOf).join('\n')
  } catch (error) {
    // The last file of a folder may be gone for a moment, while an editor rewrites it.
    if (error instanceof UsageError) return error.message
    throw error
  }
}

const runOnce = async (act: () => Promise<number>, terminal: Terminal) => {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(renderError(error.message, error.help))
    return 2
  }
}

/** Acts at once, and then whenever one of the files that `names()` gives changed, until the program is interrupted; the last exit code. */
export const watchFiles = async (names: () => string[], work: () => Promise<number>, terminal: Terminal) => {
  let isOver = false
  const end = () => (isOver = true)
  process.once('SIGINT', end).once('SIGTERM', end)
  let code: number | undefined
  let lastSnapshot: string | undefined
  while (!isOver) {
    const now = snapshotFiles(names)
    if (now !== lastSnapshot) {
      lastSnapshot = now
      terminal.unreadable = false
      code = await runOnce(work, terminal)
      terminal.err('waiting for changes; press Ctrl+C to stop\n')
    }
    await new Promise((done) => setTimeout(done, EVERY_MS))
  }
  return code!
}
