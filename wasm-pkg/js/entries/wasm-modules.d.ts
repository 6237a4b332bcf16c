// What the build writes next to the entries: the wasm as a module.

/** By the condition of `imports` in the manifest: the address of the file of a wasm, or its bytes as text. */
type WasmModule = { file: URL; size?: undefined; text?: undefined } | InlinedWasm

/** The `size` bytes of a wasm, in raw deflate and base64. */
interface InlinedWasm {
  file?: undefined
  size: number
  text: string
}

declare module '#core.wasm' {
  const wasm: WasmModule
  export default wasm
}

declare module '#authoring.wasm' {
  const wasm: WasmModule
  export default wasm
}

declare module '*.wasm.deflate.js' {
  const wasm: InlinedWasm
  export default wasm
}

// Bundlers for Cloudflare Workers compile it.
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
