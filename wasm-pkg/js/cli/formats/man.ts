// The manual as a man page, in the macros `man` of roff.
import type { LoadedCommand } from '../command.ts'
import { type Block, type Section, SUMMARY, groupsOf, manualOf, overview } from '../manual.ts'

/** A string in roff: no line is read as a command, and dashes are kept. */
const escapeRoff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replace(/[^\x00-\x7f]/gu, (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^\./gm, '\\&.')

/** Text between grave accents is bold there. */
const renderText = (text: string) =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `\\fB${escapeRoff(part)}\\fR` : escapeRoff(part)))
    .join('')
    .replace(/^\./, '\\&.')

const preformatted = (lines: readonly string[]) => `.RS 4\n.nf\n${lines.map((line) => `${escapeRoff(line)}\n`).join('')}.fi\n.RE\n`

const blockOf = ({ text, code, rows, examples }: Block) => {
  if (examples)
    return examples.map(([line, what]) => `${what === '' ? '.PP' : `.PP\n${renderText(what)}:`}\n${preformatted([line])}`).join('')
  if (rows) return rows.map(([left, right]) => `.TP\n.B ${escapeRoff(left)}\n${renderText(right)}\n`).join('')
  if (code) return `.PP\n${preformatted(code)}`
  return `.PP\n${renderText(text)}\n`
}

const section =
  (macro: string) =>
  ({ title, blocks }: Section) =>
    `.${macro} "${escapeRoff(macro === 'SH' ? title.toUpperCase() : title)}"\n${blocks.map(blockOf).join('')}`

/** The sections of a command below its own heading; those that all commands share are written once. */
const commandOf = (command: LoadedCommand) => {
  const [usage, description, ...rest] = manualOf(command).filter(({ isShared }) => !isShared)
  const parts = rest.map(({ title, blocks }) => `.PP\n.I ${escapeRoff(title)}\n${blocks.map(blockOf).join('')}`)
  return [
    `.SS "transcript ${escapeRoff(command.name)}"\n${renderText(command.summary)}\n`,
    ...usage!.blocks.map(blockOf),
    ...description!.blocks.map(blockOf),
    ...parts,
  ].join('')
}

/** The man page `transcript(1)` of a version. It has no date, so that one source gives one text. */
export const man = (commands: readonly LoadedCommand[], version: string) => {
  const { before, after, shared } = overview(commands)
  const [usage] = before
  const common = manualOf(commands[0]!).find(({ title }) => title === 'options of every command')!
  return [
    '.\\" Written by `transcript help --man`.\n',
    `.TH TRANSCRIPT 1 "" "transcript\\-workbench ${escapeRoff(version)}" "Transcript Workbench"\n`,
    // Names of options and files are not parted, and lines not stretched.
    '.nh\n.ad l\n',
    `.SH NAME\ntranscript \\- ${escapeRoff(SUMMARY)}\n`,
    section('SH')({ ...usage!, title: 'synopsis' }),
    ...groupsOf(commands).map(({ title, commands: found }) => `.SH "${escapeRoff(title.toUpperCase())}"\n${found.map(commandOf).join('')}`),
    section('SH')({ ...common, title: 'options of every command' }),
    ...[...after.filter(({ title }) => title !== 'more'), ...shared].map(section('SH')),
    `.SH "SEE ALSO"\n.PP\nThe pages in the folder ${escapeRoff('docs')} of the package transcript\\-workbench.\n`,
  ].join('')
}
