// Where a command writes, and whether in colour.

/** A reader that has gone away, as `head` does, is no fault: nothing more is written and nobody is told. */
const forgiving = (stream) => {
  let open = true
  stream.on('error', (error) => {
    open = false
    if (error.code !== 'EPIPE') process.exitCode = 2
  })
  return (text) => {
    if (open && text !== '') stream.write(text)
  }
}

const wantsColour = (stream, environment, wish) => {
  if (wish !== 'auto') return wish === 'always'
  return Boolean(stream.isTTY) && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** Output, errors and input of `process`, as commands use them. */
export const terminal = ({ stdin, stdout, stderr, env }) => ({
  out: forgiving(stdout),
  err: forgiving(stderr),
  columns: stdout.columns ?? 120,
  colourOut: (wish) => wantsColour(stdout, env, wish),
  colourErr: (wish) => wantsColour(stderr, env, wish),
  stdin,
  /** Whether an input was no text, so that the exit code is 2. */
  unreadable: false,
})
