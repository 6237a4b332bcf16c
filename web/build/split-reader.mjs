// Splits the module of the reader in two: what opens a document and shows its steps, and the rest, which the worker loads later, or when it is needed (`reader/worker.js`).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compact, full } from '../../tests/bench/reading/generate.mjs'

/** Where the glue of wasm-bindgen lists what the module imports. */
const IMPORTS = /return ?\{\s*__proto__: ?null,/

/** The functions that were called in a module that notes its calls. */
function called(exports) {
  const used = []
  for (let at = 0; exports[`called_${at}`]; at += 1) if (exports[`called_${at}`].value) used.push(at)
  return used
}

/** Documents that are unlike the examples: long ones, JSON, what logs have in their texts, and texts with an error. */
const OTHER_DOCUMENTS = [
  compact(3_000),
  full(1_200),
  JSON.stringify({ messages: ['user: Hi', 'assistant: Hello'] }),
  'messages:\n  - role: user\n    content: |\n      A log:\n        a\\b 0.30000000000000004\n  - "assistant: \\u00e9\\n\\t\\"quoted\\""\n',
  "messages:\n  - 'user: Hi'\n  - 'asistant: Hello'\n",
  'messages:\n  - "user: Hi\n  - {assistant: [\n',
  'message: Hi\n',
  '',
]

/** The number of steps to open of a document. */
const STEPS = 300

/** Opens each text and looks at its steps, as the page does with a document. */
function open(Reader, texts) {
  const reader = new Reader()
  for (const text of texts) {
    reader.read(1, text, [0], [0])
    reader.piece(1, 'rows', 0)
    reader.strip(1, '', false)
    for (let at = 0; at < STEPS && reader.step(1, at, 40) !== undefined; at += 1);
    reader.forget(1)
  }
}

/**
 * Splits the module `wasm` of the reader with the glue `script`. `examples` is a folder of documents: what opening them calls is in the first part.
 * Returns both parts, and the glue of the first: it calls `loadRestNow()` when a function of the rest is called.
 */
export async function splitReader({ wasm, script, examples, optimise }) {
  const work = mkdtempSync(join(tmpdir(), 'parts-'))
  const at = (file) => join(work, file)
  if (!process.env.TRANSCRIPT_XTASK) throw new Error('a release is built by `cargo xtask build`, which splits its modules')
  const xtask = (...args) => execFileSync(process.env.TRANSCRIPT_XTASK, ['wasm', ...args], { stdio: 'inherit' })
  const optimised = (file) => {
    execFileSync('wasm-opt', [...optimise, at(file), '-o', at(`small-${file}`)])
    return readFileSync(at(`small-${file}`))
  }
  try {
    writeFileSync(at('whole.wasm'), wasm)
    writeFileSync(at('glue.mjs'), script)
    xtask('note-calls', at('whole.wasm'), at('noting.wasm'))
    const { initSync, Reader } = await import(pathToFileURL(at('glue.mjs')))
    const exports = initSync({ module: readFileSync(at('noting.wasm')) })
    const documents = readdirSync(examples)
      .filter((name) => name.endsWith('.yaml'))
      .sort()
    open(Reader, [...documents.map((name) => readFileSync(join(examples, name), 'utf8')), ...OTHER_DOCUMENTS])
    writeFileSync(at('called.txt'), called(exports).join('\n'))
    xtask('split', at('whole.wasm'), at('called.txt'), at('first.wasm'), at('rest.wasm'))
    if (!IMPORTS.test(script)) throw new Error('the glue of wasm-bindgen lists its imports in another way')
    const glue = script.replace(IMPORTS, '$& split: { load: () => globalThis.loadRestNow() },')
    return { first: optimised('first.wasm'), rest: optimised('rest.wasm'), glue }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
