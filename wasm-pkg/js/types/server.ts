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
 * What is served under one name: a file, a text, a tape or a mock, which has one cursor for all callers, or a function
 * that makes one for each caller. A document with handlers answers according to them.
 */
export type ServedSource =
  | Source
  | URL
  | Tape
  | MockModel
  | ((caller: { name: string; session: string }) => Tape | MockModel | Promise<Tape | MockModel>)

/** What became of a caller. */
export interface ServedSession {
  /** The transcript. */
  name: string
  /** The caller; empty for one without a name. */
  session: string
  calls: number
  /** The calls that are still to be requested; null when that cannot be known, as of conditions. */
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
  /** Its address, such as `http://127.0.0.1:4747`: the base URL of Anthropic's client; that of OpenAI's has `/v1` behind. */
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
   * @throws {TranscriptDivergenceError} when one diverged, or did not request all that was recorded.
   * @throws {Error} what else a run failed by: a `TypeError` for a request that could not be read, an error of a handler.
   */
  assertComplete(): void
  /** Lets all callers begin anew. */
  reset(): void
  /** Takes no more requests, gives answers under way a second, and ends. */
  close(): Promise<void>
}

/**
 * Answers the clients of OpenAI (chat completions, Responses) and of Anthropic (Messages) from recordings over HTTP, as
 * JSON and as streams. A request that differs is answered with the status 400 and the explanation.
 *
 * Of several transcripts the path before `/v1` chooses one (`/NAME/v1/…`), or the header `x-transcript`. Each caller has a
 * cursor of its own: `NAME@CALLER` or `@CALLER` in the path, or the header `x-transcript-session`, names the caller.
 *
 * @param options.replay How requests are compared; see `replay()`.
 * @param options.onResponse Receives every request that was answered, with the error where there was one.
 * @throws {TranscriptError} when a transcript has errors, or records no model call.
 * @example
 * const server = await serve('run.yaml')
 * const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` })
 * await runAgent(client)
 * server.assertComplete()
 * await server.close()
 */
export declare function serve(
  source: ServedSource | readonly ServedSource[] | ReadonlyMap<string, ServedSource> | { readonly [name: string]: ServedSource },
  options?: ListenOptions & {
    timing?: StreamTiming
    replay?: Options & ReplaySettings
    onResponse?: (answer: { method: string; path: string; status: number; error?: { message: string; [key: string]: unknown } }) => void
  },
): Promise<ReplayServer>

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

/**
 * Passes requests on to a vendor and records them. The keys that they bring go on to the vendor and are not recorded.
 * Each caller is recorded apart: `@CALLER` at the begin of the path, or the header `x-transcript-session`, names the caller, and
 * its file has that behind a dash.
 *
 * @param options.upstream The address of the vendor, such as `https://api.openai.com`.
 * @param options.output The file that is written when it is closed.
 * @param options.journal A file that gets a line for every fact as it comes.
 * @param options.record How it is recorded; see `createRecorder()`.
 * @param options.timing Whether the pieces of streams are reported with their times.
 * @param options.fetch What reaches the vendor. Default: the global `fetch`.
 * @param options.onResponse Receives every request that was passed on.
 * @throws {TypeError} when `upstream` is no address.
 * @example
 * const recording = await proxy({ upstream: 'https://api.openai.com', output: 'run.yaml' })
 * await runAgent(new OpenAI({ baseURL: `${recording.url}/v1` }))
 * await recording.close()
 */
export declare function proxy(
  options: ListenOptions & {
    upstream: string | URL
    output?: string
    journal?: string
    record?: Omit<RecordOptions, 'recording'>
    timing?: boolean
    fetch?: typeof globalThis.fetch
    onResponse?: (answer: { method: string; path: string; session: string; status: number }) => void
  },
): Promise<RecordingProxy>
