// The wasm as a module, by the condition of `imports` in the manifest: the address of its file, or itself as text.
interface WasmModule {
  file: URL | undefined
  size: number | undefined
  text: string | undefined
}

declare module '#core.wasm' {
  const wasm: WasmModule
  export default wasm
}

declare module '#authoring.wasm' {
  const wasm: WasmModule
  export default wasm
}
