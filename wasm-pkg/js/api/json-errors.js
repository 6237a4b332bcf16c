// What keeps a request from being written as JSON, told with its place.
import { findNonJson } from './data.js'
import { misuse } from './misuse.js'

/** What `write` makes of a value; where JSON cannot say it, misuse that names the place in `what`. */
export const withJsonErrors = (value, what, write) => {
  try {
    return write(value)
  } catch (error) {
    const stop = findNonJson(value)
    if (stop === undefined) throw error
    const place = stop.path === '' ? `${what} is` : `\`${stop.path}\` of ${what} is`
    throw misuse(`${place} ${stop.odd}, which cannot be written as data`)
  }
}
