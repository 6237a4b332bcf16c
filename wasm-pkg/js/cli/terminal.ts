// Where a command writes, and whether in color.
import { fileErrorText } from './failure.ts'
import { renderError } from './report.ts'

export type ColorWish = 'auto' | 'always' | 'never'

/** Output, errors and input of the program. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Whether a person may watch the progress; a build log would keep every line of it. */
  showsProgress: boolean
  /** Shows progress in a line that does not stay; an empty text removes it. */
  progress(text: string): void
  /** Has what the modules print that a command runs go to the errors, so that the output is the command's own. */
  modulesToErr(): void
  /** Calls back when everything is written. */
  drained(done: () => void): void
  columns: number
  /** How wide a page of help is. */
  width: number
  colorOut(wish: ColorWish): boolean
  colorErr(wish: ColorWish): boolean
  readonly stdin: NodeJS.ReadStream
  /** Whether a person reads the output. */
  isInteractive: boolean
  /** Whether an input was no text, so that the exit code is 2. */
  unreadable: boolean
  /** Whether the program ends though something of it may still be running. */
  endNow?: boolean
}

/** A closed pipe, as `head` leaves it, is no error: nothing more is written and nothing is reported. */
const ignoreBrokenPipe = (stream: NodeJS.WriteStream, report: (text: string) => void = () => {}) => {
  let open = true
  // A command may have what modules print go elsewhere.
  const write: NodeJS.WriteStream['write'] = stream.write.bind(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false
    if (error.code === 'EPIPE') return
    process.exitCode = 2
    report(renderError(`cannot write to stdout: ${fileErrorText(error)}`))
  })
  const writeText = (text: string) => {
    if (open && text !== '') write(text)
  }
  return { writeText, drain: (done: () => void) => (open ? write('', () => done()) : done()) }
}

const wantsColor = (stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv, wish: ColorWish) => {
  if (wish !== 'auto') return wish === 'always'
  return Boolean(stream.isTTY) && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** The width of text: lines of more than a hundred characters are hard to read. */
const textWidth = (stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv) => {
  const wide = stream.columns || (/^\d{1,4}$/.test(environment.COLUMNS ?? '') && Number(environment.COLUMNS)) || 80
  return Math.min(Math.max(wide, 40), 100)
}

/** Removes the line at the cursor. */
const WIPED = '\r\u001b[K'

/** Output, errors and input of `process`, as commands use them. */
export const createTerminal = (process: NodeJS.Process): Terminal => {
  const { stdout, stderr, env } = process
  const { writeText: err, drain: drainErr } = ignoreBrokenPipe(stderr)
  const { writeText: out, drain: drainOut } = ignoreBrokenPipe(stdout, err)
  let progressLine = ''
  const progress = (text: string) => {
    const line = [...text].slice(0, Math.max(1, (stderr.columns || 80) - 1)).join('')
    if (line !== progressLine) err(`${WIPED}${line}`)
    progressLine = line
  }
  /** Output replaces the progress line, wherever it goes. */
  const clearProgress = (writeText: (text: string) => void) => (text: string) => {
    if (text !== '') progress('')
    writeText(text)
  }
  return {
    out: clearProgress(out),
    err: clearProgress(err),
    showsProgress: Boolean(stderr.isTTY) && env.TERM !== 'dumb' && !env.CI,
    progress,
    modulesToErr: () => {
      // Both have the same overloads.
      stdout.write = (...args: unknown[]) => stderr.write(...(args as Parameters<typeof stderr.write>))
    },
    drained: (done) => drainOut(() => drainErr(done)),
    columns: stdout.columns ?? 120,
    width: textWidth(stdout, env),
    colorOut: (wish) => wantsColor(stdout, env, wish),
    colorErr: (wish) => wantsColor(stderr, env, wish),
    /** Opened by whoever reads it: that takes as long as a small command. */
    get stdin() {
      return process.stdin
    },
    isInteractive: Boolean(stdout.isTTY),
    unreadable: false,
  }
}
