import type { FormatName, ImportedFile, TranscriptDocument } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { UsageError } from '../failure.ts'
import { handlersProblem, hasOnlyHandlers } from '../handlers-only.ts'
import { FROM_OPTION, renderResponses, importLogs, isLog, pluralsWith, withoutSizeLimit, readLogs } from '../logs.ts'
import { openDocument } from '../opening.ts'
import { outline } from '../outline.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { renderError } from '../report.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  summary?: true
  from?: FormatName
  session?: string
}

export const show: Command<Values> = {
  name: 'show',
  usage: 'show FILES… [--summary] [--session ID]',
  about: () => [
    `FILES are a transcript, or a log that \`transcript convert\` reads. With --summary, ${pluralsWith('summary', 'and')} are printed`,
    'as their tool passes them to its summarizer. A recording of responses without requests is shown as a table.',
  ],
  examples: [
    ['transcript show run.yaml', 'list the steps of a run'],
    ['transcript show logs/abc', 'list the steps of a log'],
    ['transcript show logs/abc --summary', 'print the summarizer input'],
  ],
  exits: { 0: 'shown', 1: 'the file has errors', 2: 'invalid arguments, or an unreadable file' },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['state', 'convert', 'logs.md'],
  options: {
    summary: { flag: true, help: 'print the text that the tool passes to its summarizer' },
    from: FROM_OPTION,
    session: { name: 'ID', help: 'the session to show, if there are several' },
  },
  run,
}

const showDocument = (file: string, document: TranscriptDocument, terminal: Terminal) => {
  if (!document.readable || document.overview.form === 'handlers') {
    if (hasOnlyHandlers(document)) {
      const { message, help } = handlersProblem(document, file)
      terminal.err(renderError(message, help))
    }
    return 1
  }
  terminal.out(outline(file, document, new Map(), terminal.columns))
  return document.ok ? 0 : 1
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`show` needs a file', `transcript ${show.usage}`)
  const inputs = await readLogs(files, terminal, values)
  const options = openOptions(values, files[0]!, terminal)
  const { from, session, summary } = values
  if (from === undefined && !summary && inputs.length === 1 && !isLog(inputs[0]!, options)) {
    const document = openDocument(inputs[0]!, options)
    terminal.err(document.render({ color: terminal.colorErr(values.color) }))
    return showDocument(inputs[0]!.file, document, terminal)
  }
  const { maxBytes, maxDepth } = options
  const found = importLogs(inputs, { maxBytes, maxDepth, from, session, summary: summary ?? false }, terminal, values)
  if (found === null) return 1
  if (summary) {
    if (found.summary === null) throw new UsageError(`only ${pluralsWith('summary', 'and')} have text for a summarizer`)
    terminal.out(found.summary)
    return found.ok ? 0 : 1
  }
  const answers = renderResponses(found, terminal.columns)
  if (answers !== null) {
    terminal.out(answers)
    return found.ok ? 0 : 1
  }
  // There is one where there is a transcript.
  const [{ path: file }] = found.files as [ImportedFile]
  const document = parse({ text: found.text!, file }, withoutSizeLimit(options))
  if (!document.readable) terminal.err(document.render({ color: terminal.colorErr(values.color) }))
  const code = showDocument(file, document, terminal)
  return found.ok ? code : 1
}
