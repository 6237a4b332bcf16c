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
  literals?: string[]
  keys?: string[]
  format: 'text' | 'json'
  output?: string
}

export const redact: Command<Values> = {
  name: 'redact',
  usage: 'redact FILE [--kinds KIND,…] [--literals TEXT,…] [--keys KEY,…] [-o OUT]',
  about: [
    'FILE is a name, or - for stdin. Each secret gets one placeholder everywhere. The report on stderr lists what was',
    'replaced, never the secret itself. If the text has errors, the exit code is 1. A KIND is one of',
    '  anthropic-key openai-key github-token gitlab-token aws-key google-key slack-token stripe-key npm-token',
    '  hugging-face-token jwt authorization private-key password url-password email phone ip-address',
    'or default (all except phone and ip-address), or all.',
  ],
  examples: [
    ['transcript redact run.yaml -o run.shared.yaml', 'write it without secrets'],
    ['transcript redact run.yaml --literals NYC --keys location -o run.shared.yaml', 'replace other texts and values too'],
    ['transcript redact run.yaml --kinds all --format json -o run.shared.yaml', 'search for all kinds, and report as JSON'],
  ],
  exits: {
    0: 'written',
    1: 'written, but the text has errors or its structure changed; or it cannot be read',
    2: 'invalid arguments, or an unreadable file',
  },
  reads: [CONFIG_FILES],
  see: ['redaction.md'],
  options: {
    kinds: { name: 'KIND', many: true, help: 'the kinds of secrets to search for; default if not set' },
    literals: { name: 'TEXT', many: true, help: 'other texts to replace' },
    keys: { name: 'KEY', many: true, help: 'other keys to replace the values of' },
    format: { values: ['text', 'json'], help: 'the format of the report' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(redact, files)
  const input = await readInput(name, terminal, values)
  const own = Object.fromEntries((['kinds', 'literals', 'keys'] as const).filter((key) => values[key]).map((key) => [key, values[key]]))
  const options = openOptions(values, name, terminal)
  const { text, items, staleBlobs, formChanged, count } = hide(input, { ...options, ...own })
  if (text === null) {
    terminal.err(parse(input, options).render({ color: terminal.colorErr(values.color) }))
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
  if (!ok) terminal.err(document.render({ color: terminal.colorErr(values.color) }))
  terminal.err(`${rows.join('')}${stale.join('')}${pluralize(items.length, 'secret')} replaced in ${pluralize(count, 'place')}\n`)
  if (formChanged) {
    const message = 'the placeholders change the structure of the document: its lists, maps or roles differ'
    terminal.err(renderError(message, 'check the text before you use it; the secrets are removed'))
  }
  return code
}
