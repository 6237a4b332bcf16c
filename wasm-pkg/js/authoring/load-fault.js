/** What is said of a module that cannot be loaded. */
export const loadFault = (error) => {
  if (!(error instanceof Error)) return String(error)
  // The place of a fault of syntax stands in the first line of the stack alone.
  const [place] = error instanceof SyntaxError ? String(error.stack).split('\n') : ['']
  const at = /^file:.*:\d+$/.test(place) ? `, in ${place}` : ''
  const name = error.name === 'Error' ? '' : `${error.name}: `
  return `${name}${error.message}${at}`
}
