import { openingOf } from '../arguments.js'
import { Misuse } from '../failure.js'
import { importing, readLogs } from '../logs.js'
import { giveExactly } from '../save.js'

export const convert = {
  name: 'convert',
  group: 'write',
  usage: 'convert FILES… [--to yaml|json|handlers] [--from qbit|agentloom] [--session ID] [-o OUT]',
  summary: 'make a transcript of the log of another program',
  about: [
    'FILES are the log of a qbit session, or its folder with the logs of its agents; or a recording of AgentLoom, with',
    'the calls of a replay and the result of the workflow where there are any. What is wrong with them, and what of them',
    'is no part of the run, is told on the standard error.',
  ],
  examples: [
    ['transcript convert logs/abc --to yaml -o converted.yaml', 'makes a transcript of the folder of a session'],
    ['transcript convert logs/abc/transcript.json --to json', 'prints it as JSON'],
  ],
  exits: {
    0: 'written',
    1: 'written, but something of the log is wrong; or nothing could be made of it',
    2: 'misuse, or a file that cannot be read',
  },
  see: ['show', 'detect', 'logs.md'],
  options: {
    to: { values: ['yaml', 'json', 'handlers'], help: 'what to write; handlers are the answers of a recording' },
    from: { name: 'PROGRAM', help: 'qbit or agentloom, where the content does not tell' },
    session: { name: 'ID', help: 'which session, where there are several' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

async function run({ files, values }, terminal) {
  if (files.length === 0) throw new Misuse('`convert` needs a file', `transcript ${convert.usage}`)
  const inputs = await readLogs(files, terminal, values)
  const { maxBytes, maxDepth } = openingOf(values, files[0], terminal)
  const { from, session, to } = values
  const found = importing(inputs, { maxBytes, maxDepth, from, session, format: to === 'json' ? 'json' : 'yaml' }, terminal, values)
  if (found === null) return 1
  if (to === 'handlers' && found.handlers === null) {
    throw new Misuse('a log of qbit has no mock handlers in it', '`--to handlers` takes a recording of AgentLoom')
  }
  giveExactly(to === 'handlers' ? found.handlers : found.text, values.output, terminal)
  return found.ok ? 0 : 1
}
