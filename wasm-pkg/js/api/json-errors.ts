// Errors for values in a request that cannot be written as JSON.
import { findNonJson } from './data.ts'
import { misuse } from './misuse.ts'

/** Returns what `write` makes of a value. If JSON cannot represent it, throws misuse that names the place in `what`. */
export const withJsonErrors = <Value, Result>(value: Value, what: string, write: (value: Value) => Result) => {
  try {
    return write(value)
  } catch (error) {
    const stop = findNonJson(value)
    if (stop === undefined) throw error
    const place = stop.path === '' ? `${what} is` : `\`${stop.path}\` of ${what} is`
    throw misuse(`${place} ${stop.kind}, which cannot be written as data`, { cause: error })
  }
}
