// Folders that are made for a file to be written.
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What there is not of a folder and those around it, the outermost first. */
const missing = (folder) => {
  const out = []
  for (let at = resolve(folder); !existsSync(at) && dirname(at) !== at; at = dirname(at)) out.unshift(at)
  return out
}

/**
 * Makes a folder. Each around it is made by itself: where none can be made, as in /proc, Node would try for ever to make
 * them all at once.
 */
export const makeFolder = (folder) => {
  for (const one of missing(folder)) {
    try {
      mkdirSync(one)
    } catch (error) {
      // Another writer may have been quicker.
      if (error.code !== 'EEXIST') throw error
    }
  }
}
