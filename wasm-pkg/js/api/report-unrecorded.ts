/** The method of recorders that reports something that was not recorded. Other modules of the package find it by this symbol. */
export const REPORT_UNRECORDED: unique symbol = Symbol.for('transcript-workbench.reportUnrecorded')

/** A recorder that may have this method. */
export interface UnrecordedReporter {
  [REPORT_UNRECORDED]?(message: string, help?: string | null): void
}
