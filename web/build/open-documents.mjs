// What opening documents calls in the module of the reader: its first part has these functions.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compact, full } from '../../tests/bench/reading/generate.mjs'
import { called } from './split-by-calls.mjs'

/** Documents that are unlike the examples: long ones, JSON, what logs have in their texts, and texts with an error, of YAML and JSON. */
const OTHER_DOCUMENTS = [
  compact(3_000),
  full(1_200),
  JSON.stringify({ messages: ['user: Hi', 'assistant: Hello'] }),
  'messages:\n  - role: user\n    content: |\n      A log:\n        a\\b 0.30000000000000004\n  - "assistant: \\u00e9\\n\\t\\"quoted\\""\n',
  "messages:\n  - 'user: Hi'\n  - 'asistant: Hello'\n",
  'messages:\n  - "user: Hi\n  - {assistant: [\n',
  'message: Hi\n',
  '{"messages": ["user: \\x41"]}',
  '{"messages": ["user: Hi"], "x": tru}',
  '{"messages": ["user: Hi"],}',
  '',
]

/** The number of steps to open of a document. */
const STEPS = 300

/** Opens each text and looks at its steps, as the page does with a document. */
function openTexts(Reader, texts) {
  const reader = new Reader()
  for (const text of texts) {
    reader.read(1, text, [0], [0])
    reader.piece(1, 'rows', 0)
    reader.strip(1, '', false)
    for (let at = 0; at < STEPS && reader.step(1, at, 40) !== undefined; at += 1);
    reader.forget(1)
  }
}

/** Opens the documents of the folder `examples` and others with the module `noting` and its glue. Returns the functions called. */
export async function openDocuments({ noting, glue, examples }) {
  const work = mkdtempSync(join(tmpdir(), 'reader-'))
  try {
    const file = join(work, 'glue.mjs')
    writeFileSync(file, glue)
    const { initSync, Reader } = await import(pathToFileURL(file))
    const exports = initSync({ module: readFileSync(noting) })
    const documents = readdirSync(examples)
      .filter((name) => name.endsWith('.yaml'))
      .sort()
    openTexts(Reader, [...documents.map((name) => readFileSync(join(examples, name), 'utf8')), ...OTHER_DOCUMENTS])
    return called(exports)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
