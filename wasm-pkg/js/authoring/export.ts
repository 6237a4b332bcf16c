// Transcripts in the forms of other tools.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import type { ExportOptions, Source } from '../types/index.ts'
import type { CallModule } from './wasm-module.ts'

const KINDS = { to: 'a text', all: 'true or false', path: 'a text' } as const

/** What `call` is for an operation of the module: its name, its options with their kinds, its sources. */
export const createExport = (call: CallModule) => ({
  exportTranscript: (source: Source, options: Partial<ExportOptions> = {}) => {
    if (typeof options?.to !== 'string') throw misuse(`\`to\` of exportTranscript() names a form, but it is ${kindOf(options?.to)}`)
    return call('exportTranscript', options, KINDS, [source])
  },
})
