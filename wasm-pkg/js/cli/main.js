// The command line `transcript`. It ends by itself, so that what was written to a pipe is never cut off.
import { run } from './run.js'
import { terminal } from './terminal.js'

const terminalOf = terminal(process)
const code = await run(process.argv.slice(2), terminalOf)
// Output that could not be written has set its own.
process.exitCode ??= code
// Both streams are told to have been written before it ends by force.
if (terminalOf.endNow) process.stdout.write('', () => process.stderr.write('', () => process.exit()))
