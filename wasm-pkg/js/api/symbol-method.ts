/**
 * Gives an object a method under a symbol, by which the modules of the package know it. As a member of its class it would keep
 * bundlers from dropping an unused class.
 */
export const addSymbolMethod = <Method extends (...args: never[]) => unknown>(object: object, symbol: symbol, method: Method) => {
  Object.defineProperty(object, symbol, { value: method })
}
