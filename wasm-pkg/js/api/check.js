import { checkDocument } from './check-document.js'
import { handleOf } from './document.js'
import { open } from './open.js'
import { checkOptions } from './options.js'

/** Opens a source, unless it is an open document; `done` frees what was opened here. */
const openSource = (call, source, options) => {
  const openHandle = typeof source === 'object' && source !== null ? handleOf(source) : undefined
  if (openHandle !== undefined) return { handle: openHandle, done: () => {} }
  const { color: _, ...opening } = checkOptions(call, options, ['color'])
  const handle = open(call, source, opening)
  return { handle, done: () => handle.free() }
}

const isSource = (run) =>
  typeof run === 'string' || run instanceof Uint8Array || typeof run?.text === 'string' || run?.bytes instanceof Uint8Array

/** Checks the assertions of a transcript against its own run. */
export const check = (source, options) => {
  const { handle, done } = openSource('check', source, options)
  try {
    return checkDocument('check', handle, undefined, options)
  } finally {
    done()
  }
}

/** The same against an actual run: plain data, or another transcript. */
export const checkRun = (source, run, options) => {
  const { handle, done } = openSource('checkRun', source, options)
  try {
    const isDocument = typeof run === 'object' && run !== null && handleOf(run) !== undefined
    if (!isDocument && !isSource(run)) return checkDocument('checkRun', handle, run ?? null, options)
    const other = openSource('checkRun', run, options)
    try {
      return checkDocument('checkRun', handle, undefined, options, other.handle)
    } finally {
      other.done()
    }
  } finally {
    done()
  }
}
