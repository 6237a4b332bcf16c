// What the authoring functions of the wasm answer as JSON text, by the operation or the method of its handles.
import type {
  BuildProblem,
  CanonicalMessage,
  Compaction,
  Completion,
  Coverage,
  DeterminismReport,
  Diagnostic,
  Difference,
  Drift,
  EditResult,
  ExportResult,
  FixResult,
  FormatResult,
  GeneratePrompt,
  GenerateAssessment,
  GenerateState,
  Hover,
  ImportResult,
  Json,
  MockContext,
  Redaction,
  RepairedLog,
  AssessmentStatus,
  RerunModelRequest,
  RerunNeeds,
  SimulatedCall,
  SimulatedEvent,
  SimulationResult,
  TravelResult,
} from '../types/index.ts'
import type { EventLogOverview, EventPair, EventReplay, EventRow, EventTie } from '../types/experimental.ts'

/** A transcript that was built, or the steps at fault. */
export type BuildAnswer = { problems: BuildProblem[] } & ({ ok: true; transcript: { [key: string]: Json }; text: string } | { ok: false })

/** The assessment of a model's response: a valid transcript, or why there is none. */
export type Assessed = GenerateAssessment &
  ({ ok: true; status: 'ok'; text: string } | { ok: false; status: Exclude<AssessmentStatus, 'ok'> })

/** The answers of operations on documents, by the name of the function. */
export interface OperationAnswers {
  compact: Compaction
  format: FormatResult
  fix: FixResult
  edit: EditResult
  complete: Completion[]
  hover: Hover | null
  diff: Difference
  coverage: Coverage
  redact: Redaction
  travel: TravelResult
  runTwice: DeterminismReport
  exportTranscript: ExportResult
  importLog: ImportResult
  importSessions: { count: number; results: ImportResult[] }
  repairLog: RepairedLog
  storeText: { text: string; problem: string | null }
  drift: { ok: boolean; requests: Drift[]; diagnostics: Diagnostic[] }
  promptHash: { hash: string }
  build: BuildAnswer
  generatePrompt: GeneratePrompt
  assessResponse: Assessed
  generateRepair: { next: GenerateState | null }
}

/** What a rerun needs; of a request only the messages that are new, and how many others it has. */
export type RerunNeed =
  | (RerunModelRequest & { same: number })
  | (Exclude<RerunNeeds, RerunModelRequest> & { same?: undefined; messages?: undefined })

/** The answers of a rerun, by method. */
export interface RerunAnswers {
  needs: RerunNeed
  respond: null
  fail: null
  toolResult: null
  toolError: null
  finish: TravelResult
}

/** The context of a call of a simulation, with the messages that are new in that history; `otherwise` has those that differ now. */
export interface SimulatedContextDelta extends MockContext {
  history: number
  same: number
  otherwise?: [at: number, message: CanonicalMessage][]
}

/** What a simulation comes to next. */
export type SimulationNeed =
  | { kind: 'done' }
  | { kind: 'event'; event: SimulatedEvent }
  | { kind: 'needsResponse'; agent: string; context: SimulatedContextDelta }
  | {
      kind: 'needsFunction'
      agent: string
      question: { function: number; path: string; wants: string }
      context: SimulatedContextDelta | null
    }
  | { kind: 'needsTool'; agent: string; call: SimulatedCall; ahead: SimulatedCall[] }

/** An agent of a simulation: whether a function answers for it, and its tools, each with whether a function runs it. */
export interface SimulatedRosterEntry {
  key: string
  name: string | null
  external: boolean
  tools: [name: string, isLive: boolean][]
}

/** The answers of a simulation, by method. */
export interface SimulationAnswers {
  roster: SimulatedRosterEntry[]
  poll: SimulationNeed
  run: SimulationNeed
  response: null
  responseError: null
  functionResult: null
  functionError: null
  toolResult: null
  toolError: null
  report: Pick<SimulationResult, 'profile' | 'done' | 'steps' | 'agents' | 'toolExecutions' | 'transcript'>
  text: string
}

/** A tool that a replay of events has to run, its arguments as JSON text; or a handler, with the messages that are new to it. */
export type EventRequest =
  | { event: string; agent: string; tool: string; call: string | null; arguments: string; messages?: undefined }
  | { event: string; agent: string; messages: string }

/** The answers of a log of events, by method. */
export interface EventAnswers {
  ok: boolean
  diagnostics: Diagnostic[]
  overview: EventLogOverview
  tools: string[]
  agents: string[]
  layers: string[][]
  rows: EventRow[]
  event: { [key: string]: Json } | undefined
  past: string[] | undefined
  future: string[] | undefined
  explain: EventTie | undefined
  between: EventPair | undefined
  nest: { text: string; problem: null } | { text: null; problem: { message: string; help: string | null } }
  begin: number
  advance: EventRequest | undefined
  summary: Omit<EventReplay, 'trace' | 'timedOut'>
  prints: string[]
}
