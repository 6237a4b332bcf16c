// Reads what a person brought apart from the page. One message in, one answer out:
//   {files: [{path, file | text}], from} or {session, from}   the answer of `Logs` as JSON
//   {text: PATH}                                              the text of that file
// and `{failed: REASON}` when it cannot.
import init, { Logs } from './transcript-logs.js';

const LIMIT = 32 << 20;

const ready = init({ module_or_path: new URL('./transcript-logs_bg.wasm', import.meta.url) });
let logs;

// What is in gzip, but no more than the limit and a byte.
async function unpacked(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  for (let size = 0; size <= LIMIT; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function add({ path, file, text }) {
  if (text !== undefined) {
    logs.add(path, new TextEncoder().encode(text));
    return;
  }
  if (logs.refuses(path, file.size)) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  logs.add(isPacked ? path.replace(/\.gz$/, '') : path, isPacked ? await unpacked(bytes) : bytes);
}

async function answer({ files, session, from, text }) {
  await ready;
  if (!files && !logs) throw new Error('the files are no longer at hand; bring them once more');
  if (text !== undefined) return logs.text(text);
  if (files) {
    logs?.free();
    logs = new Logs();
    for (const file of files) await add(file);
  }
  return logs.answer(session, from);
}

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await answer(data));
  } catch (error) {
    const reason = String(error?.message ?? error);
    postMessage({ failed: error instanceof WebAssembly.RuntimeError ? `the reader of logs stopped: ${reason}` : reason });
  }
});
