/**
 * The method of recorders that reads what vendors are sent and answer: `(operation, format, data)`. Modules of the package that
 * import nothing of the core find it by this symbol.
 */
export const READ_EXCHANGE = Symbol.for('transcript-workbench.readExchange')
