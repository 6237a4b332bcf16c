/** The method of recorders that tells of what was not recorded; it is known to other modules of the package by this symbol. */
export const REPORT_UNRECORDED = Symbol.for('transcript-workbench.reportUnrecorded')
