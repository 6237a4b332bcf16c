// The help texts, as wide as the terminal.
import type { ListedCommand, LoadedCommand, Row } from './command.ts'
import { type Block, type Section, SUMMARY, manualOf, overview } from './manual.ts'
import type { ColorWish, Terminal } from './terminal.ts'

/** How a page looks. */
interface Look {
  width: number
  bold(text: string): string
}

/** The widest left column; what is longer has a line of its own. */
const LEFT = 28

const wrap = (text: string, width: number) => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The left column of options has the short names under each other. */
const alignOption = (left: string, hasShort: boolean) => (hasShort && left.startsWith('--') ? `    ${left}` : left)

const rowsOf = (rows: readonly Row[], width: number) => {
  const hasShort = rows.some(([left]) => /^-\w,/.test(left))
  const leftColumn = rows.map(([left]) => alignOption(left, hasShort))
  const fittingWidths = leftColumn.map((left) => left.length).filter((length) => length <= LEFT)
  const column = Math.max(4, ...fittingWidths)
  const rightWidth = width - column - 4
  // A narrow window has no room for two columns.
  if (rightWidth < 24)
    return rows.flatMap(([, right], at) => [`  ${leftColumn[at]!.trim()}`, ...wrap(right, width - 6).map((line) => `      ${line}`)])
  return rows.flatMap(([, right], at) => {
    const [first, ...rest] = wrap(right, rightWidth)
    const left = leftColumn[at]!
    const indented = rest.map((line) => `${' '.repeat(column + 4)}${line}`)
    if (left.length <= column) return [`  ${left.padEnd(column)}  ${first}`, ...indented]
    return [`  ${left}`, `${' '.repeat(column + 4)}${first}`, ...indented]
  })
}

const linesOf = ({ text, code, rows, examples }: Block, width: number) => {
  if (examples)
    return examples.flatMap(([code, what]) => [
      `  ${code}`,
      ...wrap(what, width - 6)
        .filter(Boolean)
        .map((line) => `      ${line}`),
    ])
  if (rows) return rowsOf(rows, width)
  if (code) return code.map((line) => `  ${line}`)
  return wrap(text, width)
}

const section = ({ title, blocks }: Section, { width, bold }: Look) => {
  // A description needs no heading: it is below the usage.
  const isPlain = title === 'description'
  const lines: string[] = isPlain ? [] : [bold(`${title}:`)]
  blocks.forEach((block, at) => {
    const isText = block.text !== undefined
    if (isText && at > 0 && blocks[at - 1]!.code === undefined) lines.push('')
    lines.push(...(isText && !isPlain ? linesOf(block, width - 2).map((line) => `  ${line}`) : linesOf(block, width)))
  })
  return lines.join('\n')
}

const page = (head: string, sections: readonly Section[], look: Look) =>
  `${[head, ...sections.map((one) => section(one, look))].join('\n\n')}\n`

/** The width and the heading style of `terminal`. */
const styleOf = (terminal: Terminal, wish: ColorWish): Look => {
  const isColored = terminal.colorOut(wish)
  return { width: terminal.width, bold: (text) => (isColored ? `\u001b[1m${text}\u001b[22m` : text) }
}

/** The help of one command. */
export const helpOf = (command: LoadedCommand, terminal: Terminal, wish: ColorWish = 'auto') =>
  page(`transcript ${command.name}: ${command.summary}`, manualOf(command), styleOf(terminal, wish))

/** The help of the program. */
export const help = (commands: readonly ListedCommand[], terminal: Terminal, wish: ColorWish = 'auto') => {
  const { before, after, shared } = overview(commands)
  return page(`transcript: ${SUMMARY}`, [...before, ...after, ...shared], styleOf(terminal, wish))
}
