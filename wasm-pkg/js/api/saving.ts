// The metadata of a saved file that the program does not set.
import { outOfRange } from './misuse.ts'

/** Writes the files of recordings. */
export interface RecordingFiles {
  /** Appends to a file at once. */
  append(path: string | URL, text: string): void
  /** Whether a file ends within a line. */
  isCut(path: string | URL): boolean
  /** Writes a file later. */
  write(path: string | URL, text: string): Promise<void>
  /** The path of a file in the folder of another one. */
  siblingPath(path: string | URL, name: string): string
}

/** What a clock returns. */
export type Time = string | number | Date

/** The name of a file without its folders and its ending; undefined when nothing is left. */
export const nameFromPath = (path: string | URL) => {
  const name = path instanceof URL ? decodeURIComponent(path.pathname) : String(path)
  return (
    name
      .split(/[/\\]/)
      .at(-1)!
      .replace(/\.gz$/i, '')
      .replace(/(?<=.)\.[^.]*$/, '') || undefined
  )
}

/** A time as it is written; a clock may return a string, a number or a date. Throws when that is not a time. */
export const formatTime = (now: Time) => {
  const date = new Date(now)
  if (Number.isNaN(date.getTime())) throw outOfRange(`\`${now}\` is not a time`)
  return typeof now === 'string' ? now : date.toISOString()
}

/** The clock of the machine. */
export const systemClock = () => new Date()
