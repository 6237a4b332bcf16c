// Runs the agent of a user's module against a tape.
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import type { Fields } from '../api/fields.ts'
import type { ActualRun } from '../types/index.ts'
import { TranscriptDivergenceError } from './core.ts'
import { UsageError } from './failure.ts'

/** A tape of any mode; one that checks assertions takes the run. */
export interface AnyTape {
  report?(run: ActualRun): unknown
  assertComplete(): void
}

/** Plays a tape, and may return its run. */
type Agent = (tape: AnyTape) => unknown

/** The function that a module exports as its default. */
export const loadAgent = async (path: string) => {
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    throw new UsageError(`the agent in \`${path}\` cannot be loaded: ${(error as Fields)?.message ?? error}`)
  }
  if (typeof module.default === 'function') return module.default as Agent
  throw new UsageError(`the default export of \`${path}\` is not a function`, 'export default async (tape) => { … }')
}

/** Redirects what the agent prints to stderr, so that stdout has only the output of the command. */
const redirectStdout = async <Result>(act: () => Promise<Result>) => {
  const { stdout, stderr } = process
  const write = stdout.write
  stdout.write = stderr.write.bind(stderr)
  try {
    return await act()
  } finally {
    stdout.write = write
  }
}

const errorOf = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
    return null
  } catch (error) {
    return error
  }
}

/** Runs `act` with a timeout in milliseconds; 0 for none. */
const withTimeout = async <Result>(ms: number, act: () => Promise<Result>) => {
  if (ms === 0) return act()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, fail) => {
    const error = Object.assign(new Error(`the agent did not finish within ${ms} ms`), { name: 'TimeoutError', stack: undefined })
    timer = setTimeout(() => fail(error), ms)
  })
  try {
    return await Promise.race([act(), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a divergence only means that there is more in the recording. */
const isLeftover = (found: unknown) => found instanceof TranscriptDivergenceError && found.path === 'messages' && found.actual === undefined

/**
 * Runs `agent` against `tape`. Returns the divergence, if there is one, and the error that the agent ended with. A divergence
 * is found even if a framework wraps or swallows it. A run that the agent returns is reported to a tape that only checks
 * assertions. An agent that is not done after `timeout` milliseconds has failed; 0 means no timeout.
 */
export const runAgent = async (
  agent: Agent,
  tape: AnyTape,
  timeout = 0,
): Promise<{ divergence: TranscriptDivergenceError | null; error: unknown }> => {
  const error = await redirectStdout(() =>
    errorOf(async () => {
      const run = await withTimeout(timeout, async () => agent(tape))
      // Other data is rejected there.
      if (run !== undefined && tape.report) tape.report(run as ActualRun)
    }),
  )
  if (error instanceof TranscriptDivergenceError) return { divergence: error, error: null }
  const completionError = await errorOf(() => tape.assertComplete())
  // That an agent which failed did not go on follows from its failure.
  if (error !== null && isLeftover(completionError)) return { divergence: null, error }
  if (completionError === null || completionError instanceof TranscriptDivergenceError) return { divergence: completionError, error }
  return { divergence: null, error: error ?? completionError }
}
