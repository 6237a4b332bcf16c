import { openOptions } from '../arguments.ts'
import { redact as hide } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { parse } from '../core.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { openDocument } from '../opening.ts'
import { printable } from '../printable.ts'
import { CONFIG_FILES } from '../manual-files.ts'
import { pluralize, renderError } from '../report.ts'
import { writeOutputExactly } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  kinds?: string[]
  also?: string[]
  keys?: string[]
  format: 'text' | 'json'
  output?: string
}

export const redact: Command<Values> = {
  name: 'redact',
  usage: 'redact FILE [--kinds KIND,…] [--also TEXT,…] [--keys KEY,…] [-o OUT]',
  about: [
    'FILE is a name, or - for the standard input. One secret has one placeholder everywhere. What was replaced is',
    'told on the standard error, never the secret itself; so is what is wrong with the text, which then ends with 1.',
    'A KIND is one of',
    '  anthropic-key openai-key github-token gitlab-token aws-key google-key slack-token stripe-key npm-token',
    '  hugging-face-token jwt authorization private-key password url-password email phone ip-address',
    'or default, the usual ones, or all.',
  ],
  examples: [
    ['transcript redact run.yaml -o run.shared.yaml', 'writes it without secrets'],
    ['transcript redact run.yaml --also NYC --keys location -o run.shared.yaml', 'replaces further texts and values'],
    ['transcript redact run.yaml --kinds all --format json -o run.shared.yaml', 'looks for everything, and reports as JSON'],
  ],
  exits: {
    0: 'written',
    1: 'written, but the text has errors or another form than before; or it cannot be read',
    2: 'misuse, or a file that cannot be read',
  },
  reads: [CONFIG_FILES],
  see: ['redaction.md'],
  options: {
    kinds: { name: 'KIND', many: true, help: 'the kinds of secrets to look for; without it, all of the usual ones' },
    also: { name: 'TEXT', many: true, help: 'further texts to replace' },
    keys: { name: 'KEY', many: true, help: 'further keys whose values are replaced' },
    format: { values: ['text', 'json'], help: 'how the report is told' },
    output: { short: 'o', name: 'OUT', help: 'the file to write to instead of the standard output' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(redact, files)
  const input = await readInput(name, terminal, values)
  const own = Object.fromEntries((['kinds', 'also', 'keys'] as const).filter((key) => values[key]).map((key) => [key, values[key]]))
  const options = openOptions(values, name, terminal)
  const { text, items, staleBlobs, formChanged, count } = hide(input, { ...options, ...own })
  if (text === null) {
    terminal.err(parse(input, options).render({ color: terminal.colourErr(values.color) }))
    return 1
  }
  writeOutputExactly(text, values.output, terminal)
  // Diagnostics are about the text without its secrets, since they show source lines.
  const document = openDocument({ text, file: input.file }, options)
  const { ok, diagnostics } = document
  const code = ok && !formChanged ? 0 : 1
  if (values.format === 'json') {
    terminal.err(`${JSON.stringify({ count, items, staleBlobs, formChanged, diagnostics }, null, 2)}\n`)
    return code
  }
  const rows = items.map(({ placeholder, kind, count }) => `${placeholder}  ${kind}, ${pluralize(count, 'place')}\n`)
  const stale = staleBlobs.map(
    ({ name, place }) =>
      `${printable(input.file)}:${place.line}:${place.column}: \`${printable(name)}\` is no longer the hash of its content\n`,
  )
  if (!ok) terminal.err(document.render({ color: terminal.colourErr(values.color) }))
  terminal.err(`${rows.join('')}${stale.join('')}${pluralize(items.length, 'secret')} replaced in ${pluralize(count, 'place')}\n`)
  if (formChanged) {
    const message = 'the placeholders change the form of the document: it has other lists, maps or roles than before'
    terminal.err(renderError(message, 'look at the text before it is used; it holds none of the secrets that were found'))
  }
  return code
}
