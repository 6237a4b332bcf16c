// Reads an inlined wasm where there is no zlib: pages, workers, bundles for them.
import { inflateSync } from 'fflate'

const decode = (text: string): Uint8Array => {
  // Newer than the `lib` of the configuration.
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array }
  if (typeof fromBase64 === 'function') return fromBase64.call(Uint8Array, text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The bytes of a module in `NAME.wasm.deflate.js`. */
export const wasm = ({ size, text }: InlinedWasm) => inflateSync(decode(text), { out: new Uint8Array(size) })
