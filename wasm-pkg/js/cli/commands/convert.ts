import { existsSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { ExportFormat, FormatName, ImportOptions, ImportResult, Options } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { exportTranscript } from '../authoring.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { convertAll, isFolder } from '../convert-all.ts'
import { formats, parse } from '../core.ts'
import { UsageError } from '../failure.ts'
import { wasCompressed } from '../inputs.ts'
import { FROM_OPTION, groupingOf, importLogs, isLog, listed, pluralsWith, withoutSizeLimit, readLogs } from '../logs.ts'
import { renderLosses } from '../losses.ts'
import type { NamedSource } from '../opening.ts'
import { renderError } from '../report.ts'
import { writeOutputExactly } from '../save.ts'
import type { Terminal } from '../terminal.ts'

/** Only the manual of the command needs the core for it. */
const readableFormats = () =>
  listed(
    formats()
      .map(({ plural }) => plural)
      .filter(Boolean),
    'and',
  )
type Form = ExportFormat | 'handlers'

const TESTS: readonly Form[] = ['test-js', 'test-python']
const FORMS: readonly Form[] = ['yaml', 'json', 'compact', 'openai', 'anthropic', 'atif', 'events', 'markdown', 'html', ...TESTS]

interface Values {
  to: Form
  all?: true
  from?: FormatName
  session?: string
  lenient?: true
  output?: string
}

export const convert: Command<Values> = {
  name: 'convert',
  usage: 'convert FILES… [--to FORM] [--all] [--from PROGRAM] [--session ID] [--lenient] [-o OUT]',
  about: () => [
    'FILES are one transcript, or - for the standard input. They can also be the log of another program, such as the folder of',
    `a session, or a recording with its calls and its result. It reads ${readableFormats()}.`,
    'FORM is yaml (the default) or json, the full form; compact; openai or anthropic, a request; atif, a trajectory; events, a',
    'log of events; markdown or html, a page for people; test-js or test-python, a test that reads FILES where it lies, and has',
    'it in itself when that is the standard input, compressed or a log; or handlers, made of',
    `${pluralsWith('handlers')}. What the form cannot say is told on the standard error. OUT is a file; or a folder, which`,
    'ends in a slash or exists: each recording of FILES gets a file there.',
    'The exit code is 1 when a part of FILES could not be read. With --lenient it is 0 as long as some of it could. The',
    'standard error lists what is lost in both cases.',
  ],
  examples: [
    ['transcript convert run.yaml --to openai -o request.json', 'writes what the model was sent last as a request'],
    ['transcript convert run.yaml --to test-js -o run.test.mjs', 'makes a test of it, with a place for your agent'],
    ['transcript convert logs/abc --to yaml -o converted.yaml', 'makes a transcript of the folder of a session'],
    ['transcript convert logs/abc/transcript.json --to json', 'prints it as JSON'],
    ['transcript convert cassettes/ -o transcripts/', 'makes a transcript of every conversation of every cassette'],
    ['transcript convert fixtures.json --to handlers -o handlers.yaml', 'makes handlers for a mock'],
    ['transcript convert logs/abc --lenient -o converted.yaml', 'accepts a log with lines that cannot be read'],
  ],
  exits: {
    0: 'written',
    1: 'written without --lenient, but what was read has an error; or nothing could be made of it',
    2: 'misuse, or a file that cannot be read',
  },
  see: ['show', 'detect', 'logs.md'],
  options: {
    to: { values: [...FORMS, 'handlers'], name: 'FORM', help: 'the form to write' },
    all: { flag: true, help: 'write messages, too, that the model cannot see at the end (openai, anthropic)' },
    from: FROM_OPTION,
    session: { name: 'ID', help: 'which session, where there are several' },
    lenient: { flag: true, help: 'end with 0 when a part of FILES could be read, even if another is lost' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output, or a folder' },
  },
  run,
}

/** What is written with: the values of options, and where messages go. */
interface Writing {
  values: Values & CommonValues
  terminal: Terminal
}

/** Where a test finds the file of `input`, from the folder that it is written to; undefined when it must have it in itself. */
const sourcePath = (input: NamedSource, to: Form, output: string | undefined) => {
  const { file, bytes }: { file: string; bytes?: Uint8Array } = input
  if (!TESTS.includes(to) || bytes === undefined || wasCompressed(input) || !existsSync(file)) return undefined
  const folder = output === undefined ? '.' : dirname(output)
  return relative(resolve(folder), resolve(file)).replaceAll(sep, '/')
}

/** Writes `input` in a format; losses have the places in `file`, the name of the user's text. */
const writeExport = (input: NamedSource, file: string | undefined, options: Options, to: Form, { values, terminal }: Writing) => {
  const path = sourcePath(input, to, values.output)
  // Handlers are no form of a transcript, and do not come here.
  const found = exportTranscript(input, { ...options, to: to as ExportFormat, ...(values.all && { all: true }), ...(path && { path }) })
  if (found.text === null) {
    const document = parse(input, options)
    const rendered = document.render({ color: terminal.colourErr(values.color) })
    document.free()
    terminal.err(rendered)
    const lastDiagnostic = found.diagnostics.at(-1)
    if (rendered === '' && lastDiagnostic !== undefined) terminal.err(renderError(lastDiagnostic.message, lastDiagnostic.help))
    return 1
  }
  terminal.err(renderLosses(`${to} loses`, file, found))
  writeOutputExactly(found.text, values.output, terminal)
  return found.diagnostics.some(({ severity }) => severity === 'error') && !values.lenient ? 1 : 0
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`convert` needs a file', `transcript ${convert.usage}`)
  const inputs = await readLogs(files, terminal, values)
  const options = openOptions(values, files[0]!, terminal)
  const { maxBytes, maxDepth } = options
  const { from, session, to = 'yaml' } = values
  const isForeign = from !== undefined || to === 'handlers' || inputs.some((input) => isLog(input, { maxBytes, maxDepth }))
  const toFolder = values.output !== undefined && isFolder(values.output)
  if (!isForeign && inputs.length === 1 && !toFolder) return writeExport(inputs[0]!, inputs[0]!.file, options, to, { values, terminal })
  const reading: ImportOptions & { handlers: boolean } = {
    maxBytes,
    maxDepth,
    from,
    format: to === 'json' ? 'json' : 'yaml',
    handlers: to === 'handlers',
  }
  if (toFolder) {
    const write: Parameters<typeof convertAll>[3] = ({ found, file, output }) =>
      writeImported(found, file, options, to, { values: { ...values, output }, terminal })
    return convertAll(inputs, reading, values.output!, write, { terminal, values })
  }
  const found = importLogs(inputs, { ...reading, session }, terminal, values)
  return found === null ? 1 : writeImported(found, inputs[0]!.file, options, to, { values, terminal })
}

/** Writes what was imported. */
const writeImported = (found: ImportResult, file: string, options: Options, to: Form, { values, terminal }: Writing) => {
  if (to === 'handlers' && found.handlers === null) {
    throw new UsageError('there are no mock handlers in this log', `\`--to handlers\` takes ${pluralsWith('handlers')}`)
  }
  // Fixtures need be no conversation to become handlers. A run without a step or a message is no result.
  const isEmpty = found.files.some(({ diagnostics }) => diagnostics.some(({ code, severity }) => code === 'T907' && severity === 'error'))
  const isWhole = found.ok || (values.lenient && !isEmpty) || (to === 'handlers' && groupingOf(found.kind) === 'set') ? 0 : 1
  if (['yaml', 'json', 'handlers'].includes(to)) {
    writeOutputExactly(to === 'handlers' ? found.handlers! : found.text!, values.output, terminal)
    return isWhole
  }
  const code = writeExport({ text: found.text!, file }, undefined, withoutSizeLimit(options), to, { values, terminal })
  return Math.max(code, isWhole)
}
