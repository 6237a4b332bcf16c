/// <reference lib="esnext.disposable" />
/**
 * Transcripts of LLM agent runs: check them, write them, compare them, replay them against an agent in a test, mock and
 * simulate agents, record runs.
 *
 * Everything but `replay`, `simulate`, `generate`, `save` and the calls of a mock model is synchronous. A bad document is an answer with diagnostics; a `TypeError`
 * is for wrong arguments, and its `code` is `ERR_TRANSCRIPT_MISUSE`.
 */
export * from '../api/index.ts'
export * from '../authoring/index.ts'
export type * from '../types/index.ts'
