// The package, installed where it finds the libraries of this folder, as in a project that has both.
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, load } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))

/** The folder in which both are installed. */
export const project = () => {
  const folder = install()
  for (const name of ['@langchain', 'langchain', 'zod']) symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

export const folder = project()

export const all = await load(folder, 'transcript-workbench', 'transcript-workbench/langchain')
