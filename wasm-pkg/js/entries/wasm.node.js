// What reads an inlined wasm in Node, Deno and Bun.
import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'

/** The bytes of a module that `NAME.wasm.deflate.js` holds: `size` of them, in raw deflate and base64. */
export const wasm = ({ size, text }) => inflateRawSync(Buffer.from(text, 'base64'), { chunkSize: size })
