// What wasm-bindgen writes for the second module, as far as it is used; `wasm-pkg/src` has the source. The build resolves the name.
declare module '#authoring' {
  class Handle {
    protected constructor()
    free(): void
    [Symbol.dispose](): void
  }

  export class EventLogHandle extends Handle {
    static open(bytes: Uint8Array, file: string, limit?: number): EventLogHandle
    call(method: string, argument: string): string | undefined
    shuffled(seed: number): Uint8Array
  }

  export class RerunHandle extends Handle {
    static begin(text: Uint8Array, options: string): RerunHandle
    call(method: string, argument: string): string
  }

  export class SimulationHandle extends Handle {
    static begin(text: string, options: string): SimulationHandle
    call(method: string, argument: string): string
    problems(): string
    warnings(): string
  }

  export function author(operation: string, text: Uint8Array, other: Uint8Array, options: string): string
  export function eventCall(method: string, first: string, second: string): string | undefined
  export function initSync(options: { module: WebAssembly.Module | BufferSource }): unknown
  export default function init(options: { module_or_path: unknown }): Promise<unknown>
}
