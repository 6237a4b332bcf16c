// Objects that hold memory of the module. What is never freed is freed with the object, by the glue.

/** Lets `using` free the objects of a class by their `free()`, where the runtime knows of that. */
export const disposable = (kind) => {
  if (typeof Symbol.dispose !== 'symbol') return
  const value = function dispose() {
    this.free()
  }
  Object.defineProperty(kind.prototype, Symbol.dispose, { value, configurable: true, writable: true })
}
