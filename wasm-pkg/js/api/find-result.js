/** The method of the tapes of tools that asks for a result and tells nothing where there is none; it is known to other modules of the package by this symbol. */
export const FIND_RESULT = Symbol.for('transcript-workbench.findResult')
