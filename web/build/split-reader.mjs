// Splits the module of the reader in two: what opens a usual document and shows its steps, and the rest, which the worker loads
// later, or when it is needed (`reader/worker.js`).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the glue of wasm-bindgen lists what the module imports. */
const IMPORTS = /return ?\{\s*__proto__: ?null,/;

/** The functions that were called in a module that notes its calls. */
function called(exports) {
  const used = [];
  for (let at = 0; exports[`called_${at}`]; at += 1) if (exports[`called_${at}`].value) used.push(at);
  return used;
}

/** More than an example has. */
const STEPS = 1_000;

/** Opens each text and looks at its steps, as the page does with a document. */
function open(Reader, texts) {
  const reader = new Reader();
  for (const text of texts) {
    reader.read(1, text, [0], [0]);
    reader.piece(1, 'rows', 0);
    reader.strip(1, '', false);
    for (let at = 0; at < STEPS && reader.step(1, at, 40) !== undefined; at += 1);
    reader.forget(1);
  }
}

/**
 * Splits the module `wasm` of documents, whose glue is `script`. `examples` is a folder of usual documents: what they need is the first part.
 * Returns both parts, and the glue of the first: it calls `loadRestNow()` when a function of the rest is called.
 */
export async function splitReader({ wasm, script, examples, optimise }) {
  const work = mkdtempSync(join(tmpdir(), 'parts-'));
  const at = (file) => join(work, file);
  if (!process.env.TRANSCRIPT_XTASK) throw new Error('a release is built by `cargo xtask build`, which splits its modules');
  const xtask = (...args) => execFileSync(process.env.TRANSCRIPT_XTASK, ['wasm', ...args], { stdio: 'inherit' });
  const optimised = (file) => {
    execFileSync('wasm-opt', [...optimise, at(file), '-o', at(`small-${file}`)]);
    return readFileSync(at(`small-${file}`));
  };
  try {
    writeFileSync(at('whole.wasm'), wasm);
    writeFileSync(at('glue.mjs'), script);
    xtask('note-calls', at('whole.wasm'), at('noting.wasm'));
    const { initSync, Reader } = await import(pathToFileURL(at('glue.mjs')));
    const exports = initSync({ module: readFileSync(at('noting.wasm')) });
    const documents = readdirSync(examples).filter((name) => name.endsWith('.yaml')).sort();
    open(Reader, documents.map((name) => readFileSync(join(examples, name), 'utf8')));
    writeFileSync(at('called.txt'), called(exports).join('\n'));
    xtask('split', at('whole.wasm'), at('called.txt'), at('first.wasm'), at('rest.wasm'));
    if (!IMPORTS.test(script)) throw new Error('the glue of wasm-bindgen lists its imports in another way');
    const glue = script.replace(IMPORTS, '$& split: { load: () => globalThis.loadRestNow() },');
    return { first: optimised('first.wasm'), rest: optimised('rest.wasm'), glue };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
