// Runs in the worker and answers one request after the other.
import { REPORTS_PROGRESS } from './calls.js'
import { packError } from './errors.js'
import { readSources } from './sources.js'

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Answers what comes through a port. `calls` are the functions of the package; `inflates` means that they cannot read gzip at
 * once.
 */
export const serveCalls = ({ post, listen, calls, inflates }) => {
  /** What stays open, by the numbers that the other side gave. */
  const open = new Map()

  /** Makes a call as the other side would have made it. */
  const runCall = async (report, call, { name, args, options, hasOptions }) => {
    const read = await readSources(args, options, inflates, report)
    if (REPORTS_PROGRESS.has(name)) return call(...read, isMap(options) || !hasOptions ? { ...options, onProgress: report } : options)
    report({ phase: 'working', done: 0, total: 1 })
    const found = await call(...read, ...(hasOptions ? [options] : []))
    report({ phase: 'working', done: 1, total: 1 })
    return found
  }

  /** The function with a name; a name with a dot is a part of another function. */
  const callOf = (name) => name.split('.').reduce((at, part) => at[part], calls)

  const openHandle = async (report, handle, opening) => {
    if (opening !== undefined) open.set(handle, await runCall(report, callOf(opening.name), opening))
    return open.get(handle)
  }

  const handleRequest = async (report, { handle, opening, isFree, ...question }) => {
    if (handle === undefined) return runCall(report, callOf(question.name), question)
    if (isFree) {
      open.get(handle)?.free()
      open.delete(handle)
      return undefined
    }
    const target = await openHandle(report, handle, opening)
    const { name } = question
    if (name === undefined) return undefined
    return typeof target[name] === 'function' ? runCall(report, (...args) => target[name](...args), question) : target[name]
  }

  listen(async (question) => {
    const { id } = question
    try {
      post({ id, answer: await handleRequest((progress) => post({ id, progress }), question) })
    } catch (error) {
      post({ id, error: packError(error) })
    }
  })
  post({ isReady: true })
}
