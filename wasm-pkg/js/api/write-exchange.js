/**
 * The method of tapes, mocks and recorders that writes what a vendor sends: `(operation, format, data)`. Modules of the package
 * that import nothing of the core find it by this symbol.
 */
export const WRITE_EXCHANGE = Symbol.for('transcript-workbench.writeExchange')
