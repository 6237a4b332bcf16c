import { optionsOf } from '../arguments.js'

const quoted = (text) => `'${text.replace(/['\\]/g, '\\$&')}'`

const optionOf =
  (command) =>
  ([name, { flag, short, values, suggestions = values, help }]) => {
    const takes = flag ? '' : suggestions ? ` -x -a ${quoted(suggestions.join(' '))}` : ' -r'
    return `complete -c transcript -n '__fish_seen_subcommand_from ${command}' -l ${name}${short ? ` -s ${short}` : ''}${takes} -d ${quoted(help)}\n`
  }

const lines = (command) => {
  const { name, summary } = command
  const shells = name === 'completions' ? `complete -c transcript -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'\n` : ''
  return [
    `complete -c transcript -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}\n`,
    shells,
    ...Object.entries(optionsOf(command)).map(optionOf(name)),
  ].join('')
}

/** The completions for fish. */
export const fish = (commands) => `# Completions of \`transcript\` for fish.
complete -c transcript -n '__fish_seen_subcommand_from help' -f -a '${commands.map(({ name }) => name).join(' ')}'
complete -c transcript -n __fish_use_subcommand -f -a help -d 'tell more of a command'
${commands.map(lines).join('')}`
