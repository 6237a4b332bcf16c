// Written by the tests from the table of formats in the core.
import type { ExportFormat, ExportOptions } from '../types/index.ts'

/** A format of `convert`. */
export interface ExportFormatEntry {
  readonly name: ExportFormat
  /** What its text is; empty if the name suffices. */
  readonly description: string
  /** The text before and after the name of a run in the name of its file. */
  readonly file: readonly [prefix: string, ending: string]
  /** The options of `exportTranscript` that it takes. */
  readonly options: readonly (keyof ExportOptions & ('all' | 'path'))[]
}

export const EXPORT_FORMATS: readonly ExportFormatEntry[] = [
  { name: 'yaml', description: 'the full form', file: ['', '.full.yaml'], options: [] },
  { name: 'json', description: 'the full form', file: ['', '.full.json'], options: [] },
  { name: 'compact', description: '', file: ['', '.compact.yaml'], options: [] },
  { name: 'openai', description: 'a request', file: ['', '.openai.json'], options: ['all'] },
  { name: 'anthropic', description: 'a request', file: ['', '.anthropic.json'], options: ['all'] },
  { name: 'atif', description: 'a trajectory', file: ['', '.atif.json'], options: [] },
  { name: 'events', description: 'an event log', file: ['', '.events.jsonl'], options: [] },
  { name: 'markdown', description: 'a page for people', file: ['', '.md'], options: [] },
  { name: 'html', description: 'a page for people', file: ['', '.html'], options: [] },
  {
    name: 'test-js',
    description: 'a test that reads FILES by path, or embeds stdin, compressed files and logs',
    file: ['', '.test.mjs'],
    options: ['path'],
  },
  {
    name: 'test-vitest',
    description: 'a test that reads FILES by path, or embeds stdin, compressed files and logs',
    file: ['', '.test.js'],
    options: ['path'],
  },
  {
    name: 'test-python',
    description: 'a test that reads FILES by path, or embeds stdin, compressed files and logs',
    file: ['test_', '.py'],
    options: ['path'],
  },
]
