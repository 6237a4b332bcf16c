// The file of a recording, and whether the test runner is to write it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Source, TranscriptDocument } from '../types/index.ts'
import { misuse } from '../api/misuse.ts'

/** The context that a runner passes to a matcher. */
export interface MatcherContext {
  readonly testPath?: string
  readonly isNot: boolean
  readonly snapshotState?: { readonly _updateSnapshot?: string }
}

/** Where a file is: a name is meant from the folder of the test, as those of snapshots are. */
export const pathOf = (file: unknown, testPath: string | undefined) => {
  if (file instanceof URL) return fileURLToPath(file)
  if (typeof file !== 'string' || file === '' || /[\r\n]/.test(file)) {
    throw misuse('toMatchTranscript() takes the name of a file, or its URL')
  }
  return resolve(testPath ? dirname(testPath) : '.', file)
}

const isZipped = (path: string) => /\.gz$/i.test(path)

/** The text of a file, which may be in gzip; undefined where there is none. */
export const textAt = (path: string) => {
  try {
    const bytes = readFileSync(path)
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The source of assertions: a string without a line break, or a URL, is the name of a file. */
export const sourceAt = (source: Source | URL | TranscriptDocument | undefined, testPath: string | undefined) => {
  if (!(source instanceof URL) && (typeof source !== 'string' || /[\r\n]/.test(source))) return source
  const path = source instanceof URL ? fileURLToPath(source) : resolve(testPath ? dirname(testPath) : '.', source)
  const text = textAt(path)
  if (text === undefined) throw misuse(`there is no transcript ${path}`)
  return { text, file: path }
}

export const writeText = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, isZipped(path) ? gzipSync(text) : text)
}

/**
 * How the runner updates snapshots: `all` with `-u`, `new` if missing ones are written, `none` in continuous integration.
 * Vitest and Jest use the same values.
 */
export const snapshotUpdate = ({ snapshotState }: MatcherContext) => snapshotState?._updateSnapshot ?? 'none'
