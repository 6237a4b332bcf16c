import { openProject } from './core.js'
import { misuse } from './misuse.ts'
import { kindOf } from './options.js'

/** Reads the text of a `transcript.config.json`: the levels of its rules, and what is wrong with it. */
export const readProject = (text, { file = 'transcript.config.json', color = false } = {}) => {
  if (typeof text !== 'string') throw misuse(`readProject() takes a text, but got ${kindOf(text)}`)
  return openProject(text, file, color === true)
}
