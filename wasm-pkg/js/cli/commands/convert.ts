import { existsSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { ExportFormat, FormatName, ImportOptions, ImportResult, Options } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { exportTranscript } from '../authoring.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { convertAll, isFolder } from '../convert-all.ts'
import { formats, parse } from '../core.ts'
import { EXPORT_FORMATS, type ExportFormatEntry } from '../export-formats.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
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

/** The names of the formats that take an option of `exportTranscript`. */
const formatsWith = (option: ExportFormatEntry['options'][number]) =>
  EXPORT_FORMATS.filter(({ options }) => options.includes(option)).map(({ name }): Form => name)

/** The formats and their descriptions, which neighbors share. */
const describedFormats = () => {
  const groups: { names: string[]; description: string }[] = []
  EXPORT_FORMATS.forEach(({ name, description }, at) => {
    const shown = at === 0 ? `${name} (the default)` : name
    const last = groups.at(-1)
    if (last?.description === description) last.names.push(shown)
    else groups.push({ names: [shown], description })
  })
  return groups.map(({ names, description }) => [listed(names, 'or'), description].filter(Boolean).join(', ')).join('; ')
}

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
  usage: 'convert FILES… [--to FORM] [--all] [--from TOOL] [--session ID] [--lenient] [-o OUT]',
  about: () => [
    'FILES are a transcript, - for stdin, or the files of a log: one file, a session folder, or a recording with its calls and its',
    `result. These are read: ${readableFormats()}.`,
    '',
    `FORM is ${describedFormats()}; or handlers, from ${pluralsWith('handlers')}. What FORM cannot express is listed on stderr.`,
    '',
    'OUT is a file, or a folder: one that exists, a name that ends in a slash, or any with `--session all`. In a folder, each recording and each session in it gets a file.',
    '',
    'The exit code is 1 if part of FILES could not be read. With --lenient, it is 0 if any of it could.',
  ],
  examples: [
    ['transcript convert run.yaml --to openai -o request.json', 'write the next request for OpenAI'],
    ['transcript convert run.yaml --to test-vitest -o run.test.js', 'write a test with a place for your agent'],
    ['transcript convert logs/abc --to yaml -o converted.yaml', 'convert a session folder'],
    ['transcript convert logs/abc/transcript.json --to json', 'print JSON'],
    ['transcript convert cassettes/ --session all -o transcripts', 'write a transcript for each conversation'],
    ['transcript convert fixtures.json --to handlers -o handlers.yaml', 'write mock handlers'],
    ['transcript convert logs/abc --lenient -o converted.yaml', 'accept unreadable lines'],
  ],
  exits: {
    0: 'written',
    1: 'nothing could be converted; or, without --lenient, only a part was',
    2: 'invalid arguments, or an unreadable file',
  },
  see: ['show', 'detect', 'logs.md'],
  options: {
    to: { values: [...EXPORT_FORMATS.map(({ name }) => name), 'handlers'], name: 'FORM', help: 'the format to write' },
    all: { flag: true, help: `include hidden messages (${formatsWith('all').join(', ')})` },
    from: FROM_OPTION,
    session: { name: 'ID', help: 'the session to convert, if there are several; `all` writes each to a file in the folder OUT' },
    lenient: { flag: true, help: 'exit with 0 if only a part of FILES could be read' },
    output: { short: 'o', name: 'OUT', help: 'write to this file or folder instead of stdout' },
  },
  run,
}

/** The settings of the output: the values of options, and where messages go. */
interface Writing {
  values: Values & CommonValues
  terminal: Terminal
}

/** Forms that an import writes itself. */
const isWrittenByImport = (to: Form) => ['yaml', 'json', 'handlers'].includes(to)

/** The text before and after the name of a run in the name of its file. */
const fileAffixes = (to: Form): ExportFormatEntry['file'] =>
  isWrittenByImport(to) ? ['', to === 'json' ? '.json' : '.yaml'] : EXPORT_FORMATS.find(({ name }) => name === to)!.file

/** Where a test finds the file of `input`, from the folder that it is written to; undefined when it must have it in itself. */
const sourcePath = (input: NamedSource, to: Form, output: string | undefined) => {
  const { file, bytes }: { file: string; bytes?: Uint8Array } = input
  if (!formatsWith('path').includes(to) || bytes === undefined || wasCompressed(input) || !existsSync(file)) return undefined
  const folder = output === undefined ? '.' : dirname(output)
  return relative(resolve(folder), resolve(file)).replaceAll(sep, '/')
}

