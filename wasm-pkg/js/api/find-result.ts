/**
 * The method of tool tapes that looks up a recorded result and returns undefined where there is none. Other modules of the
 * package find it by this symbol.
 */
export const FIND_RESULT: unique symbol = Symbol.for('transcript-workbench.findResult')
