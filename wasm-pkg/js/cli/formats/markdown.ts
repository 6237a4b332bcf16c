// The manual as the page `docs/cli.md`.
import type { LoadedCommand } from '../command.ts'
import { type Block, type Section, SUMMARY, groupsOf, manualOf, overview } from '../manual.ts'

const inCell = (text: string) => text.replaceAll('|', '\\|')

/** A term between grave accents. */
const term = (text: string) => `\`${inCell(text)}\``

/** What looks like a tag or like emphasis is text here. */
const plain = (text: string) =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[<*_]/g, '\\$&')))
    .join('`')

const blockOf = ({ text, code, rows, examples }: Block) => {
  if (examples) return `\`\`\`sh\n${examples.map(([line, what]) => (what === '' ? line : `${line}  # ${what}`)).join('\n')}\n\`\`\`\n`
  if (rows) return `| | |\n| --- | --- |\n${rows.map(([left, right]) => `| ${term(left)} | ${inCell(plain(right))} |\n`).join('')}`
  if (code) return `\`\`\`sh\n${code.join('\n')}\n\`\`\`\n`
  return `${plain(text)}\n`
}

const blocksOf = (blocks: readonly Block[]) => blocks.map(blockOf).join('\n')

const heading = (title: string) => `${title[0]!.toUpperCase()}${title.slice(1)}`

/** A page is linked, a command leads to its section. */
const seeOf = (names: readonly string[]) =>
  names.map((name) => (name.endsWith('.md') ? `[${name}](${name})` : `[${name}](#${`transcript-${name}`})`)).join(', ')

const commandOf = (command: LoadedCommand) => {
  const parts = manualOf(command)
    .filter(({ isShared }) => !isShared)
    .map(({ title, blocks }) => {
      if (title === 'usage') return blocksOf(blocks).replace('```sh', '```text')
      if (title === 'description') return blocksOf(blocks).replaceAll('```sh', '```text')
      if (title === 'see also') return `See also: ${seeOf(command.see!)}.\n`
      if (title === 'files') return blocks[0]!.rows!.map(([name, what]) => `Reads ${plain(name)}: ${plain(what)}.\n`).join('\n')
      if (title === 'exit code') return blocksOf(blocks).replace('| | |', '| exit code | |')
      return blocksOf(blocks)
    })
  return `### transcript ${command.name}\n\n${heading(command.summary)}.\n\n${parts.join('\n')}`
}

/** The page about the command line. */
export const markdown = (commands: readonly LoadedCommand[]) => {
  const { after, shared } = overview(commands)
  const common = manualOf(commands[0]!).find(({ title }) => title === 'options of every command')!
  const exits = after.find(({ title }) => title === 'exit code')!
  const named = ({ title, blocks }: Section) => `## ${heading(title)}\n\n${blocksOf(blocks)}`
  return [
    '# The command line\n',
    `\`transcript\` comes with the package: ${SUMMARY}. Install it first: \`npm install --save-dev transcript-workbench\`. \`npx transcript COMMAND --help\` prints the help of a command, and \`npx transcript help --man\` a man page.\n`,
    ...groupsOf(commands).map(({ title, commands: found }) => `## ${heading(title)}\n\n${found.map(commandOf).join('\n')}`),
    ...[common, exits, ...shared].map(named),
  ].join('\n')
}
