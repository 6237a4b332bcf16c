// Opens a document together with the files that it names.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Options, TranscriptDocument } from '../types/index.ts'
import { parse } from './core.ts'
import type { Input } from './inputs.ts'

export type NamedSource = Input | { text: string; file: string }

const isBelow = (folder: string, path: string) => {
  const relativePath = relative(folder, path)
  return relativePath !== '' && relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && resolve(folder, relativePath) === path
}

/**
 * The text of a file that a document names, or undefined. A document is no reason to read just any file: only
 * those below its own folder, or below the folder one is in, are read. A link counts as what it leads to.
 */
const readReferenced = (path: string, folder: string) => {
  const named = resolve(folder, path)
  if (!existsSync(named)) return undefined
  const file = realpathSync(named)
  const isAllowed = [folder, resolve('.')].some((ours) => isBelow(realpathSync(ours), file))
  return isAllowed && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
}

const folderOf = ({ file }: NamedSource) => (file === '<stdin>' ? resolve('.') : dirname(resolve(file)))

/** Why a file that a document names is not read; undefined of one that is. */
const unreadReason = (path: string, folder: string) => {
  const named = resolve(folder, path)
  if (!existsSync(named)) return 'there is no such file'
  if (!statSync(named).isFile()) return 'it is not a file'
  return readReferenced(path, folder) === undefined ? 'it is outside of the folder of the document and the current folder' : undefined
}

/** The files that a document names and that were not read, each with the reason. */
export const unreadFiles = (document: TranscriptDocument, input: NamedSource) => {
  const folder = folderOf(input)
  const reasons = document.references.filter(({ provided }) => !provided).map(({ path }) => [path, unreadReason(path, folder)] as const)
  return reasons.filter(([, reason]) => reason !== undefined).map(([path, reason]) => `the file \`${path}\` was not read: ${reason}`)
}

/** The options with the texts of all files that the document of `input` names, through others too. */
export const withFiles = (input: NamedSource, options: Options): Options => {
  const folder = folderOf(input)
  const files: { [path: string]: string } = {}
  for (;;) {
    const document = parse(input, { ...options, files })
    const missing = document.references.filter(({ provided, path }) => !provided && !Object.hasOwn(files, path))
    document.free()
    const found = missing.map(({ path }) => [path, readReferenced(path, folder)] as const).filter(([, text]) => text !== undefined)
    if (found.length === 0) return Object.keys(files).length === 0 ? options : { ...options, files }
    for (const [path, text] of found) files[path] = text!
  }
}

/** Opens a document together with the files that it names. */
export const openDocument = (input: NamedSource, options: Options): TranscriptDocument => {
  const document = parse(input, options)
  if (document.references.every(({ provided }) => provided)) return document
  document.free()
  return parse(input, withFiles(input, options))
}
