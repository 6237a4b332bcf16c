// Pages, workers and bundlers: one file of wasm inside of a module, started without a request of its own.
import { initSync } from './core.js'
import base64 from './core.wasm.base64.js'

const decode = (text) => {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

initSync(decode(base64))

export {
  RecordedModelError, TranscriptDivergence, TranscriptError,
  expand, parse, replay, validate,
} from './core.js'
