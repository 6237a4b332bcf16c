import { createHash } from 'node:crypto'
import { DEFAULT_LIMIT } from '../../api/gzip.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { printable } from '../printable.ts'
import { REFERENCED_FILES } from '../manual-files.ts'
import { renderWarning } from '../report.ts'
import { startListening, listenAddress, untilStopped } from '../serving.ts'
import type { Terminal } from '../terminal.ts'
import { browse } from '../workbench/browser.ts'
import { openFile } from '../workbench/file.ts'
import { followLog } from '../workbench/followed.ts'
import { type FollowSettings, type Settings, serveWorkbench } from '../workbench/serve.ts'
import { type Site, openSite } from '../workbench/site.ts'

interface Values {
  port?: number
  'no-browser'?: true
  autosave?: true
  follow?: true
}

export const open: Command<Values> = {
  name: 'open',
  usage: 'open FILE [--port N] [--no-browser] [--autosave | --follow]',
  about: [
    'Serves the workbench on this machine, prints its address and, in a terminal, opens the browser. Ctrl+S in the page saves',
    'FILE. Changes by other programs are shown and never overwritten without asking. A new FILE is created when you save it.',
    'Logs of other tools are shown as transcripts and never written. Anyone with the address can read and write FILE, and nothing',
    'else. With --follow, the page shows what an agent adds to its log while it runs; FILE may be a folder, of which the session',
    'that was written last is shown, and is not written. Press Ctrl+C to stop.',
  ],
  examples: [
    ['transcript open run.yaml', 'open it in the browser; Ctrl+S saves it'],
    ['transcript open --follow session.jsonl', 'show what an agent adds to its log'],
    ['transcript open run.yaml --no-browser --port 4800', 'print the address only, and keep it the same'],
  ],
  exits: {
    0: 'stopped with Ctrl+C',
    2: 'invalid arguments, an unreadable file, or a port in use',
  },
  reads: [REFERENCED_FILES],
  see: ['show', 'serve', 'open.md'],
  options: {
    port: { number: true, name: 'N', help: 'the port; by default, a fixed one for each file, if it is free' },
    'no-browser': { flag: true, help: 'print the address only' },
    follow: { flag: true, help: 'show what is added to a log, or to the newest log of a folder' },
    autosave: { flag: true, help: 'save FILE a second after each change' },
  },
  run,
}

/** Ports that nothing is assigned to. */
const FIRST = 49152
const ALL = 65536 - FIRST

/** A port of the file's own: what the browser keeps of it is found again under the same address only. */
const portOf = (id: string) => FIRST + (createHash('sha256').update(id).digest().readUInt32BE() % ALL)

const serve = async (site: Site, settings: Settings | FollowSettings, requestedPort: number | undefined) => {
  if (requestedPort !== undefined)
    return startListening(() => serveWorkbench(site, settings, requestedPort), listenAddress({ port: requestedPort }))
  try {
    return await serveWorkbench(site, settings, portOf(('log' in settings ? settings.log : settings.file).id))
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException)?.code ?? '')) throw error
    return serveWorkbench(site, settings, 0)
  }
}

const settingsOf = (name: string, values: Arguments<Values>['values'], terminal: Terminal): Settings => {
  const most = values['max-bytes'] ?? DEFAULT_LIMIT
  const onSave = (size: number) => terminal.out(`saved ${printable(name)}, ${size} bytes\n`)
  return { file: openFile(name, most), autosave: values.autosave ?? false, most, onSave }
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const usage = `transcript ${open.usage}`
  if (files.length === 0) throw new UsageError('`open` needs a file', usage)
  if (files.length > 1) throw new UsageError(`\`open\` takes one file, but got ${files.length}`, usage)
  const [name] = files
  if (name === '-') throw new UsageError('`open` needs a file to save to, not stdin', 'write it to a file first')
  if (name === '') throw new UsageError('a file name is empty', 'a shell variable may be empty')
  if (values.follow && values.autosave) throw new UsageError('`--follow` writes nothing, so that `--autosave` has no use', usage)
  const site = openSite()
  const settings = values.follow ? { log: followLog(name!) } : settingsOf(name!, values, terminal)
  const server = await serve(site, settings, values.port)
  // Whoever reads where it listens may stop it at once.
  const stopped = untilStopped()
  terminal.out(`${printable(name)} is at ${server.address}\n`)
  if (terminal.isInteractive && !values['no-browser'] && !(await browse(server.launch()))) {
    terminal.err(renderWarning('no browser could be opened', 'open the address above'))
  }
  await stopped
  await server.close()
  return 0
}
