// Folders that are made for a file to be written.
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The code of an error of the file system. */
export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** The folders that are missing of a path, the outermost first. */
const missing = (folder: string) => {
  const out: string[] = []
  for (let at = resolve(folder); !existsSync(at) && dirname(at) !== at; at = dirname(at)) out.unshift(at)
  return out
}

/**
 * Makes a folder and its parents, one by one: where none can be made, as in /proc, Node would try for ever to make them all at
 * once.
 */
export const makeFolder = (folder: string) => {
  for (const path of missing(folder)) {
    try {
      mkdirSync(path)
    } catch (error) {
      // Another writer may have been quicker.
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}
