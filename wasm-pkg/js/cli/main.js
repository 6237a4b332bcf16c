// The command line `transcript`. It ends by itself, so that what was written to a pipe is never cut off.
import { run } from './run.js'
import { terminal } from './terminal.js'

const code = await run(process.argv.slice(2), terminal(process))
// Output that could not be written has set its own.
process.exitCode ??= code
