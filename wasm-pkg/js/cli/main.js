// The command line `transcript`. It ends by itself, so that what was written to a pipe is never cut off.
import { run } from './run.js'
import { terminal } from './terminal.js'

process.exitCode = await run(process.argv.slice(2), terminal(process))
