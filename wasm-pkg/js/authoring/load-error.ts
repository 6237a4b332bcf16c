/** The text about a module that cannot be loaded. */
export const loadErrorText = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}
