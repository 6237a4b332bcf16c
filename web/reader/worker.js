// Reads transcripts apart from the page. A message is a list: a number, the name of a method of `Reader`, what it takes.
// The answer has that number first, then JSON, or null and the reason; no reason means that the module did not come.
import init, { Reader } from './transcript-reader.js';

const ready = init({ module_or_path: new URL('./transcript-reader_bg.wasm', import.meta.url) }).then(
  () => new Reader(),
  () => null,
);

addEventListener('message', async ({ data: [number, what, ...rest] }) => {
  const reader = await ready;
  try {
    postMessage(reader ? [number, reader[what](...rest) ?? 'null'] : [number, null, '']);
  } catch (error) {
    postMessage([number, null, String(error?.message ?? error)]);
  }
});
