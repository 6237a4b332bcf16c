// The types of recorders.
import type { FinishedRecording, JournalRecording, LineProblem, RecordedEvents, RecordedFile, RecordProblem as Refused } from './generated/index.ts'
import type { Json } from './index.ts'

export type { FinishedRecording, JournalRecording, LineProblem, RecordedEvents, RecordedFile } from './generated/index.ts'

/** What every fact may have. */
export interface FactFields {
  /** The run of its agent. Default: the outermost. */
  run?: string
  /** When it was observed, in ISO 8601. */
  at?: string
  [key: string]: unknown
}

/** The facts of recordings; `docs/record.md` has the keys of each. */
export type FactKind =
  | 'message_appended' | 'model_called' | 'model_responded' | 'model_failed' | 'chunk' | 'tool_called' | 'tool_returned'
  | 'tool_failed' | 'tool_message_created' | 'context_changed' | 'visibility_changed' | 'tools_listed' | 'metadata_set' | 'agent_entered' | 'agent_left'

/** Something that was observed. */
export type Fact = FactFields & { fact: FactKind }

/** The problem of a fact. */
export interface RecordProblem extends Refused {
  /** What code of the host threw. */
  cause?: unknown
}

/** How the content of a tool's message is written, where the host provides none. */
export type SerializerName = 'json' | 'text' | 'python'

/** How to record a run. */
export interface RecordOptions {
  /** The id of the recording among others in the same journal. Default: a random id. */
  recording?: string
  /** The name of the run. Default: that of the file in which it is saved. */
  name?: string
  /** The time at which it was made. Default: the time of the first `save`. */
  created?: string | Date
  metadata?: { [key: string]: unknown }
  /** How the outermost agent is set up: model, settings, tools. */
  config?: { [key: string]: unknown }
  /** Its context when the run begins. */
  context?: { [key: string]: unknown }
  /** Whether messages keep the host's ids in addition to short ones. Default: true. */
  includeUlids?: boolean
  /** Whether the compact form is written where it can express all that was recorded. */
  compact?: boolean
  /** Whether to keep the chunks of streamed responses. */
  chunks?: boolean
  /** How the results of tools are written, where the host gives no text. Default: `json`. */
  serializer?: SerializerName
  /** The same for each tool. */
  serializers?: { [tool: string]: SerializerName }
  /** The runs of other agents in their places, or in files of their own above so many bytes. */
  nested?: 'inline' | number
  /** The most bytes of facts that are kept. Default: 256 MiB. */
  maxBytes?: number
  /** Whether to add the events between agents if there are several runs. Default: false. */
  events?: boolean
}

/** What was recorded. */
export interface Recording extends FinishedRecording {
  transcript: { [key: string]: Json }
  /** The runs that have files of their own, by their paths relative to the transcript. */
  files: (RecordedFile & { transcript: { [key: string]: Json } })[]
  problems: RecordProblem[]
  /** The events between agents, if they were requested and there are several runs. */
  events?: RecordedEvents
}

/** Records a run from observed facts. It never fails the run: errors are in `problems`. */
export interface Recorder {
  readonly problems: readonly RecordProblem[]
  /** Takes a fact; returns its number. */
  observe(fact: Fact): number
  messageAppended(fields: FactFields): number
  modelCalled(fields: FactFields): number
  modelResponded(fields: FactFields): number
  modelFailed(fields: FactFields): number
  chunk(fields: FactFields): number
  toolCalled(fields: FactFields): number
  toolReturned(fields: FactFields): number
  toolFailed(fields: FactFields): number
  toolMessageCreated(fields: FactFields): number
  contextChanged(fields: FactFields): number
  visibilityChanged(fields: FactFields): number
  toolsListed(fields: FactFields): number
  metadataSet(fields: FactFields): number
  agentEntered(fields: FactFields): number
  agentLeft(fields: FactFields): number
  /** What was recorded so far; the recorder may go on. */
  finish(): Recording
  /**
   * Writes it to a file, as JSON when its name ends so, with the files next to it (`run.events.json` too); in Node. Without
   * `name` and `created` the file has its own name and the time at which it was first saved.
   */
  save<Path extends string | URL>(path: Path): Promise<Path>
  /** Frees its memory now, instead of with the object. */
  free(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}

/** The content of a journal. */
export interface RecoveredRecording extends Recording {
  /** How many whole facts there are. */
  facts: number
  /** The line that was cut during a write; null when the journal ends with a whole one. */
  truncatedLine: number | null
  /** The lines that could not be read, and those that are missing. */
  lines: LineProblem[]
  /** All recordings of the journal, in order: one for each time that a recorder wrote to it. */
  recordings: JournalRecording[]
  /** Which of them this is, from 1. */
  recording: number
}

/** The options of a recorder. */
export type RecorderOptions = Omit<RecordOptions, 'serializers'> & {
  /** How the results of each tool are written: a name, or a function. */
  serializers?: { [tool: string]: SerializerName | ((result: any) => string) }
  /** A file that gets a line for every fact as it comes; in Node. */
  journal?: string | URL
  /** Gets each line, its line break included; the first describes how the run is recorded. */
  onJournal?: (line: string) => void
  /** Receives facts that are invalid where they come. */
  onProblem?: (problem: RecordProblem) => void
  /** Gives the time of facts that have none, and that of `save`, which by default uses the machine's clock. */
  clock?: () => string | number | Date
}

/** The options of `recover`. */
export type RecoverOptions = Omit<RecordOptions, 'recording'> & {
  /** Which recording, by its number from 1 or its id. Default: the last that has a fact. */
  recording?: number | string
}
