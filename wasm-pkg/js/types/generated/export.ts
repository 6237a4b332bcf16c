// Written by the tests from the Rust types.

/** A format that a transcript can be written in; `public/docs/export.md` describes what each includes. */
export type ExportFormat =
  | 'yaml'
  | 'json'
  | 'compact'
  | 'openai'
  | 'anthropic'
  | 'atif'
  | 'events'
  | 'markdown'
  | 'html'
  | 'test-js'
  | 'test-vitest'
  | 'test-python'
