/// <reference lib="esnext.disposable" />
// The calls of the package in a worker, so that long ones block nothing and can be ended.
import type {
  ActualRun, Change, Check, Compaction, Coverage, Detection, Diagnostic, Difference, Drift, EditResult, Expansion, ExportOptions, ExportResult,
  FileReference, FixResult, FormatResult, GeneratePrompt, GenerateAssessment, GenerateState, GeneratePromptOptions, HashedRequest, ImportOptions, ImportResult, Options, Overview, RecordOptions, RecoveredRecording, Redaction, AssessOptions, SimulateOptions,
  SimulationResult, Source, StateChanges, StepDetail, StepRow, StepState, TravelChange, TravelResult, DeterminismReport, RunTwiceOptions, CoverageSource, Validation, WriteOptions,
} from './index.ts'
import type {
  EventLogOverview, EventOrder, EventPair, EventReplay, EventRow, EventTie, Verification,
} from './experimental.ts'

/** A source; a file of a page, which the worker reads, too. */
export type WorkerSource = Source | Blob | { bytes: Blob; file?: string }

/** The progress of a call. A step without known progress reports only its start and its end. */
export interface WorkerProgress {
  /**
   * `starting`: the worker is made, 0 or 1 of 1. `reading`: bytes of files that are a `Blob`. `working`: the call
   * itself, 0 or 1 of 1. `run`: the runs that `verifyDeterminism` has made.
   */
  phase: 'starting' | 'reading' | 'working' | 'run'
  done: number
  total: number
}

/** What every call takes in addition to its own options. */
export interface WorkerCallOptions {
  /**
   * Aborts the call: it rejects with the signal's reason. A running call ends its worker; the next call starts
   * another, and opens documents again.
   */
  signal?: AbortSignal
  /** Receives the progress of the call. If it throws, the call rejects. */
  onProgress?: (progress: WorkerProgress) => void
  /** Gives the memory of bytes away instead of copying them: they are empty afterwards. Default: false. */
  transfer?: boolean
}

/** A transcript that is open in a worker, with the methods of `parse`. */
export interface WorkerDocument {
  ok(options?: WorkerCallOptions): Promise<boolean>
  readable(options?: WorkerCallOptions): Promise<boolean>
  diagnostics(options?: WorkerCallOptions): Promise<Diagnostic[]>
  overview(options?: WorkerCallOptions): Promise<Overview>
  steps(options?: WorkerCallOptions): Promise<StepRow[]>
  step(path: string | number, options?: WorkerCallOptions): Promise<StepDetail>
  state(step: number | string, options?: WorkerCallOptions): Promise<StepState>
  changes(from: number | string, to: number | string, options?: WorkerCallOptions): Promise<StateChanges>
  references(options?: WorkerCallOptions): Promise<FileReference[]>
  check(options?: { color?: boolean } & WorkerCallOptions): Promise<Check>
  checkRun(run: ActualRun, options?: { color?: boolean } & WorkerCallOptions): Promise<Check>
  expand(format?: 'yaml' | 'json', options?: WriteOptions & WorkerCallOptions): Promise<string | null>
  render(options?: { color?: boolean } & WorkerCallOptions): Promise<string>
  renderExpandProblem(options?: { color?: boolean } & WorkerCallOptions): Promise<string>
  /** Frees it in the worker, after the calls that are pending. Calls after that throw. */
  free(): void
  [Symbol.dispose](): void
}

/** A log of events that is open in a worker, with the methods of `readEvents`. */
export interface WorkerEventLog {
  ok(options?: WorkerCallOptions): Promise<boolean>
  diagnostics(options?: WorkerCallOptions): Promise<Diagnostic[]>
  overview(options?: WorkerCallOptions): Promise<EventLogOverview>
  tools(options?: WorkerCallOptions): Promise<string[]>
  agents(options?: WorkerCallOptions): Promise<string[]>
  render(options?: { color?: boolean } & WorkerCallOptions): Promise<string>
  order(options?: { order?: EventOrder } & WorkerCallOptions): Promise<string[]>
  layers(options?: WorkerCallOptions): Promise<string[][]>
  rows(options?: { order?: EventOrder; from?: number; count?: number } & WorkerCallOptions): Promise<EventRow[]>
  event(id: string, options?: WorkerCallOptions): Promise<{ [key: string]: unknown } | undefined>
  past(id: string, options?: WorkerCallOptions): Promise<string[] | undefined>
  future(id: string, options?: WorkerCallOptions): Promise<string[] | undefined>
  explain(place: number, options?: { order?: EventOrder } & WorkerCallOptions): Promise<EventTie | undefined>
  between(one: string, other: string, options?: { order?: EventOrder } & WorkerCallOptions): Promise<EventPair | undefined>
  shuffled(seed: number, options?: WorkerCallOptions): Promise<string>
  /** With what was recorded: functions cannot be passed to a worker. */
  replay(options?: { order?: EventOrder } & WorkerCallOptions): Promise<EventReplay>
  free(): void
  [Symbol.dispose](): void
}

