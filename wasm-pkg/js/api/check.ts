import type { DocumentHandle } from '#core'
import type { ActualRun, Check, CheckOptions, Source, TranscriptDocument } from '../types/index.ts'
import { checkDocument } from './check-document.ts'
import { handleOf } from './document.ts'
import type { Fields } from './fields.ts'
import { open } from './open.ts'
import { checkOptions } from './options.ts'

interface OpenSource {
  handle: DocumentHandle
  done(): void
}

/** Opens a source, unless it is an open document; `done` frees what was opened here. */
const openSource = (call: string, source: Source | TranscriptDocument, options: CheckOptions | undefined): OpenSource => {
  const openHandle = typeof source === 'object' && source !== null ? handleOf(source) : undefined
  if (openHandle !== undefined) return { handle: openHandle, done: () => {} }
  const { color: _, ...opening } = checkOptions(call, options, ['color'])
  const handle = open(call, source as Source, opening)
  return { handle, done: () => handle.free() }
}

const isSource = (run: unknown): run is Source =>
  typeof run === 'string' ||
  run instanceof Uint8Array ||
  typeof (run as Fields)?.text === 'string' ||
  (run as Fields)?.bytes instanceof Uint8Array

/**
 * Checks the assertions of a transcript against its own run.
 *
 * @param source An open document, or text, bytes, or either with the name of its file.
 * @returns Whether all assertions hold, and the outcome of each.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { ok, rendered } = check({ text, file: 'run.yaml' })
 */
export const check = (source: Source | TranscriptDocument, options?: CheckOptions): Check => {
  const { handle, done } = openSource('check', source, options)
  try {
    return checkDocument('check', handle, undefined, options)
  } finally {
    done()
  }
}

/**
 * Checks the assertions of a transcript against an actual run: plain data, or another transcript.
 *
 * @param source The document with the assertions: an open one, or text, bytes, or either with the name of its file.
 * @param run Messages in the form of a framework, or another transcript.
 * @returns Whether all assertions hold, and the outcome of each.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { outcomes } = checkRun(text, { messages, context })
 */
export const checkRun = (
  source: Source | TranscriptDocument,
  run: ActualRun | Source | TranscriptDocument,
  options?: CheckOptions,
): Check => {
  const { handle, done } = openSource('checkRun', source, options)
  try {
    const isDocument = typeof run === 'object' && run !== null && handleOf(run) !== undefined
    if (!isDocument && !isSource(run)) return checkDocument('checkRun', handle, (run as ActualRun) ?? null, options)
    const other = openSource('checkRun', run as Source | TranscriptDocument, options)
    try {
      return checkDocument('checkRun', handle, undefined, options, other.handle)
    } finally {
      other.done()
    }
  } finally {
    done()
  }
}
