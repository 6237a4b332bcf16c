/// <reference lib="esnext.disposable" />
// The calls of the package in a worker, so that long ones block nothing and can be ended.
import type {
  ActualRun, Change, Check, Compaction, Coverage, Detection, Diagnostic, Difference, Drift, EditResult, Expansion, ExportOptions, ExportResult,
  FileReference, FixResult, FormatResult, GeneratePrompt, GenerateReply, GenerateState, GeneratePromptOptions, HashedRequest, ImportOptions, ImportResult, Options, Overview, RecordOptions, RecoveredRecording, Redaction, ReplyOptions, SimulateOptions,
  SimulationResult, Source, StateChanges, StepDetail, StepRow, StepState, TravelChange, TravelResult, DeterminismReport, RunTwiceOptions, CoverageSource, Validation, WriteOptions,
} from './index.ts'
import type {
  EventLogOverview, EventOrder, EventPair, EventReplay, EventRow, EventTie, Verification,
} from './experimental.ts'

/** A source; a file of a page, which the worker reads, too. */
export type OffloadSource = Source | Blob | { bytes: Blob; file?: string }

/** The progress of a call. A step without known progress reports only its start and its end. */
export interface OffloadProgress {
  /**
   * `starting`: the worker is made, 0 or 1 of 1. `reading`: bytes of files that are a `Blob`. `working`: the call
   * itself, 0 or 1 of 1. `run`: the runs that `verifyDeterminism` has made.
   */
  phase: 'starting' | 'reading' | 'working' | 'run'
  done: number
  total: number
}

/** What every call takes in addition to its own options. */
export interface OffloadOptions {
  /**
   * Aborts the call: it rejects with the signal's reason. A running call ends its worker; the next call starts
   * another, and opens documents again.
   */
  signal?: AbortSignal
  /** Receives the progress of the call. If it throws, the call rejects. */
  onProgress?: (progress: OffloadProgress) => void
  /** Gives the memory of bytes away instead of copying them: they are empty afterwards. Default: false. */
  transfer?: boolean
}

/** A transcript that is open in a worker, with the methods of `parse`. */
export interface OffloadedDocument {
  ok(options?: OffloadOptions): Promise<boolean>
  readable(options?: OffloadOptions): Promise<boolean>
  diagnostics(options?: OffloadOptions): Promise<Diagnostic[]>
  overview(options?: OffloadOptions): Promise<Overview>
  steps(options?: OffloadOptions): Promise<StepRow[]>
  step(path: string | number, options?: OffloadOptions): Promise<StepDetail>
  state(step: number | string, options?: OffloadOptions): Promise<StepState>
  changes(from: number | string, to: number | string, options?: OffloadOptions): Promise<StateChanges>
  references(options?: OffloadOptions): Promise<FileReference[]>
  check(options?: { color?: boolean } & OffloadOptions): Promise<Check>
  checkRun(run: ActualRun, options?: { color?: boolean } & OffloadOptions): Promise<Check>
  expand(format?: 'yaml' | 'json', options?: WriteOptions & OffloadOptions): Promise<string | null>
  render(options?: { color?: boolean } & OffloadOptions): Promise<string>
  renderExpandProblem(options?: { color?: boolean } & OffloadOptions): Promise<string>
  /** Frees it in the worker, when all requests before are answered. It answers nothing afterwards. */
  free(): void
  [Symbol.dispose](): void
}

/** A log of events that is open in a worker, with the methods of `readEvents`. */
export interface OffloadedEventLog {
  ok(options?: OffloadOptions): Promise<boolean>
  diagnostics(options?: OffloadOptions): Promise<Diagnostic[]>
  overview(options?: OffloadOptions): Promise<EventLogOverview>
  tools(options?: OffloadOptions): Promise<string[]>
  agents(options?: OffloadOptions): Promise<string[]>
  render(options?: { color?: boolean } & OffloadOptions): Promise<string>
  order(options?: { order?: EventOrder } & OffloadOptions): Promise<string[]>
  layers(options?: OffloadOptions): Promise<string[][]>
  rows(options?: { order?: EventOrder; from?: number; count?: number } & OffloadOptions): Promise<EventRow[]>
  event(id: string, options?: OffloadOptions): Promise<{ [key: string]: unknown } | undefined>
  past(id: string, options?: OffloadOptions): Promise<string[] | undefined>
  future(id: string, options?: OffloadOptions): Promise<string[] | undefined>
  explain(place: number, options?: { order?: EventOrder } & OffloadOptions): Promise<EventTie | undefined>
  between(one: string, other: string, options?: { order?: EventOrder } & OffloadOptions): Promise<EventPair | undefined>
  shuffled(seed: number, options?: OffloadOptions): Promise<string>
  /** With what was recorded: functions cannot be passed to a worker. */
  replay(options?: { order?: EventOrder } & OffloadOptions): Promise<EventReplay>
  free(): void
  [Symbol.dispose](): void
}

