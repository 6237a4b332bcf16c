// Finds the command and makes every way it can end an exit code with a sentence.
import type { Fields } from '../api/fields.ts'
import { MISUSE } from '../api/misuse.ts'
import { WasmLoadError } from '../api/wasm-load-error.ts'
import { closest } from '../api/suggest.ts'
import { readArguments } from './arguments.ts'
import type { ListedCommand } from './command.ts'
import { COMMANDS, loadCommand } from './commands/index.ts'
import { UsageError } from './failure.ts'
import type { helpOf } from './help.ts'
import { renderError } from './report.ts'
import type { ColorWish, Terminal } from './terminal.ts'
import { version } from './version.ts'

const manualForms = () => import('./manual-forms.ts')

const NAMES = Object.keys(COMMANDS)
/** What the help lists of each, for which none is loaded. */
const LISTED: ListedCommand[] = NAMES.map((name) => ({ name, ...COMMANDS[name]! }))

const allCommands = () => Promise.all(NAMES.map(loadCommand))

const findCommand = async (name: string) => {
  if (NAMES.includes(name)) return loadCommand(name)
  const near = closest(name, NAMES)
  throw new UsageError(`unknown command \`${name}\``, near ? `did you mean \`${near}\`?` : `commands: ${NAMES.join(', ')}`)
}

const helpText = async (...args: [terminal: Terminal, wish?: ColorWish]) => (await manualForms()).help(LISTED, ...args)

const helpOfCommand = async (...args: Parameters<typeof helpOf>) => (await manualForms()).helpOf(...args)

/** The manual, in one of its forms or about one command. */
const manual = async (args: readonly string[], terminal: Terminal) => {
  if (args.length > 1) throw new UsageError(`\`help\` takes one command, but got ${args.length}`, 'transcript help COMMAND')
  const [topic] = args
  if (topic === undefined || topic === '--help' || topic === '-h') return helpText(terminal)
  if (topic === '--man') return (await manualForms()).man(await allCommands(), version())
  if (topic === '--markdown') return (await manualForms()).markdown(await allCommands())
  if (topic.startsWith('-')) {
    const near = closest(topic, ['--man', '--markdown'])
    throw new UsageError(`unknown option \`${topic}\` of help`, near ? `did you mean \`${near}\`?` : 'there are --man and --markdown')
  }
  return helpOfCommand(await findCommand(topic), terminal)
}

const dispatch = async ([name, ...rest]: readonly string[], terminal: Terminal) => {
  if (name === undefined) {
    terminal.err(await helpText(terminal, 'never'))
    return 2
  }
  if (name === '--version' || name === '-V') {
    terminal.out(`transcript ${version()}\n`)
    return 0
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(await manual(name === 'help' ? rest : [], terminal))
    return 0
  }
  if (name.startsWith('-')) {
    const near = closest(name, ['--help', '--version'])
    throw new UsageError(
      `unknown option \`${name}\` before a command`,
      near ? `did you mean \`${near}\`?` : 'options: --help (-h), --version (-V)',
    )
  }
  const command = await findCommand(name)
  const parsed = readArguments(command, rest)
  if (parsed.values.help) {
    terminal.out(await helpOfCommand(command, terminal, parsed.values.color))
    return 0
  }
  return command.run(parsed, terminal, allCommands)
}

/** Runs a command with `args` and returns the exit code: 0 fine, 1 problems found, 2 misuse or unreadable input. */
export const run = async (args: readonly string[], terminal: Terminal) => {
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
    if ((error as Fields)?.code === MISUSE) {
      terminal.err(renderError((error as Error).message, `transcript ${args[0]} --help`))
      return 2
    }
    // It has its own advice.
    if (error instanceof WasmLoadError) {
      terminal.err(renderError(error.message))
      return 2
    }
    const message = error instanceof Error ? error.message : String(error)
    terminal.err(renderError(message, 'this is a bug: please report it with the file that causes it'))
    return 2
  }
}