/** The exit code of a conversion, and whether it wrote its output. */
interface Written {
  code: number
  isWritten: boolean
}

/** Writes `input` in a format; losses have the places in `file`, the name of the user's text. */
const writeExport = (input: NamedSource, file: string | undefined, options: Options, to: Form, { values, terminal }: Writing): Written => {
  const path = sourcePath(input, to, values.output)
  // Handlers are no form of a transcript, and do not come here.
  const found = exportTranscript(input, { ...options, to: to as ExportFormat, ...(values.all && { all: true }), ...(path && { path }) })
  if (found.text === null) {
    const document = parse(input, options)
    terminal.err(document.render({ color: terminal.colorErr(values.color) }))
    const own = document.diagnostics.map(({ message }) => message)
    const problems = hasOnlyHandlers(document) ? [handlersProblem(document, input.file)] : found.diagnostics
    document.free()
    // The reason may be no diagnostic of the document itself.
    for (const { message, help } of problems) if (!own.includes(message)) terminal.err(renderError(message, help))
    return { code: 1, isWritten: false }
  }
  terminal.err(renderLosses(`${to} loses`, file, found))
  writeOutputExactly(found.text, values.output, terminal)
  const isPart = found.diagnostics.some(({ severity }) => severity === 'error')
  return { code: isPart && !values.lenient ? 1 : 0, isWritten: true }
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`convert` needs a file', `transcript ${convert.usage}`)
  const inputs = await readLogs(files, terminal, values)
  const options = openOptions(values, files[0]!, terminal)
  const { maxBytes, maxDepth } = options
  const { from, to = 'yaml' } = values
  const isEach = values.session === 'all'
  if (isEach && (values.output ?? '-') === '-') throw new UsageError('`--session all` needs a folder', 'name it with `-o FOLDER`')
  const session = isEach ? undefined : values.session
  const isForeign = from !== undefined || to === 'handlers' || inputs.some((input) => isLog(input, { maxBytes, maxDepth }))
  const toFolder = values.output !== undefined && (isEach || isFolder(values.output))
  if (!isForeign && inputs.length === 1 && !toFolder)
    return writeExport(inputs[0]!, inputs[0]!.file, options, to, { values, terminal }).code
  const reading: ImportOptions & { handlers: boolean } = {
    maxBytes,
    maxDepth,
    from,
    format: to === 'json' ? 'json' : 'yaml',
    handlers: to === 'handlers',
  }
  if (toFolder) {
    const write: Parameters<typeof convertAll>[4] = ({ found, file, output }) =>
      writeImported(found, file, options, to, { values: { ...values, output }, terminal })
    return convertAll(inputs, { ...reading, session }, values.output!, fileAffixes(to), write, { terminal, values })
  }
  const found = importLogs(inputs, { ...reading, session }, terminal, values)
  return found === null ? 1 : writeImported(found, inputs[0]!.file, options, to, { values, terminal }).code
}

/** Writes what was imported. */
const writeImported = (found: ImportResult, file: string, options: Options, to: Form, { values, terminal }: Writing): Written => {
  if (to === 'handlers' && found.handlers === null) {
    throw new UsageError('this log has no mock handlers', `\`--to handlers\` reads ${pluralsWith('handlers')}`)
  }
  // Fixtures need be no conversation to become handlers. A run without a step or a message is no result.
  const isEmpty = found.files.some(({ diagnostics }) => diagnostics.some(({ code, severity }) => code === 'T907' && severity === 'error'))
  const isWhole = found.ok || (values.lenient && !isEmpty) || (to === 'handlers' && groupingOf(found.kind) === 'set') ? 0 : 1
  if (isWrittenByImport(to)) {
    writeOutputExactly(to === 'handlers' ? found.handlers! : found.text!, values.output, terminal)
    return { code: isWhole, isWritten: true }
  }
  const { code, isWritten } = writeExport({ text: found.text!, file }, undefined, withoutSizeLimit(options), to, { values, terminal })
  return { code: Math.max(code, isWhole), isWritten }
}
