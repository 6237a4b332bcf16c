import { checked } from './check-document.js'
import { handleOf } from './document.js'
import { open } from './open.js'
import { checkOptions } from './options.js'

/** Opens a source, unless it is an open document; `done` frees what was opened. */
const opened = (call, source, options) => {
  const own = typeof source === 'object' && source !== null ? handleOf(source) : undefined
  if (own !== undefined) return { handle: own, done: () => {} }
  const { color: _, ...opening } = checkOptions(call, options, ['color'])
  const handle = open(call, source, opening)
  return { handle, done: () => handle.free() }
}

const isSource = (run) => typeof run === 'string' || run instanceof Uint8Array || typeof run?.text === 'string' ||
  run?.bytes instanceof Uint8Array

/** What came of the assertions of a transcript, held against its own run. */
export const check = (source, options) => {
  const { handle, done } = opened('check', source, options)
  try {
    return checked('check', handle, undefined, options)
  } finally {
    done()
  }
}

/** The same against an actual run: plain data, or another transcript. */
export const checkRun = (source, run, options) => {
  const { handle, done } = opened('checkRun', source, options)
  try {
    const isDocument = typeof run === 'object' && run !== null && handleOf(run) !== undefined
    if (!isDocument && !isSource(run)) return checked('checkRun', handle, run ?? null, options)
    const other = opened('checkRun', run, options)
    try {
      return checked('checkRun', handle, undefined, options, other.handle)
    } finally {
      other.done()
    }
  } finally {
    done()
  }
}
