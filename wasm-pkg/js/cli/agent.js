// Runs the agent of a user's module against a tape.
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { TranscriptDivergence } from './core.js'
import { UsageError } from './failure.ts'

/** The function that a module exports as its default. */
export const loadAgent = async (path) => {
  let module
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    throw new UsageError(`the agent in \`${path}\` cannot be loaded: ${error?.message ?? error}`)
  }
  if (typeof module.default === 'function') return module.default
  throw new UsageError(`the default export of \`${path}\` is no function`, 'export default async (tape) => { … }')
}

/** Redirects what the agent prints to stderr, so that stdout has only the output of the command. */
const redirectStdout = async (act) => {
  const { stdout, stderr } = process
  const write = stdout.write
  stdout.write = stderr.write.bind(stderr)
  try {
    return await act()
  } finally {
    stdout.write = write
  }
}

const errorOf = async (act) => {
  try {
    await act()
    return null
  } catch (error) {
    return error
  }
}

/** Runs `act` with a timeout in milliseconds; 0 for none. */
const withTimeout = async (ms, act) => {
  if (ms === 0) return act()
  let timer
  const late = new Promise((_, fail) => {
    const error = Object.assign(new Error(`the agent was not done after ${ms} ms`), { name: 'TimeoutError', stack: undefined })
    timer = setTimeout(() => fail(error), ms)
  })
  try {
    return await Promise.race([act(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a divergence only means that there is more in the recording. */
const isLeftover = (found) => found instanceof TranscriptDivergence && found.path === 'messages' && found.actual === undefined

/**
 * Runs `agent` against `tape`. Returns the divergence, if there is one, and the error that the agent ended with. A divergence
 * is found even if a framework wraps or swallows it. A run that the agent returns is reported to a tape that only checks
 * assertions. An agent that is not done after `timeout` milliseconds has failed; 0 means no timeout.
 */
export const runAgent = async (agent, tape, timeout = 0) => {
  const error = await redirectStdout(() =>
    errorOf(async () => {
      const run = await withTimeout(timeout, async () => agent(tape))
      if (run !== undefined && tape.report) tape.report(run)
    }),
  )
  if (error instanceof TranscriptDivergence) return { divergence: error, error: null }
  const completionError = await errorOf(() => tape.assertComplete())
  // That an agent which failed did not go on follows from its failure.
  if (error !== null && isLeftover(completionError)) return { divergence: null, error }
  if (completionError === null || completionError instanceof TranscriptDivergence) return { divergence: completionError, error }
  return { divergence: null, error: error ?? completionError }
}
