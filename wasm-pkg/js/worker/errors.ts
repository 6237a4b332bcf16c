// Errors on their way through a port. They keep what a clone would lose: class, code, fields and marks.
import type { PackedError } from './protocol.ts'

const MARKS = 'transcript-workbench.'

/** The built-in classes that the package throws; other errors keep only their name. */
const CLASSES: { readonly [kind: string]: ErrorConstructor } = { TypeError, RangeError, SyntaxError }

/** How many causes of causes are kept. */
const MAX_CAUSE_DEPTH = 4

const isCloneable = (value: unknown) => {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}

/** An error as data. */
export const packError = (error: unknown, depth = 0): PackedError => {
  if (!(error instanceof Error)) return { thrown: isCloneable(error) ? error : String(error) }
  const { name, message, stack, cause } = error
  const kind = Object.keys(CLASSES).find((one) => error instanceof CLASSES[one]!)
  const fields = Object.fromEntries(Object.entries(error).filter(([key, value]) => key !== 'cause' && isCloneable(value)))
  // A symbol without a key has no such text.
  const marks = Object.getOwnPropertySymbols(error)
    .map((mark) => Symbol.keyFor(mark))
    .filter((key) => key?.startsWith(MARKS)) as string[]
  const more = cause !== undefined && depth < MAX_CAUSE_DEPTH ? { cause: packError(cause, depth + 1) } : {}
  return { kind, name, message, stack, fields, marks, ...more }
}

/** The same as an error again. */
export const unpackError = (data: PackedError): unknown => {
  if ('thrown' in data) return data.thrown
  const { kind, name, message, stack, fields, marks, cause } = data
  const error = new (CLASSES[kind!] ?? Error)(message, cause === undefined ? undefined : { cause: unpackError(cause) })
  Object.assign(error, fields)
  const hidden = { configurable: true, writable: true }
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, ...hidden })
  for (const mark of marks) Object.defineProperty(error, Symbol.for(mark), { value: true })
  Object.defineProperty(error, 'stack', { value: stack, ...hidden })
  return error
}

/** The worker could not be started. */
export const START_FAILED = 'ERR_TRANSCRIPT_WORKER_START'
/** The worker ended during a call. */
export const ENDED = 'ERR_TRANSCRIPT_WORKER_ENDED'
/** The worker was closed by the caller. */
export const CLOSED = 'ERR_TRANSCRIPT_WORKER_CLOSED'
/** There are no workers where this runs. */
export const NO_WORKERS = 'ERR_TRANSCRIPT_NO_WORKERS'