/**
 * The calls of `transcript-workbench` in workers. Each returns a promise of the result of the call of the same name.
 * A worker runs one call at a time, in the order of the calls.
 */
export interface WorkerPool {
  validate(source: WorkerSource, options?: Options & WorkerCallOptions): Promise<Validation>
  expand(source: WorkerSource, options?: Options & WriteOptions & { format?: 'yaml' | 'json' | 'object' } & WorkerCallOptions): Promise<Expansion>
  detect(source: WorkerSource, options?: Options & WorkerCallOptions): Promise<Detection>
  check(source: WorkerSource, options?: Options & { color?: boolean } & WorkerCallOptions): Promise<Check>
  checkRun(source: WorkerSource, run: ActualRun | WorkerSource, options?: Options & { color?: boolean } & WorkerCallOptions): Promise<Check>
  compact(source: WorkerSource, options?: Options & { force?: boolean } & WorkerCallOptions): Promise<Compaction>
  format(source: WorkerSource, options?: Options & WorkerCallOptions): Promise<FormatResult>
  fix(source: WorkerSource, options?: Options & WorkerCallOptions): Promise<FixResult>
  edit(source: WorkerSource, change: Change, options?: Options & WorkerCallOptions): Promise<EditResult>
  diff(
    left: WorkerSource,
    right: WorkerSource,
    options?: Options & { ignore?: string[]; literalIds?: boolean; color?: boolean } & WorkerCallOptions,
  ): Promise<Difference>
  coverage(used: CoverageSource | Blob | (CoverageSource | Blob)[], options?: Options & WorkerCallOptions): Promise<Coverage>
  redact(source: WorkerSource, options?: Options & { kinds?: string[]; literals?: string[]; keys?: string[] } & WorkerCallOptions): Promise<Redaction>
  runTwice(source: WorkerSource, options?: RunTwiceOptions & WorkerCallOptions): Promise<DeterminismReport>
  travel(source: WorkerSource, changes: TravelChange | readonly TravelChange[], options?: Options & WorkerCallOptions): Promise<TravelResult>
  importLog(source: WorkerSource | WorkerSource[], options?: ImportOptions & WorkerCallOptions): Promise<ImportResult>
  exportTranscript(source: WorkerSource, options: ExportOptions & WorkerCallOptions): Promise<ExportResult>
  /** The parts of `generate` that call no model; the program itself calls it. */
  generate: {
    prompt(description: string, options?: GeneratePromptOptions & WorkerCallOptions): Promise<GeneratePrompt>
    assess(response: string, options?: AssessOptions & WorkerCallOptions): Promise<GenerateAssessment>
    repair(state: GenerateState, response: string, options?: Omit<AssessOptions, 'state'> & WorkerCallOptions): Promise<GenerateState | null>
  }
  drift(
    source: WorkerSource,
    requests: HashedRequest[],
    options?: Options & { before?: HashedRequest[] } & WorkerCallOptions,
  ): Promise<{ ok: boolean; requests: Drift[]; diagnostics: Diagnostic[] }>
  recover(
    journal: string | Uint8Array,
    options?: Omit<RecordOptions, 'recording'> & { recording?: number | string } & WorkerCallOptions,
  ): Promise<RecoveredRecording>
  /** Of data or a document: functions cannot be passed to a worker. */
  simulate(
    input: WorkerSource | { agents: unknown[]; steps: unknown[]; [key: string]: unknown },
    options?: Omit<SimulateOptions, 'tools' | 'handlers' | 'onEvent' | 'signal'> & WorkerCallOptions,
  ): Promise<SimulationResult>
  /** The ids of the events of a log in order. */
  orderEvents(
    source: WorkerSource,
    options?: { order?: EventOrder; maxBytes?: number } & WorkerCallOptions,
  ): Promise<{ ok: boolean; diagnostics: Diagnostic[]; ids: string[] }>
  /** Tools and handlers are modules, by their paths or addresses, in Node. */
  verifyDeterminism(
    source: WorkerSource,
    options?: {
      order?: EventOrder
      maxBytes?: number
      runs?: number
      seed?: number
      tools?: string | URL
      handlers?: string | URL
      timeout?: number
      isolate?: boolean
    } & WorkerCallOptions,
  ): Promise<Verification>
  /** Opens a transcript in the worker, to read its steps and its states. */
  parse(source: WorkerSource, options?: Options & WorkerCallOptions): Promise<WorkerDocument>
  /** Opens a log of events in the worker. */
  readEvents(source: WorkerSource, options?: { maxBytes?: number } & WorkerCallOptions): Promise<WorkerEventLog>
  /** Ends the workers. Open and later calls reject. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A worker as used here: of a page, or of `node:worker_threads`. */
export interface PoolWorker {
  postMessage(message: any, transfer: any): void
  terminate(): unknown
}
