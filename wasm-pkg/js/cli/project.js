// The settings of a project: `transcript.config.json`, in the folder of a file or above it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readProject } from 'transcript-workbench'
import { Misuse, Unusable, reasonOf } from './failure.js'

const NAME = 'transcript.config.json'
const known = new Map()

const nearest = (folder) => {
  const path = join(folder, NAME)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : nearest(above)
}

const read = (path) => {
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Unusable(`cannot read \`${path}\`: ${reasonOf(error)}`)
  }
  return readProject(text, { file: path })
}

/**
 * The levels of rules that hold for a file; for the standard input, those of the folder one is in. What is wrong
 * with the settings is told once.
 */
export const rulesFor = (name, terminal) => {
  const path = nearest(name === '-' ? resolve('.') : dirname(resolve(name)))
  if (path === undefined) return {}
  if (!known.has(path)) {
    const project = read(path)
    terminal.err(project.rendered)
    if (!project.ok) throw new Unusable(`the settings in \`${path}\` cannot be used`)
    known.set(path, project.rules)
  }
  return { rules: known.get(path) }
}
