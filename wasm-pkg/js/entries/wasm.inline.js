// What reads an inlined wasm where there is no zlib: pages, workers, bundles for them.
import { inflateSync } from 'fflate'

const decode = (text) => {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The bytes of a module that `NAME.wasm.deflate.js` holds: `size` of them, in raw deflate and base64. */
export const wasm = ({ size, text }) => inflateSync(decode(text), { out: new Uint8Array(size) })
