// Runs the agent of a user's module against a tape.
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { TranscriptDivergence } from 'transcript-workbench'
import { Misuse } from './failure.js'

/** The function that a module exports as its default. */
export const agentOf = async (path) => {
  let module
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    throw new Misuse(`the agent in \`${path}\` cannot be loaded: ${error?.message ?? error}`)
  }
  if (typeof module.default === 'function') return module.default
  throw new Misuse(`the default export of \`${path}\` is no function`, 'export default async (tape) => { … }')
}

/** What the agent writes goes to where people look, so that the answer of the program stays its own. */
const aside = async (act) => {
  const { stdout, stderr } = process
  const write = stdout.write
  stdout.write = stderr.write.bind(stderr)
  try {
    return await act()
  } finally {
    stdout.write = write
  }
}

const outcome = async (act) => {
  try {
    await act()
    return null
  } catch (error) {
    return error
  }
}

/** Whether a divergence only says that there is more in the recording. */
const isLeftover = (found) => found instanceof TranscriptDivergence && found.path === 'messages' && found.actual === undefined

/**
 * Lets `agent` run against `tape`. Returns the divergence, if there is one, and the error that the agent ended with. A
 * divergence that a framework wraps or swallows is found nevertheless. A run that the agent returns is told to a tape
 * that only looks at what it asserts.
 */
export const runAgent = async (agent, tape) => {
  const error = await aside(() => outcome(async () => {
    const run = await agent(tape)
    if (run !== undefined && tape.report) tape.report(run)
  }))
  if (error instanceof TranscriptDivergence) return { divergence: error, error: null }
  const left = await outcome(() => tape.assertComplete())
  // That an agent which failed did not go on follows from its failure.
  if (error !== null && isLeftover(left)) return { divergence: null, error }
  if (left === null || left instanceof TranscriptDivergence) return { divergence: left, error }
  return { divergence: null, error: error ?? left }
}
