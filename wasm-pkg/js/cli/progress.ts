// Shows the progress of a command through its files at a terminal. A fast command shows nothing.
import { statSync } from 'node:fs'
import { printable } from './printable.ts'
import { pluralize } from './report.ts'
import type { Terminal } from './terminal.ts'

/** How long a command runs before it shows progress, and how often it updates it, in milliseconds. */
export const PATIENCE = 400
const PACE = 100

/** A file of this many bytes is shown before it is read: nothing can be shown until it is done. */
export const BIG = 2 << 20

const sizeOf = (name: string) => {
  try {
    return name === '-' ? 0 : statSync(name).size
  } catch {
    return 0
  }
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

/** Follows a command through its files: `next(name)` is called before each. */
export const trackProgress = (terminal: Terminal, names: readonly string[]): { next(name: string): void } => {
  if (!terminal.showsProgress) return { next: () => {} }
  const sizes = names.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const begin = performance.now()
  let lastReport = -Infinity
  let done = 0
  let read = 0
  const next = (name: string) => {
    const now = performance.now()
    const size = sizes[done] ?? 0
    if (size >= BIG || (now - begin >= PATIENCE && now - lastReport >= PACE)) {
      lastReport = now
      const files = names.length === 1 ? '' : `${done} of ${pluralize(names.length, 'file')}, `
      terminal.progress(`${files}${megabytes(read)} of ${megabytes(total)} MB: ${printable(name === '-' ? 'stdin' : name)}`)
    }
    done += 1
    read += size
  }
  return { next }
}
