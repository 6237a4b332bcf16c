import { dirname, join } from 'node:path'
import { nameOf } from '../../server/transcript-name.ts'
import type { StreamTiming } from '../../types/fetch.ts'
import type { MockModel, ReplaySettings, Tape } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { TranscriptError, detect, mockModel, replay } from '../core.ts'
import { UsageError } from '../failure.ts'
import { inputNames, readInput } from '../inputs.ts'
import { withFiles } from '../opening.ts'
import { printable } from '../printable.ts'
import { REFERENCED_FILES, CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import { startListening, listenAddress, untilStopped } from '../serving.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  port?: number
  listen?: string
  timing?: string
  ignore?: string[]
  compare?: ReplaySettings['compare']
}

export const serve: Command<Values> = {
  name: 'serve',
  usage: 'serve FILE|DIR… [--port N] [--listen HOST:PORT] [--timing recorded|MS] [--ignore PATH]… [--compare WHAT,…]',
  about: [
    'Serves the APIs of OpenAI, Anthropic, Gemini, Amazon Bedrock, Mistral, Ollama and Cohere, as JSON and as streams. Set',
    'OPENAI_BASE_URL to http://127.0.0.1:4747/v1, and to http://127.0.0.1:4747: ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL,',
    'AWS_ENDPOINT_URL_BEDROCK_RUNTIME, OLLAMA_HOST and CO_API_URL.',
    '',
    'With several transcripts, choose one by path, http://127.0.0.1:4747/NAME/v1, or by the header `x-transcript`. NAME is the',
    'file name without its ending. If two files share a name, the second gets its folders as a prefix: d2-run for d2/run.yaml.',
    '',
    'Callers replay independently. Name a caller by path, NAME@CALLER, or by the header `x-transcript-session`.',
    '',
    'A request that differs gets status 400 and an explanation. A FILE with handlers answers from its handlers.',
    'GET /transcript returns the status of the callers, and DELETE /transcript resets them. Press Ctrl+C to stop.',
  ],
  examples: [
    ['transcript serve run.yaml --port 4747', 'serve one recording'],
    ['transcript serve transcripts/ --listen 127.0.0.1:0', 'serve a folder on any free port'],
    ['transcript serve handlers.yaml --timing 20', 'serve handlers, with a chunk every 20 ms'],
  ],
  exits: {
    0: 'no caller diverged',
    1: 'a caller diverged, or a recording cannot be replayed',
    2: 'invalid arguments, an unreadable file, or a port in use',
  },
  reads: [CONFIG_FILES, REFERENCED_FILES],
  see: ['record', 'replay', 'server.md'],
  options: {
    port: { number: true, name: 'N', help: 'the port, 4747 by default; 0 takes any free one' },
    listen: { name: 'HOST:PORT', help: 'the address to listen on, 127.0.0.1 by default' },
    timing: { name: 'recorded|MS', help: 'stream at the recorded speed, or a chunk every MS milliseconds' },
    ignore: { name: 'PATH', repeated: true, help: 'differences to ignore, such as `timestamps`; repeatable' },
    compare: { name: 'WHAT', many: true, help: 'also compare: model, settings, tools, result_order, error_text' },
  },
  run,
}

const timingOf = (value: string | undefined): StreamTiming | undefined => {
  if (value === undefined || value === 'recorded') return value
  if (/^\d{1,6}$/.test(value)) return Number(value)
  throw new UsageError(`\`--timing\` takes \`recorded\` or a number of milliseconds, but got \`${value}\``)
}

/** The name of a file with its folders: `d2/run.yaml` is `d2-run`. */
const longNameOf = (file: string) => join(dirname(file), nameOf(file)).replaceAll(/[\\/@?#]+/g, '-')

type Open = () => MockModel | Promise<Tape>

/** The transcripts by name; two files with the same name are distinguished by their folders. */
const sourcesOf = async (files: readonly string[], terminal: Terminal, values: Values & CommonValues) => {
  const sources = new Map<string, Open>()
  for (const file of inputNames(files)) {
    const input = await readInput(file, terminal, values)
    if (terminal.unreadable) throw new UsageError(`cannot read \`${input.file}\`: ${detect(input).reason}`)
    const { rules, ...options } = withFiles(input, openOptions(values, file, terminal))
    const name = file === '-' ? 'stdin' : sources.has(nameOf(file)) ? longNameOf(file) : nameOf(file)
    const isHandlers = detect(input, options).kind === 'handlers'
    const { ignore, compare } = values
    const settings = { ...(ignore && { ignore }), ...(compare && { compare }) }
    const open = isHandlers ? () => mockModel(input, options) : () => replay(input, { ...options, rules, ...settings })
    // A recording that cannot be played is reported now, and not to the first caller.
    await open()
    sources.set(name, open)
  }
  return sources
}

/** What was answered to a request. */
interface Answer {
  method: string
  path: string
  status: number
  error?: { message: string; divergence?: unknown }
}

const requestErrorText = ({ method, path, status, error }: Answer) =>
  renderError(
    `${method} ${path} was answered with ${status}: ${error?.message?.split('\n')[0] ?? ''}`,
    (error?.divergence as { hint: string } | undefined)?.hint,
  )

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('`serve` needs a file or a folder', `transcript ${serve.usage}`)
  const place = listenAddress(values)
  const timing = timingOf(values.timing)
  let sources: Map<string, Open>
  try {
    sources = await sourcesOf(files, terminal, values)
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    terminal.err(renderError(error.message.split('\n')[0]!))
    terminal.err(`${error.rendered}\n`)
    return 1
  }
  const { serve: open } = await import('transcript-workbench/server')
  const onResponse = (answer: Answer) => {
    if (answer.status >= 400) terminal.err(requestErrorText(answer))
  }
  const server = await startListening(() => open(sources, { ...place, timing, onResponse }), place)
  // Whoever reads where it listens may stop it at once.
  const stopped = untilStopped()
  terminal.out(`${pluralize(sources.size, 'transcript')} at ${server.url}: ${[...sources.keys()].map(printable).join(', ')}\n`)
  await stopped
  const { sessions } = server
  await server.close()
  for (const { name, session, calls, leftover, diverged } of sessions) {
    const who = printable(session === '' ? name : `${name}@${session}`)
    const left = leftover.length === 0 ? '' : `, left over: ${leftover.join(', ')}`
    terminal.out(`${who}: ${pluralize(calls, 'call')}${left}${diverged ? ', diverged' : ''}\n`)
  }
  return sessions.some(({ diverged }) => diverged) ? 1 : 0
}