/**
 * The calls of `transcript-workbench` in workers. Each returns a promise of the result of the call of the same name.
 * A worker runs one call at a time, in the order of the calls.
 */
export interface Offload {
  validate(source: OffloadSource, options?: Options & OffloadOptions): Promise<Validation>
  expand(source: OffloadSource, options?: Options & WriteOptions & { format?: 'yaml' | 'json' | 'object' } & OffloadOptions): Promise<Expansion>
  detect(source: OffloadSource, options?: Options & OffloadOptions): Promise<Detection>
  check(source: OffloadSource, options?: Options & { color?: boolean } & OffloadOptions): Promise<Check>
  checkRun(source: OffloadSource, run: ActualRun | OffloadSource, options?: Options & { color?: boolean } & OffloadOptions): Promise<Check>
  compact(source: OffloadSource, options?: Options & { force?: boolean } & OffloadOptions): Promise<Compaction>
  format(source: OffloadSource, options?: Options & OffloadOptions): Promise<FormatResult>
  fix(source: OffloadSource, options?: Options & OffloadOptions): Promise<FixResult>
  edit(source: OffloadSource, change: Change, options?: Options & OffloadOptions): Promise<EditResult>
  diff(
    left: OffloadSource,
    right: OffloadSource,
    options?: Options & { ignore?: string[]; literalIds?: boolean; color?: boolean } & OffloadOptions,
  ): Promise<Difference>
  coverage(used: CoverageSource | Blob | (CoverageSource | Blob)[], options?: Options & OffloadOptions): Promise<Coverage>
  redact(source: OffloadSource, options?: Options & { kinds?: string[]; literals?: string[]; keys?: string[] } & OffloadOptions): Promise<Redaction>
  runTwice(source: OffloadSource, options?: RunTwiceOptions & OffloadOptions): Promise<DeterminismReport>
  travel(source: OffloadSource, changes: TravelChange | readonly TravelChange[], options?: Options & OffloadOptions): Promise<TravelResult>
  importLog(source: OffloadSource | OffloadSource[], options?: ImportOptions & OffloadOptions): Promise<ImportResult>
  exportTranscript(source: OffloadSource, options: ExportOptions & OffloadOptions): Promise<ExportResult>
  /** The parts of `generate` that call no model; the program itself calls it. */
  generate: {
    prompt(description: string, options?: GeneratePromptOptions & OffloadOptions): Promise<GeneratePrompt>
    reply(reply: string, options?: ReplyOptions & OffloadOptions): Promise<GenerateReply>
    repair(state: GenerateState, reply: string, options?: Omit<ReplyOptions, 'state'> & OffloadOptions): Promise<GenerateState | null>
  }
  drift(
    source: OffloadSource,
    requests: HashedRequest[],
    options?: Options & { before?: HashedRequest[] } & OffloadOptions,
  ): Promise<{ ok: boolean; requests: Drift[]; diagnostics: Diagnostic[] }>
  recover(
    journal: string | Uint8Array,
    options?: Omit<RecordOptions, 'recording'> & { recording?: number | string } & OffloadOptions,
  ): Promise<RecoveredRecording>
  /** Of data or a document: functions cannot be passed to a worker. */
  simulate(
    input: OffloadSource | { agents: unknown[]; steps: unknown[]; [key: string]: unknown },
    options?: Omit<SimulateOptions, 'tools' | 'handlers' | 'onEvent' | 'signal'> & OffloadOptions,
  ): Promise<SimulationResult>
  /** The ids of the events of a log in order. */
  orderEvents(
    source: OffloadSource,
    options?: { order?: EventOrder; maxBytes?: number } & OffloadOptions,
  ): Promise<{ ok: boolean; diagnostics: Diagnostic[]; ids: string[] }>
  /** Tools and handlers are modules, by their paths or addresses, in Node. */
  verifyDeterminism(
    source: OffloadSource,
    options?: {
      order?: EventOrder
      maxBytes?: number
      runs?: number
      seed?: number
      tools?: string | URL
      handlers?: string | URL
      timeout?: number
      isolate?: boolean
    } & OffloadOptions,
  ): Promise<Verification>
  /** Opens a transcript in the worker, to read its steps and its states. */
  parse(source: OffloadSource, options?: Options & OffloadOptions): Promise<OffloadedDocument>
  /** Opens a log of events in the worker. */
  readEvents(source: OffloadSource, options?: { maxBytes?: number } & OffloadOptions): Promise<OffloadedEventLog>
  /** Ends the workers. Open and later calls reject. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A worker as used here: of a page, or of `node:worker_threads`. */
export interface OffloadWorker {
  postMessage(message: any, transfer: any): void
  terminate(): unknown
}
