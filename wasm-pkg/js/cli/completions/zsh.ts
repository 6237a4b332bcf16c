import { optionsOf } from '../arguments.ts'
import type { LoadedCommand, Option } from '../command.ts'

/** A string in the single quotes of the shell, for use inside of brackets. */
const quoteInBrackets = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&')

const optionOf = ([name, { flag, short, values, suggestions = values, many, repeated, help }]: [string, Option]) => {
  const action = suggestions ? `:value:(${suggestions.join(' ')})` : flag ? '' : ':value:_files'
  const takes = flag ? '' : '='
  const often = many || repeated ? '*' : ''
  const long = `'${often}--${name}${takes}[${quoteInBrackets(help)}]${action}'`
  return short ? [`'-${short}[${quoteInBrackets(help)}]${action}'`, long] : [long]
}

const caseBranch = (command: LoadedCommand) => {
  const rest = command.name === 'completions' ? "'1:shell:(bash zsh fish)'" : "'*:file:_files'"
  const options = Object.entries(optionsOf(command)).flatMap(optionOf)
  return `    ${command.name}) _arguments -s ${[...options, rest].join(' \\\n      ')} ;;\n`
}

/** The completions for zsh. */
export const zsh = (commands: readonly LoadedCommand[]) => `#compdef transcript
# Completions of \`transcript\` for zsh.
_transcript() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoteInBrackets(summary)}'`).join('\n')}
    'help:show the help of a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local chosen=$words[2]
  shift words
  (( CURRENT-- ))
  case $chosen in
    help) _describe command commands ;;
${commands.map(caseBranch).join('')}  esac
}
if [[ $funcstack[1] == _transcript ]]; then _transcript "$@"; else compdef _transcript transcript; fi
`
