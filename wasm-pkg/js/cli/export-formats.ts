// Written by the tests from the table of formats in the core.
import type { ExportFormat, ExportOptions } from '../types/index.ts'

/** A format of `convert`. */
export interface ExportFormatEntry {
  readonly name: ExportFormat
  /** What its text is; empty if the name suffices. */
  readonly description: string
  /** The options of `exportTranscript` that it takes. */
  readonly options: readonly (keyof ExportOptions & ('all' | 'path'))[]
}

export const EXPORT_FORMATS: readonly ExportFormatEntry[] = [
  { name: 'yaml', description: 'the full form', options: [] },
  { name: 'json', description: 'the full form', options: [] },
  { name: 'compact', description: '', options: [] },
  { name: 'openai', description: 'a request', options: ['all'] },
  { name: 'anthropic', description: 'a request', options: ['all'] },
  { name: 'atif', description: 'a trajectory', options: [] },
  { name: 'events', description: 'an event log', options: [] },
  { name: 'markdown', description: 'a page for people', options: [] },
  { name: 'html', description: 'a page for people', options: [] },
  { name: 'test-js', description: 'a test that reads FILES by path, or embeds stdin, compressed files and logs', options: ['path'] },
  { name: 'test-python', description: 'a test that reads FILES by path, or embeds stdin, compressed files and logs', options: ['path'] },
]
