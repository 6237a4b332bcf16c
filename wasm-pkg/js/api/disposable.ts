// Objects that hold memory of the wasm module. The glue frees an object that is never freed explicitly.

/**
 * Lets `using` free an object by its `free()`, where the runtime knows of that. It is for constructors: what a class did
 * when it is made would keep it in bundles that make no use of it.
 */
export const disposable = (object: { free(): void }) => {
  if (typeof Symbol.dispose !== 'symbol') return
  Object.defineProperty(object, Symbol.dispose, { value: () => object.free(), configurable: true, writable: true })
}
