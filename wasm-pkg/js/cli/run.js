// Finds the command and makes every way it can end an exit code with a sentence.
import { MISUSE } from '../api/misuse.js'
import { closest } from '../api/suggest.js'
import { readArguments } from './arguments.js'
import { check } from './commands/check.js'
import { compact } from './commands/compact.js'
import { convert } from './commands/convert.js'
import { completions } from './commands/completions.js'
import { coverage } from './commands/coverage.js'
import { detect } from './commands/detect.js'
import { diff } from './commands/diff.js'
import { expand } from './commands/expand.js'
import { explain } from './commands/explain.js'
import { fix } from './commands/fix.js'
import { fmt } from './commands/fmt.js'
import { fork } from './commands/fork.js'
import { generate } from './commands/generate.js'
import { nestEvents } from './commands/nest-events.js'
import { open } from './commands/open.js'
import { order } from './commands/order.js'
import { recover } from './commands/recover.js'
import { record } from './commands/record.js'
import { redact } from './commands/redact.js'
import { repair } from './commands/repair.js'
import { replay } from './commands/replay.js'
import { schema } from './commands/schema.js'
import { serve } from './commands/serve.js'
import { show } from './commands/show.js'
import { simulate } from './commands/simulate.js'
import { state } from './commands/state.js'
import { test } from './commands/test.js'
import { validate } from './commands/validate.js'
import { verifyDeterminism } from './commands/verify-determinism.js'
import { UsageError } from './failure.js'
import { man } from './formats/man.js'
import { markdown } from './formats/markdown.js'
import { help, helpOf } from './help.js'
import { renderError } from './report.js'
import { version } from './version.js'

const COMMANDS = [
  validate, explain, fix, fmt, repair, expand, compact, test, replay, check, simulate, generate, recover, state, fork, diff, coverage, redact,
  order, verifyDeterminism, nestEvents, detect, convert, show, open, schema, serve, record,
  completions,
]

const findCommand = (name) => {
  const command = COMMANDS.find((command) => command.name === name)
  if (command !== undefined) return command
  const near = closest(name, COMMANDS.map((command) => command.name))
  const all = `there are: ${COMMANDS.map((command) => command.name).join(', ')}`
  throw new UsageError(`there is no command \`${name}\``, near ? `did you mean \`${near}\`?` : all)
}

/** The manual, in one of its forms or about one command. */
const manual = (args) => {
  if (args.length > 1) throw new UsageError(`\`help\` takes one command, but got ${args.length}`, 'transcript help COMMAND')
  const [topic] = args
  if (topic === undefined || topic === '--help' || topic === '-h') return (terminal) => help(COMMANDS, terminal)
  if (topic === '--man') return () => man(COMMANDS, version())
  if (topic === '--markdown') return () => markdown(COMMANDS)
  if (topic.startsWith('-')) {
    const near = closest(topic, ['--man', '--markdown'])
    throw new UsageError(`there is no option \`${topic}\` of help`, near ? `did you mean \`${near}\`?` : 'there are --man and --markdown')
  }
  const command = findCommand(topic)
  return (terminal) => helpOf(command, terminal)
}

const dispatch = async ([name, ...rest], terminal) => {
  if (name === undefined) {
    terminal.err(help(COMMANDS, terminal, 'never'))
    return 2
  }
  if (name === '--version' || name === '-V') {
    terminal.out(`transcript ${version()}\n`)
    return 0
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(manual(name === 'help' ? rest : [])(terminal))
    return 0
  }
  if (name.startsWith('-')) {
    const near = closest(name, ['--help', '--version'])
    throw new UsageError(`there is no option \`${name}\` before a command`, near ? `did you mean \`${near}\`?` : 'there are --help (-h) and --version (-V)')
  }
  const command = findCommand(name)
  const parsed = readArguments(command, rest)
  if (parsed.values.help) {
    terminal.out(helpOf(command, terminal, parsed.values.color))
    return 0
  }
  return command.run(parsed, terminal, COMMANDS)
}

/** Runs a command with `args` and returns the exit code: 0 fine, 1 problems found, 2 misuse or unreadable input. */
export const run = async (args, terminal) => {
  try {
    const code = await dispatch(args, terminal)
    terminal.progress('')
    return terminal.unreadable ? 2 : code
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(renderError(error.message, error.help))
      return 2
    }
    // An error of the package about its arguments, which are the user's own.
    if (error?.code === MISUSE) {
      terminal.err(renderError(error.message, `transcript ${args[0]} --help`))
      return 2
    }
    const message = error instanceof Error ? error.message : String(error)
    terminal.err(renderError(message, 'this is a fault of the program; report it with the file that brings it about'))
    return 2
  }
}
