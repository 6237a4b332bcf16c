import { readFileSync, readdirSync } from 'node:fs'
import { closest } from '../../api/suggest.ts'
import type { Arguments, Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

const FOLDER = new URL('../schema/', import.meta.url)
const ENDING = '.schema.json'

interface Values {
  output?: string
}

export const schema: Command<Values> = {
  name: 'schema',
  usage: 'schema [NAME] [-o OUT]',
  about: ['NAME is a kind of document. Without one, all kinds are listed.'],
  examples: [
    ['transcript schema', 'list the kinds of documents'],
    ['transcript schema transcript -o transcript.schema.json', 'write a schema'],
  ],
  exits: { 0: 'printed', 2: 'unknown schema' },
  see: ['validate', 'schemas.md'],
  options: {
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort()
  if (files.length > 1) throw new UsageError(`\`schema\` takes one name, but got ${files.length}`, `transcript ${schema.usage}`)
  const [wanted] = files
  if (wanted === undefined) {
    terminal.out(names.map((name) => `${name}\n`).join(''))
    return 0
  }
  if (!names.includes(wanted)) {
    const near = closest(wanted, names)
    throw new UsageError(`unknown schema \`${wanted}\``, near ? `did you mean \`${near}\`?` : `schemas: ${names.join(', ')}`)
  }
  // The package has them in one line.
  const found = JSON.parse(readFileSync(new URL(`${wanted}${ENDING}`, FOLDER), 'utf8'))
  writeOutput(`${JSON.stringify(found, null, 2)}\n`, values.output, terminal)
  return 0
}
