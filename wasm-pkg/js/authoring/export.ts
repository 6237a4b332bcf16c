// Transcripts in the forms of other tools.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import type { ExportOptions, ExportResult, Source } from '../types/index.ts'
import { call } from './wasm-module.ts'

const KINDS = { to: 'a string', all: 'a boolean', path: 'a string' } as const

/**
 * Writes a transcript in the form that another tool reads, and reports what that form cannot express.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns The text, null if the document cannot be read; and what the form cannot express.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, losses } = exportTranscript(recording, { to: 'openai' })
 */
export const exportTranscript = (source: Source, options: ExportOptions): ExportResult => {
  if (typeof options?.to !== 'string') throw misuse(`\`to\` of exportTranscript() is the name of a format, but got ${kindOf(options?.to)}`)
  return call('exportTranscript', options, KINDS, [source])
}
