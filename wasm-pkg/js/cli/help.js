// The help texts.
import { optionsOf } from './arguments.js'

const table = (rows) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const optionRow = ([name, { short, values, name: value, help }]) => {
  const takes = values ? ` ${values.join('|')}` : value ? ` ${value}` : ''
  return [`${short ? `-${short}, ` : '    '}--${name}${takes}`, help]
}

export const helpOf = (command) => `${command.summary}

usage: transcript ${command.usage}

${command.about.join('\n')}

options:
${table(Object.entries(optionsOf(command)).map(optionRow))}

example:
  ${command.example}

exit code: 0 fine, 1 problems found, 2 misuse or unreadable input
`

export const help = (commands) => `transcript: check, expand and replay recorded runs of LLM agents

usage: transcript COMMAND [OPTIONS] FILES…

commands:
${table(commands.map(({ name, summary }) => [name, summary]))}

\`transcript COMMAND --help\` tells more of one; \`transcript --version\` prints the version.

example:
  transcript validate run.yaml

exit code: 0 fine, 1 problems found, 2 misuse or unreadable input
`
