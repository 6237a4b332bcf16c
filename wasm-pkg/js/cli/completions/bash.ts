import { optionsOf } from '../arguments.ts'
import type { LoadedCommand } from '../command.ts'

const flagsOf = (command: LoadedCommand) =>
  Object.entries(optionsOf(command)).flatMap(([name, { short }]) => (short ? [`-${short}`, `--${name}`] : [`--${name}`]))

/** The values of each option that takes one of some words. */
const valuesOf = (command: LoadedCommand) =>
  Object.entries(optionsOf(command))
    .map(([name, { values, suggestions = values }]) => [name, suggestions] as const)
    .filter(([, suggestions]) => suggestions)
    .map(([name, suggestions]) => `        --${name}) words="${suggestions!.join(' ')}" ;;\n`)
    .join('')

const caseBranch = (command: LoadedCommand) => `    ${command.name})
      options="${flagsOf(command).join(' ')}"
      case $previous in
${valuesOf(command)}      esac
      ;;
`

const named = (commands: readonly LoadedCommand[]) => commands.map(({ name }) => name).join(' ')

/** The completions for bash 3.2 and later. A word that is no option and no value is the name of a file. */
export const bash = (commands: readonly LoadedCommand[]) => `# Completions of \`transcript\` for bash.
_transcript() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} options= words=
  COMPREPLY=()
  # Bash takes an equals sign for a word.
  if [ "$current" = = ]; then current=; elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${named(commands)} help"
    options="--help --version"
  else
    case \${COMP_WORDS[1]} in
    help) words="${named(commands)}" ;;
    completions) words="bash zsh fish" ;;
${commands
  .filter(({ name }) => name !== 'completions')
  .map(caseBranch)
  .join('')}    esac
  fi
  if [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _transcript transcript
`
