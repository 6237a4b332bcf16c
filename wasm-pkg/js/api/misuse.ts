// Wrong arguments. The mark sets them apart from a slip of this package, which would be a TypeError too.

/** The `code` of an error that is about what the caller passed. */
export const MISUSE = 'ERR_TRANSCRIPT_MISUSE'

const marked = <Kind extends Error>(error: Kind) => Object.assign(error, { code: MISUSE })

/** A TypeError about an argument, for the caller. */
export const misuse = (message: string, options?: ErrorOptions) => marked(new TypeError(message, options))

/** A RangeError about an argument of the right type that names nothing, such as a step beyond the end. */
export const outOfRange = (message: string) => marked(new RangeError(message))

/** An Error about a call that its object no longer takes, such as a freed one. */
export const invalidState = (message: string) => marked(new Error(message))
