import type { AgentTape, MockModel, Recorder, Tape } from './index.ts'

/** What answers for a model. */
export type ReplaySource = Tape | AgentTape | MockModel

/** How the pieces of a stream come: as fast as was recorded, or so many milliseconds apart. Default: at once. */
export type StreamTiming = 'recorded' | number

/** A `fetch` that answers as the models of recordings did. */
export interface ReplayFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** What the run failed by: a `TranscriptDivergenceError`, or an error of a handler. Clients only show its words. */
  readonly lastDivergence: Error | undefined
  /**
   * Ends the run.
   *
   * @throws {TranscriptDivergenceError} when a run diverged, or when recorded calls were not requested.
   * @throws {Error} what else a run failed by: a `TypeError` for a request that could not be read, an error of a handler.
   */
  assertComplete(): void
}

/**
 * A `fetch` for the clients of OpenAI (chat completions and Responses) and of Anthropic (Messages) that answers from a
 * recording, as JSON and as streams, without a server.
 *
 * A request that differs is answered with the status 400 and the explanation, which no client repeats: an error that is
 * thrown here would be taken for a broken network and tried again. `assertComplete()` throws the divergence itself.
 *
 * Of several recordings the path before `/v1` chooses one, or the header `x-transcript`.
 *
 * @throws {TypeError} when a source is neither a tape nor a mock.
 * @example
 * const tape = await replay('run.yaml')
 * const client = new OpenAI({ apiKey: 'none', fetch: replayFetch(tape) })
 * await runAgent(client)
 * tape.assertComplete()
 */
export declare function replayFetch(
  source: ReplaySource | ReadonlyMap<string, ReplaySource> | { readonly [name: string]: ReplaySource },
  options?: { timing?: StreamTiming },
): ReplayFetch

/**
 * A `fetch` that passes requests on and reports them and their answers to a recorder, streams piece by piece. What is
 * no call of a model passes by. Keys, tokens and cookies in headers and addresses are not recorded, and are blanked where
 * a request or an answer repeats them. Nothing that goes wrong with the recording reaches the caller: what cannot be
 * recorded stands among the `problems` of the recorder.
 *
 * @param options.fetch What requests are passed on to. Default: the global `fetch`.
 * @param options.timing Whether the pieces of streams are reported with their times. They are kept by `chunks: true` of the
 * recorder.
 * @throws {TypeError} when `recorder` is none.
 * @example
 * const recorder = createRecorder({ name: 'weather', chunks: true })
 * const client = new OpenAI({ fetch: recordFetch(recorder) })
 * await runAgent(client)
 * await recorder.save('run.yaml')
 */
export declare function recordFetch(
  recorder: Recorder,
  options?: { fetch?: typeof globalThis.fetch; timing?: boolean },
): (input: string | URL | Request, init?: RequestInit) => Promise<Response>
