import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { pluralize, renderError } from '../report.ts'
import { printable } from '../printable.ts'
import { startListening, listenAddress, untilStopped } from '../serving.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  upstream?: string
  output?: string
  port?: number
  listen?: string
  journal?: string
  name?: string
  chunks?: true
  timing?: true
}

export const record: Command<Values> = {
  name: 'record',
  usage: 'record --upstream URL -o OUT [--port N] [--journal FILE] [--name NAME] [--chunks] [--timing]',
  about: [
    'Set OPENAI_BASE_URL to http://127.0.0.1:4747/v1, or ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL to http://127.0.0.1:4747,',
    'and run your agent.',
    'Requests are forwarded to URL with their own key, which is not recorded. Press Ctrl+C to stop and write OUT.',
    '',
    'Callers with a name, from http://127.0.0.1:4747/@NAME/v1 or the header `x-transcript-session`, get files of their own: OUT',
    'with a dash and the name. A journal keeps the recording if the program is killed.',
  ],
  examples: [
    ['transcript record --upstream https://api.openai.com -o run.yaml', 'record calls to OpenAI'],
    ['transcript record --upstream https://api.anthropic.com -o claude.yaml --journal claude.journal', 'keep a journal as well'],
  ],
  exits: { 0: 'written', 1: 'no calls, or a part could not be recorded', 2: 'invalid arguments, or an unwritable file' },
  see: ['serve', 'recover', 'redact', 'record.md', 'server.md'],
  options: {
    upstream: { name: 'URL', help: 'the API, such as https://api.openai.com or https://api.anthropic.com' },
    output: { short: 'o', name: 'OUT', help: 'the file to write; JSON if its name ends in .json' },
    port: { number: true, name: 'N', help: 'the port, 4747 by default; 0 takes any free one' },
    listen: { name: 'HOST:PORT', help: 'the address to listen on, 127.0.0.1 by default' },
    journal: { name: 'FILE', help: 'write each fact to this file as it happens; see `recover`' },
    name: { name: 'NAME', help: 'the name of the transcript' },
    chunks: { flag: true, help: 'keep the chunks of streamed responses' },
    timing: { flag: true, help: 'keep the chunks and their times' },
  },
  run,
}

/** The entry at the path of an output file, if any; rejects what cannot be a file before a run is lost. */
const checkOutput = (name: string) => {
  let found: Stats | undefined
  try {
    found = statSync(name, { throwIfNoEntry: false })
    const folder = statSync(dirname(name), { throwIfNoEntry: false })
    if (folder?.isDirectory() === false) throw new Error('its folder is a file')
  } catch (error) {
    throw new UsageError(
      `cannot write \`${name}\`: ${(error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'its folder is a file' : (error as Error).message}`,
    )
  }
  if (found?.isDirectory()) throw new UsageError(`cannot write \`${name}\`: it is a folder`, 'name a file in it')
  return found
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  if (files.length > 0) throw new UsageError(`\`record\` takes no file, but got \`${files[0]}\``, 'name the output file with -o')
  const { upstream, output, journal, name, chunks = false, timing = false } = values
  if (upstream === undefined) throw new UsageError('`record` needs the URL of an API', 'such as --upstream https://api.openai.com')
  if (output === undefined) throw new UsageError('`record` needs a file to write to', 'such as -o run.yaml')
  if (!/^https?:\/\/[^/]/i.test(upstream) || !URL.canParse(upstream)) {
    throw new UsageError(`\`--upstream\` takes a URL, but got \`${upstream}\``, 'such as https://api.openai.com')
  }
  const place = listenAddress(values)
  const before = checkOutput(output)
  if (journal !== undefined) checkOutput(journal)
  const { proxy } = await import('transcript-workbench/server')
  const settings = { chunks: chunks || timing, name, maxBytes: values['max-bytes'] }
  const recording = await startListening(() => proxy({ ...place, upstream, output, journal, timing, record: settings }), place)
  if (before !== undefined) terminal.err(`note: \`${printable(output)}\` exists and will be replaced when the recording ends\n`)
  // Whoever reads where it listens may stop it at once.
  const stopped = untilStopped()
  terminal.out(`recording at ${recording.url}, forwarding to ${new URL(upstream).origin}\n`)
  await stopped
  const sessions = recording.sessions
  const problems = sessions.flatMap((session) => recording.recorder(session)!.problems)
  for (const { message, help } of problems) terminal.err(renderError(message, help?.replace('`maxBytes`', '`--max-bytes`')))
  const saved = await recording.close().catch((error: Error) => {
    throw new UsageError(`cannot write \`${output}\`: ${error.message}`)
  })
  if (saved.length === 0)
    terminal.err(renderError('no model calls were received, so nothing was written', 'check that the agent uses the address above'))
  else terminal.out(`${pluralize(saved.length, 'transcript')} written: ${saved.map((file) => printable(String(file))).join(', ')}\n`)
  return saved.length === 0 || problems.length > 0 ? 1 : 0
}
