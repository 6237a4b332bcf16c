import type { MockModel, Options, RecordOptions, Recorder, ReplaySettings, Source, Tape } from './index.ts'
import type { StreamTiming } from './fetch.ts'

/** Where a server listens. */
export interface ListenOptions {
  /** The port. Default: one that is free. */
  port?: number
  /** The address. Default: `127.0.0.1`, so that only this machine reaches it. */
  host?: string
  /** The most bytes of a request. Default: 64 MiB. */
  maxBytes?: number
  /** Closes the server. */
  signal?: AbortSignal
}

/**
 * What is served under one name: a file, a string, a tape or a mock, which has one cursor for all callers, or a function
 * that makes one for each caller. A document with handlers answers according to them.
 */
export type ServedSource =
  | Source
  | URL
  | Tape
  | MockModel
  | ((caller: { name: string; session: string }) => Tape | MockModel | Promise<Tape | MockModel>)

/** What is served: one source, a list, or sources by name. */
export type ServedSources =
  | ServedSource
  | readonly ServedSource[]
  | ReadonlyMap<string, ServedSource>
  | { readonly [name: string]: ServedSource }

/** The status of a caller. */
export interface ServedSession {
  /** The transcript. */
  name: string
  /** The caller; empty for one without a name. */
  session: string
  calls: number
  /** The number of calls not requested yet; null if unknown, as for conditions. */
  remaining: number | null
  leftover: string[]
  /** Whether everything was requested as recorded. */
  complete: boolean
  diverged: boolean
  /** Why it is not complete. */
  problem: string | null
}

/** A server that answers from recordings. */
export interface ReplayServer {
  /** Its address, such as `http://127.0.0.1:4747`: the base URL of the clients; for OpenAI's add `/v1`. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** The names of the transcripts. */
  readonly names: string[]
  /** The callers so far. */
  readonly sessions: ServedSession[]
  /** What a caller plays; undefined before its first call. Default: the first transcript, and the caller without a name. */
  tape(name?: string, session?: string): Tape | MockModel | undefined
  /**
   * Ends the runs of all callers.
   *
   * @throws {TranscriptDivergenceError} when one diverged, or did not request all recorded calls.
   * @throws {Error} on other failures: a `TypeError` for a request that could not be read, an error of a handler.
   */
  assertComplete(): void
  /** Restarts all callers. */
  reset(): void
  /** Takes no more requests, gives open responses a second, and ends. */
  close(): Promise<void>
}

/** A server that records what passes through it. */
export interface RecordingProxy {
  readonly url: string
  readonly port: number
  readonly host: string
  /** The callers so far; `''` is the one without a name. */
  readonly sessions: string[]
  /** What records a caller. */
  recorder(session?: string): Recorder | undefined
  /** Writes what was recorded so far, a file for each caller, and returns their names. */
  save(file?: string): Promise<string[]>
  /** Takes no more requests, ends, and writes `output` where one was named; returns the names of the files. */
  close(): Promise<string[]>
}

/** The options of `serve`. */
export type ServeOptions = ListenOptions & {
  /** When the pieces of a stream come. Default: at once. */
  timing?: StreamTiming
  /** How requests are compared; see `replay()`. */
  replay?: Options & ReplaySettings
  /** Receives every request that was answered, with the error where there was one. */
  onResponse?: (response: { method: string; path: string; status: number; error?: { message: string; [key: string]: unknown } }) => void
}

/** The options of `proxy`. */
export type ProxyOptions = ListenOptions & {
  /** The address of the vendor, such as `https://api.openai.com`. */
  upstream: string | URL
  /** The file to write when it is closed. */
  output?: string
  /** A file that gets a line for every fact as it comes. */
  journal?: string
  /** How it is recorded; see `createRecorder()`. */
  record?: Omit<RecordOptions, 'recording'>
  /** Whether to report the times of stream chunks. */
  timing?: boolean
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Receives every request that was passed on. */
  onResponse?: (response: { method: string; path: string; session: string; status: number }) => void
}
