import { closest } from '../../api/suggest.ts'
import type { Arguments, Command } from '../command.ts'
import { type DiagnosticPage, diagnosticPages } from '../explain.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

export const explain: Command = {
  name: 'explain',
  usage: 'explain [CODE…]',
  about: ['CODE is a code such as T201, or a name such as unknown-ref. Without one, all codes are listed.'],
  examples: [
    ['transcript explain T201', 'print the page of a diagnostic'],
    ['transcript explain unknown-ref', 'the same, by name'],
    ['transcript explain', 'list all diagnostics'],
  ],
  exits: { 0: 'printed', 2: 'unknown code' },
  see: ['validate', 'diagnostics.md'],
  options: {},
  run,
}

const findPage = (all: readonly DiagnosticPage[], name: string) => {
  const wanted = name.toLowerCase()
  const page = all.find(({ code, slug }) => code.toLowerCase() === wanted || slug === wanted)
  if (page !== undefined) return page
  const near = closest(
    wanted,
    all.flatMap(({ code, slug }) => [code, slug]),
  )
  throw new UsageError(`unknown code \`${name}\``, near ? `did you mean \`${near}\`?` : '`transcript explain` lists all codes')
}

async function run({ files }: Arguments, terminal: Terminal): Promise<number> {
  const all = diagnosticPages()
  if (files.length === 0) {
    const width = Math.max(...all.map(({ slug }) => slug.length))
    terminal.out(all.map(({ code, slug, summary }) => `${code}  ${slug.padEnd(width)}  ${summary}\n`).join(''))
    return 0
  }
  terminal.out(files.map((name) => findPage(all, name).text).join('\n'))
  return 0
}
