// What wasm-bindgen writes for the core, as far as it is used; `wasm-pkg/src` has the source. The build resolves the name.
declare module '#core' {
  class Handle {
    protected constructor()
    free(): void
    [Symbol.dispose](): void
  }

  export class DocumentHandle extends Handle {
    static open(text: string, file: string, options: string): DocumentHandle
    static openBytes(bytes: Uint8Array, file: string, options: string): DocumentHandle
    static tooLarge(size: number, file: string, options: string): DocumentHandle | undefined
    changes(from: string, to: string): string
    check(color: boolean): string
    checkAgainst(other: DocumentHandle, color: boolean): string
    checkRun(run: string, color: boolean): string
    diagnostics(): string
    expanded(format: string, how: string): string | undefined
    expectations(): string | undefined
    isOk(): boolean
    isReadable(): boolean
    isWhole(): boolean
    overview(): string
    references(): string
    refusal(): string
    render(color: boolean): string
    renderRefusal(color: boolean): string
    state(path: string): string | undefined
    step(path: string): string | undefined
    steps(): string
  }

  export class EventLogHandle extends Handle {
    static open(bytes: Uint8Array, file: string, limit?: number): EventLogHandle
    call(method: string, argument: string): string | undefined
    shuffled(seed: number): Uint8Array
  }

  export class MockHandle extends Handle {
    static begin(document: DocumentHandle | undefined, settings: string): MockHandle
    answer(call: number, outcome: string, failed: boolean): string
    beginCall(call: string): string
    call(call: string): string
    exchanges(): string
    functionResult(call: number, functionIndex: number, result: string, failed: boolean): string
    giveUp(call: number): void
    reset(): void
    restore(state: string): void
    snapshot(): string
    trace(): string
    usage(): string
  }

  export class RecorderHandle extends Handle {
    static begin(options: string): RecorderHandle
    static resume(options: string, journal: string): RecorderHandle
    events(): string
    finish(options: string): string
    header(): string
    observe(fact: string): string
    recovered(): string
  }

  export class RerunHandle extends Handle {
    static begin(text: Uint8Array, options: string): RerunHandle
    call(method: string, argument: string): string
  }

  export class SessionHandle extends Handle {
    static checkSettings(settings: string): void
    static begin(document: DocumentHandle, settings: string): SessionHandle
    expected(): string | undefined
    hasAgents(): boolean
    leftover(): string[]
    leftoverRun(): string
    rehearse(): string | undefined
    remaining(): number
    request(request: string): string
  }

  export class SimulationHandle extends Handle {
    static begin(text: string, options: string): SimulationHandle
    call(method: string, argument: string): string
    problems(): string
    warnings(): string
  }

  export class ToolSessionHandle extends Handle {
    static begin(document: DocumentHandle, matching: string, settings: string): ToolSessionHandle
    call(call: string): string
    leftover(): string[]
  }

  /** Adds the second part, `authoring.wasm`, to the first, which has to be started. */
  export function addAuthoring(module: WebAssembly.Module): void
  export function author(operation: string, text: Uint8Array, other: Uint8Array, options: string): string
  export function canonicalMessages(request: string): string
  export function detect(bytes: Uint8Array, options: string): string
  export function eventCall(method: string, first: string, second: string): string | undefined
  export function formats(): string
  export function initSync(options: { module: WebAssembly.Module | BufferSource }): unknown
  export function project(text: string, file: string, color: boolean): string
  export function readExchange(input: string): string
  export function writeExchange(input: string): string
}
