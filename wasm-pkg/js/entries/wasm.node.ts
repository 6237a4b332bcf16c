// Reads the wasm in Node, Deno and Bun: from its file, or from the text in a module.
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const readWasmFile = (file: URL) => {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const help = 'bundle with the condition `module`, so that the wasm is in the bundle, or leave `transcript-workbench` out of it'
    throw Object.assign(new Error(`there is no such file as ${file}`, { cause: error }), { help })
  }
}

/**
 * The bytes of a module: of the `file` that `NAME.wasm.file.js` names, or of the `text` in `NAME.wasm.deflate.js`, which is
 * `size` of them in raw deflate and base64.
 */
export const wasm = ({ file, size, text }: WasmModule) =>
  file === undefined ? inflateRawSync(Buffer.from(text, 'base64'), { chunkSize: size }) : readWasmFile(file)
