// Reads transcripts apart from the page. A message is a list: a number, the name of a method of `Reader`, what it takes.
// The answer has that number first, then JSON, or null and the reason; no reason means that the module did not come.
import init, { Reader } from './transcript-reader.js';

// A release has the module in two parts. The rest has what few documents need.
const restAddress = () => new URL('__REST__', import.meta.url);
// Long enough for the page to have loaded what it shows first.
const REST_DELAY = 1_000;

let first;
let isWhole = true;
const instantiateRest = (module) => {
  if (!isWhole) new WebAssembly.Instance(module, { first });
  isWhole = true;
};

// The first part calls it when it needs the rest at once.
globalThis.loadRest = () => {
  if (isWhole) return;
  const request = new XMLHttpRequest();
  request.open('GET', restAddress(), false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    // Its reason would be that of a failed request, which the page has better words for.
  }
  if (request.status !== 200) throw new Error('');
  instantiateRest(new WebAssembly.Module(request.response));
};

/** Has the rest ready before it is needed. If it does not come now, it is loaded when it is needed. */
const prepareRest = async () => {
  try {
    const answer = await fetch(restAddress());
    if (answer.ok) instantiateRest(await WebAssembly.compile(await answer.arrayBuffer()));
  } catch {
    // As above.
  }
};

const ready = init({ module_or_path: new URL('./transcript-reader_bg.wasm', import.meta.url) }).then(
  (exports) => {
    first = exports;
    isWhole = !('split_memory' in exports);
    return new Reader();
  },
  () => null,
);

let isPrepared = false;
addEventListener('message', async ({ data: [number, what, ...rest] }) => {
  const reader = await ready;
  try {
    postMessage(reader ? [number, reader[what](...rest) ?? 'null'] : [number, null, '']);
  } catch (error) {
    postMessage([number, null, String(error?.message ?? error)]);
  }
  if (!isWhole && !isPrepared) {
    isPrepared = true;
    setTimeout(prepareRest, REST_DELAY);
  }
});
