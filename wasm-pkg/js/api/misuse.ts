// Wrong arguments. The mark sets them apart from a slip of this package, which would be a TypeError too.

/** The `code` of an error that is about what the caller passed. */
export const MISUSE = 'ERR_TRANSCRIPT_MISUSE'

/** A TypeError about an argument, for the caller. */
export const misuse = (message: string, options?: ErrorOptions) => Object.assign(new TypeError(message, options), { code: MISUSE })
