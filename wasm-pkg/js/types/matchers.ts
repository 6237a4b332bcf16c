// The types of what tests expect of runs.
import type { ActualRun, AssertionType, CountOrBounds, Recorder, Recording, RunMessage, Source, TranscriptDocument } from './index.ts'

/**
 * A finished run: a recorder, a transcript, or data in the form of a framework, such as
 * `{ format: 'openai-chat', messages }`.
 */
export type Run = Recorder | Recording | TranscriptDocument | Source | ActualRun | readonly RunMessage[]

/** How a run is compared with a recording; see the options of `replay()`. */
export interface MatchTranscriptOptions {
  /**
   * Differences to ignore: `ids`, `timestamps`, `whitespace`, or a path such as `messages[0].content`. `result_order`,
   * `error_text` and `provider_options` are accepted too, but these differences are ignored anyway.
   */
  ignore?: string[]
  /** Differences to compare that are ignored otherwise: the order of parallel results, and the texts of tool errors. */
  compare?: ('result_order' | 'error_text')[]
  order?: 'sequence' | 'any'
  leftover?: 'fail' | 'allow'
}

/** Expectations for a {@link Run}. `R` is the runner's result type. */
export interface TranscriptMatchers<R = void> {
  /**
   * Expects that a strict replay of the recording answers the whole run.
   *
   * Writes a missing file; with `-u`, changes a file that the run does not follow to the run,
   * and keeps its comments. In continuous integration it writes nothing.
   *
   * @param file Its name, from the folder of the test, or its URL.
   * @example
   * await expect(recorder).toMatchTranscript('weather.yaml')
   */
  toMatchTranscript(file: string | URL, options?: MatchTranscriptOptions): Promise<void>
  /** Expects of a tape that all of its recording was played, and nothing else was requested. */
  toBeComplete(): R
  /** Expects a call of a tool, with at least these arguments. */
  toHaveCalledTool(tool: string, args?: { [name: string]: unknown }): R
  toHaveCalledToolTimes(tool: string, times: CountOrBounds): R
  /** Expects calls of these tools: in this order (`strict`, the default), in any order, no others (`subset`), or these and others. */
  toHaveCalledTools(tools: string[], options?: { mode?: 'strict' | 'unordered' | 'subset' | 'superset' }): R
  /** Expects a string in the final response. */
  toHaveFinalResponse(pattern: string, options?: { ignoreCase?: boolean }): R
  toHaveContext(key: string, value: unknown): R
  toStayWithinTurns(max: number): R
  toStayWithinTokens(max: number): R
  toRunWithoutErrors(): R
  /**
   * Expects all assertions of a transcript to hold: those of `source`, or without it those of the run itself.
   *
   * @param source A file, from the folder of the test, or its URL; or a transcript.
   * @example
   * expect(recorder).toSatisfyAssertions('weather.yaml')
   */
  toSatisfyAssertions(source?: Source | URL | TranscriptDocument): R
  /** Expects any assertion to hold; `docs/assertions.md` of the package lists them. */
  toSatisfyAssertion(type: AssertionType, fields?: { [field: string]: unknown }): R
}

/** Functions for `expect.extend()`, by their names. */
export type ExpectMatchers = { readonly [Name in keyof TranscriptMatchers]: (this: any, received: any, ...args: any[]) => any }
