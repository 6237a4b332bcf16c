// Transcripts in the forms of other tools.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'

const KINDS = { to: 'a text', all: 'true or false', path: 'a text' }

/** What `call` is for an operation of the module: its name, its options with their kinds, its sources. */
export const createExport = (call) => ({
  exportAs: (source, options = {}) => {
    if (typeof options?.to !== 'string') throw misuse(`\`to\` of exportAs() names a form, but it is ${kindOf(options?.to)}`)
    return call('exportAs', options, KINDS, [source])
  },
})
