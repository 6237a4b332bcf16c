#!/usr/bin/env node
// The command line `transcript`. It ends by itself, so that what was written to a pipe is never cut off.
import './common.ts'
import { renderError } from './report.ts'
import { run } from './run.ts'
import { createTerminal } from './terminal.ts'

const terminalOf = createTerminal(process)
let isDone = false
process.once('exit', () => {
  if (isDone) return
  // Only code of a module that it runs ends it from within or leaves it waiting for nothing; neither is a success.
  terminalOf.err(
    renderError('the program ended early', 'a module may have called `process.exit()`, or waits for something that never happens'),
  )
  process.exitCode = 2
})
const code = await run(process.argv.slice(2), terminalOf)
isDone = true
// Output that could not be written has set its own.
process.exitCode ??= code
// Both streams are flushed before the program ends by force.
if (terminalOf.endNow) terminalOf.drained(() => process.exit())
