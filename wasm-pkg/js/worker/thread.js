// What runs in the worker: it answers one question after the other.
import { TELLING } from './calls.js'
import { packed } from './errors.js'
import { readThere } from './sources.js'

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Answers what comes through a port. `calls` are the functions of the package; `inflates` says that they cannot read gzip at
 * once.
 */
export const answer = ({ post, listen, calls, inflates }) => {
  /** What stays open, by the numbers that the other side gave. */
  const open = new Map()

  /** Makes a call as the other side would have made it. */
  const called = async (tell, call, { name, args, options, hasOptions }) => {
    const read = await readThere(args, options, inflates, tell)
    if (TELLING.has(name)) return call(...read, isMap(options) || !hasOptions ? { ...options, onProgress: tell } : options)
    tell({ phase: 'working', done: 0, total: 1 })
    const found = await call(...read, ...(hasOptions ? [options] : []))
    tell({ phase: 'working', done: 1, total: 1 })
    return found
  }

  /** The call of a name; one with a point in it is part of another. */
  const callOf = (name) => name.split('.').reduce((at, part) => at[part], calls)

  const opened = async (tell, handle, opening) => {
    if (opening !== undefined) open.set(handle, await called(tell, callOf(opening.name), opening))
    return open.get(handle)
  }

  const asked = async (tell, { handle, opening, isFree, ...question }) => {
    if (handle === undefined) return called(tell, callOf(question.name), question)
    if (isFree) {
      open.get(handle)?.free()
      open.delete(handle)
      return undefined
    }
    const it = await opened(tell, handle, opening)
    const { name } = question
    if (name === undefined) return undefined
    return typeof it[name] === 'function' ? called(tell, (...given) => it[name](...given), question) : it[name]
  }

  listen(async (question) => {
    const { id } = question
    try {
      post({ id, answer: await asked((progress) => post({ id, progress }), question) })
    } catch (error) {
      post({ id, error: packed(error) })
    }
  })
  post({ isReady: true })
}
