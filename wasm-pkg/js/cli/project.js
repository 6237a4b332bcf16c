// The settings of a project: `transcript.config.json`, in the folder of a file or above it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Misuse, reasonOf } from './failure.js'

const NAME = 'transcript.config.json'
const found = new Map()

const nearest = (folder) => {
  const path = join(folder, NAME)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : nearest(above)
}

const read = (path) => {
  if (found.has(path)) return found.get(path)
  let settings
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Misuse(`cannot read \`${path}\`: ${error instanceof SyntaxError ? error.message : reasonOf(error)}`)
  }
  found.set(path, settings)
  return settings
}

/** The levels of rules that hold for a file; for the standard input, those of the folder one is in. */
export const rulesFor = (name) => {
  const path = nearest(name === '-' ? resolve('.') : dirname(resolve(name)))
  if (path === undefined) return {}
  const { rules = {} } = read(path)
  return { rules }
}
