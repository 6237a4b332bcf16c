// What the core answers as JSON text, by the method of its handles.
import type {
  CanonicalMessage,
  Diagnostic,
  FileReference,
  Json,
  JournalRecording,
  MockContext,
  MockExchange,
  MockTrace,
  Overview,
  Place,
  RecordProblem,
  MockResponse,
  StateChanges,
  StepDetail,
  StepRow,
  StepState,
  Tape,
  TapeResponse,
} from '../types/index.ts'

/** What a test needs to know of a recording in addition to its steps. */
export interface Expectations {
  config: Tape['expectedConfig']
  context: Tape['initialContext']
  toolCalls: Tape['expectedToolCalls']
}

/** The first difference of a request from the recorded one, or what a replay found wrong itself. */
export interface DivergenceDetails {
  step: string
  run?: string
  path: string
  recorded_path?: string | null
  recorded?: ({ message: string | null; file: string | null } & Partial<Place>) | null
  expected?: unknown
  actual?: unknown
  other_difference?: { path: string; expected?: Json; actual?: Json } | null
  diff?: string | null
  nearest: { step: string; reason: string; path: string | null }[]
  hint: string
  text: string
}

/** A recorded failure of a model call. */
export interface FailureDetails {
  step: string
  error: Json
  retried: boolean
}

/** What a replay answers a request. */
export type RequestOutcome =
  | { kind: 'response'; step: string; response: TapeResponse['response'] }
  | ({ kind: 'error' } & FailureDetails)
  | { kind: 'divergence'; step?: undefined; divergence: DivergenceDetails }

/** What a replay of tools answers a call. */
export type ToolOutcome =
  | { kind: 'result'; step: string; result: Json }
  | { kind: 'error'; step: string; error: string }
  | {
      kind: 'miss'
      miss: { nearest: { step: string; path: string | null; expected?: Json; actual?: Json }[]; hint: string; text: string }
    }

/** The error of a mock model. */
export interface MockErrorDetails {
  name: string
  message: string
  path: string
  place?: Place | null
  error?: Json
  thrown?: Json
}

/** The context of a call without the messages that an earlier one contained; `same` is how many it has from there. */
export interface NewContext {
  context: MockContext
  same: number
}

/** A function of the host that a call needs. */
export interface NeededFunction {
  function: number
  path: string
  wants: string
}

/** The state of a call of a mock model: an outcome, or a function that is needed first, with the context for the first one. */
export type MockOutcome =
  | { call: number; response: MockResponse; error?: undefined; asks?: undefined }
  | { call: number; response?: undefined; error: MockErrorDetails; asks?: undefined }
  | ({ call: number; response?: undefined; error?: undefined; asks: NeededFunction } & Partial<NewContext>)

/** What was recorded so far, in one format. */
export interface FinishedRecording {
  text: string
  isCompact: boolean
  files: { path: string; text: string }[]
  problems: RecordProblem[]
  losses: string[]
}

/** The answers of handles, by method. */
export interface Answers {
  diagnostics: Diagnostic[]
  refusal: Diagnostic[]
  overview: Overview
  steps: StepRow[]
  step: StepDetail | null
  state: StepState | null
  changes: StateChanges | string
  references: FileReference[]
  expectations: Expectations

  expected: CanonicalMessage[] | null
  rehearse: RequestOutcome | null

  usage: { agent: string | null; calls: number; used: number; remaining: number | null; allConsumed: boolean | null }
  exchanges: MockExchange[]
  trace: MockTrace
  snapshot: { [key: string]: Json }
  beginCall: { call: number } & NewContext
  call: MockOutcome
  functionResult: MockOutcome
  answer: MockOutcome

  finish: FinishedRecording
  recovered: {
    facts: number
    truncatedAt: { line: number } | null
    problems: { line: number; message: string; help: string | null }[]
    recordings: JournalRecording[]
    recording: number
  }
}
