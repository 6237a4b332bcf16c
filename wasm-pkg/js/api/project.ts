import type { Project } from '../types/index.ts'
import { openProject } from './core.ts'
import { misuse } from './misuse.ts'
import { kindOf } from './options.ts'

/**
 * Reads the text of a `transcript.config.json`.
 *
 * @param text JSON.
 * @returns The valid settings, and the problems of the others.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { rules } = readProject('{"rules": {"unknown-key": "error"}}')
 * validate(source, { rules })
 */
export const readProject = (
  text: string,
  { file = 'transcript.config.json', color = false }: { file?: string; color?: boolean } = {},
): Project => {
  if (typeof text !== 'string') throw misuse(`readProject() takes a string, but got ${kindOf(text)}`)
  return openProject(text, file, color === true)
}
