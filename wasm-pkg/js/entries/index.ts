/// <reference lib="esnext.disposable" />
/**
 * Transcripts of LLM agent runs: check them, write them, compare them, replay them against an agent in a test, mock and
 * simulate agents, record runs.
 *
 * What waits for a file, a model or a tool returns a promise, such as `replay`, `simulate` and `save`. All other calls are
 * synchronous. A bad document returns diagnostics; a `TypeError` means wrong arguments, and has the `code` `ERR_TRANSCRIPT_MISUSE`.
 */
export * from '../api/index.ts'
export * from '../authoring/index.ts'
export type * from '../types/index.ts'
