// The content of the manual, as data that the help, the man page and the page of the documentation write in their own ways.
import { SIZES, optionsOf } from './arguments.ts'
import type { Command, CommandGroup, ListedCommand, Option, Row } from './command.ts'

/** A paragraph, lines as they are, terms with what they mean, or commands with what they do. */
export type Block =
  | { text: string; code?: undefined; rows?: undefined; examples?: undefined }
  | { text?: undefined; code: string[]; rows?: undefined; examples?: undefined }
  | { text?: undefined; code?: undefined; rows: readonly Row[]; examples?: undefined }
  | { text?: undefined; code?: undefined; rows?: undefined; examples: readonly Row[] }

export interface Section {
  title: string
  blocks: Block[]
  /** Whether all commands have it alike. */
  isShared?: boolean
}

/** The commands by what they are for, in the order of the help. */
const GROUPS: { [Group in CommandGroup]: string } = {
  check: 'check and fix',
  play: 'replay and record',
  look: 'view and compare',
  write: 'write and convert',
  events: 'event logs of several agents',
  other: 'other',
}

const EXITS = { 0: 'success', 1: 'problems found', 2: 'invalid arguments or unreadable input' }

const ENVIRONMENT: readonly Row[] = [
  ['NO_COLOR', 'if set, `--color auto` prints no colors'],
  ['TERM', 'if `dumb`, the same'],
  ['COLUMNS', 'the width of the help outside of a terminal; 80 by default'],
]

/** Paragraphs of lines that belong together; an empty line parts them, and a line that is indented stays as it is. */
const paragraphs = (lines: readonly string[]): Block[] => {
  const blocks: { kind: 'code' | 'text'; lines: string[] }[] = []
  let isOpen = false
  for (const line of lines) {
    const kind = line.startsWith('  ') ? 'code' : 'text'
    const last = blocks.at(-1)
    if (line === '') {
      isOpen = false
    } else if (isOpen && last!.kind === kind) {
      last!.lines.push(line)
    } else {
      blocks.push({ kind, lines: [line] })
      isOpen = true
    }
  }
  return blocks.map(({ kind, lines: parts }) => (kind === 'code' ? { code: parts.map((part) => part.trim()) } : { text: parts.join(' ') }))
}

const optionRow = ([name, { short, values, name: value, help, default: set = values?.[0] }]: [string, Option]): Row => {
  const takes = value ? ` ${value}` : values ? ` ${values.join('|')}` : ''
  return [`${short ? `-${short}, ` : ''}--${name}${takes}`, set === undefined ? help : `${help} [default: ${set}]`]
}

/** What `see` names: commands, and pages of the documentation in the package. */
const seeAlso = (names: readonly string[]) => {
  const pages = names.filter((name) => name.endsWith('.md'))
  const commands = names.filter((name) => !name.endsWith('.md')).map((name) => `transcript ${name}`)
  return [...commands, ...pages.map((name) => `docs/${name}`)].join(', ')
}

const exitRows = (exits: { readonly [code: number]: string }) => Object.entries(exits)

/** The sections about one command. */
export const manualOf = (command: Command): Section[] => {
  const { usage, about, options, examples, exits = EXITS, reads = [], environment = [], see = [] } = command
  const own = Object.entries(optionsOf(command)).map(optionRow)
  const number = Object.keys(options).length
  return [
    { title: 'usage', blocks: [{ code: [`transcript ${usage}`] }] },
    { title: 'description', blocks: paragraphs(typeof about === 'function' ? about() : about) },
    ...(number === 0 ? [] : [{ title: 'options', blocks: [{ rows: own.slice(0, number) }] }]),
    { title: 'options of every command', blocks: [{ rows: own.slice(number) }], isShared: true },
    { title: 'examples', blocks: [{ examples }] },
    { title: 'exit code', blocks: [{ rows: exitRows(exits) }] },
    ...(reads.length === 0 ? [] : [{ title: 'files', blocks: [{ rows: reads }] }]),
    { title: 'environment', blocks: [{ rows: [...environment, ...ENVIRONMENT] }], isShared: environment.length === 0 },
    ...(see.length === 0 ? [] : [{ title: 'see also', blocks: [{ text: seeAlso(see) }] }]),
  ]
}

/** The commands in their groups: `{title, commands}` each. */
export const groupsOf = <Listed extends ListedCommand>(commands: readonly Listed[]) =>
  Object.entries(GROUPS)
    .map(([group, title]) => ({ title, commands: commands.filter((command) => command.group === group) }))
    .filter(({ commands: found }) => found.length > 0)

/** What the program is, in a sentence. */
export const SUMMARY = 'check, convert and replay recorded runs of LLM agents'

/** The sections about the program as a whole, before and after those about its commands. */
export const overview = (commands: readonly ListedCommand[]): { before: Section[]; after: Section[]; shared: Section[] } => ({
  before: [
    { title: 'usage', blocks: [{ code: ['transcript COMMAND [OPTIONS] FILES…', 'transcript help [COMMAND]'] }] },
    ...groupsOf(commands).map(({ title, commands: found }) => ({
      title,
      blocks: [{ rows: found.map(({ name, summary }) => [name, summary] as const) }],
    })),
  ],
  after: [
    {
      title: 'more',
      blocks: [
        {
          rows: [
            ['transcript COMMAND --help', 'print the help of a command'],
            ['transcript help --man', 'print a man page, for `man -l -`'],
            ['transcript help --markdown', 'print Markdown'],
            ['transcript --version', 'print the version'],
          ],
        },
      ],
    },
    {
      title: 'examples',
      blocks: [
        {
          examples: [
            ['transcript validate run.yaml', 'check a transcript'],
            ['transcript test transcripts/', 'test a folder'],
          ],
        },
      ],
    },
    { title: 'exit code', blocks: [{ rows: exitRows(EXITS) }] },
  ],
  shared: [
    {
      title: 'files',
      blocks: [
        {
          text:
            "FILES are names, folders (searched for .yaml, .yml and .json files), patterns such as 'runs/**/*.yaml', and - for " +
            'stdin. Gzip is read, and written to names that end in .gz. Arguments after `--` are names, even with a dash.',
        },
        { text: `A SIZE is ${SIZES}.` },
      ],
    },
    { title: 'environment', blocks: [{ rows: ENVIRONMENT }] },
  ],
})
