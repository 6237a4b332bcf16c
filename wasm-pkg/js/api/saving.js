// The metadata of a saved file that the program does not set.

/** The name of a file without its folders and its ending; undefined when nothing is left. */
export const nameFromPath = (path) => {
  const name = path instanceof URL ? decodeURIComponent(path.pathname) : String(path)
  return (
    name
      .split(/[/\\]/)
      .at(-1)
      .replace(/\.gz$/i, '')
      .replace(/(?<=.)\.[^.]*$/, '') || undefined
  )
}

/** A time as it is written; a clock may give a text, a number or a date. Throws when that is no time. */
export const formatTime = (now) => {
  const date = new Date(now)
  if (Number.isNaN(date.getTime())) throw new RangeError(`\`${now}\` is no time`)
  return typeof now === 'string' ? now : date.toISOString()
}

/** The clock of the machine. */
export const systemClock = () => new Date()
