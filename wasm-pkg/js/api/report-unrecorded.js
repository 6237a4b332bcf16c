/** The method of recorders that tells of what was not recorded; it is known to other modules of the package by this symbol. */
export const UNRECORDED = Symbol.for('transcript-workbench.unrecorded')
