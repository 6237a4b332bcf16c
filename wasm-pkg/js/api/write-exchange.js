/**
 * The method of tapes, mocks and recorders that writes what a vendor sends: `(operation, format, data)`. Modules of the package
 * that import nothing of the core find it by this symbol.
 */
export const WRITE_EXCHANGE = Symbol.for('transcript-workbench.writeExchange')

/** Gives an object that method. As a member of its class it would keep bundlers from dropping a class that nobody uses. */
export const addWriteExchange = (object, writeExchange) => {
  Object.defineProperty(object, WRITE_EXCHANGE, { value: writeExchange })
}
