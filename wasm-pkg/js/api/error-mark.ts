// The marks of errors, by which `instanceof` knows those of another copy of the package.

/** What makes an error one of the class `name`, with the `code` of that class. */
export const errorMark = (name: string, code: string) => {
  const mark = Symbol.for(`transcript-workbench.${name}`)
  return {
    give: (error: Error) => {
      Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
      Object.defineProperty(error, mark, { value: true })
      Object.assign(error, { code })
    },
    has: (value: unknown) => typeof value === 'object' && value !== null && (value as { [mark]?: unknown })[mark] === true,
  }
}
