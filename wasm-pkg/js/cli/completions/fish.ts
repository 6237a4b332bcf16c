import { optionsOf } from '../arguments.ts'
import type { LoadedCommand, Option } from '../command.ts'

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

const optionOf =
  (command: string) =>
  ([name, { flag, short, values, suggestions = values, help }]: [string, Option]) => {
    const takes = flag ? '' : suggestions ? ` -x -a ${quoted(suggestions.join(' '))}` : ' -r'
    return `complete -c transcript -n '__fish_seen_subcommand_from ${command}' -l ${name}${short ? ` -s ${short}` : ''}${takes} -d ${quoted(help)}\n`
  }

const lines = (command: LoadedCommand) => {
  const { name, summary } = command
  const shells = name === 'completions' ? `complete -c transcript -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'\n` : ''
  return [
    `complete -c transcript -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}\n`,
    shells,
    ...Object.entries(optionsOf(command)).map(optionOf(name)),
  ].join('')
}

/** The completions for fish. */
export const fish = (commands: readonly LoadedCommand[]) => `# Completions of \`transcript\` for fish.
complete -c transcript -n '__fish_seen_subcommand_from help' -f -a '${commands.map(({ name }) => name).join(' ')}'
complete -c transcript -n __fish_use_subcommand -f -a help -d 'show the help of a command'
${commands.map(lines).join('')}`
