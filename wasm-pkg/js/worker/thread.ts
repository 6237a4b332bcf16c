// Runs in the worker and answers one request after the other.
import { REPORTS_PROGRESS } from './calls.ts'
import { packError } from './errors.ts'
import type { Question, SentQuestion, WorkerMessage } from './protocol.ts'
import { type Report, readSources } from './sources.ts'

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

type Call = (...args: unknown[]) => unknown

/** Something that is open: its methods, and what it knows. */
type OpenObject = { readonly [name: string]: unknown; free(): void }

/** The side of a worker. */
interface WorkerPort {
  post(message: WorkerMessage): void
  listen(onMessage: (question: SentQuestion) => void): void
  calls: { readonly [name: string]: unknown }
  inflates: boolean
}

/**
 * Answers what comes through a port. `calls` are the functions of the package; `inflates` means that they cannot read gzip at
 * once.
 */
export const serveCalls = ({ post, listen, calls, inflates }: WorkerPort) => {
  /** Open objects, by the numbers that the other side chose. */
  const open = new Map<number, OpenObject>()

  /** Makes a call as the other side would have made it. */
  const runCall = async (report: Report, call: Call, { name, args, options, hasOptions }: Question) => {
    const read = await readSources(args, options, inflates, report)
    if (REPORTS_PROGRESS.has(name))
      return call(...read, isMap(options) || !hasOptions ? { ...(options as object | undefined), onProgress: report } : options)
    report({ phase: 'working', done: 0, total: 1 })
    const found = await call(...read, ...(hasOptions ? [options] : []))
    report({ phase: 'working', done: 1, total: 1 })
    return found
  }

  /** The function with a name; a name with a dot is a part of another function. */
  const callOf = (name: string) => name.split('.').reduce<unknown>((at, part) => (at as OpenObject)[part], calls) as Call

  const openHandle = async (report: Report, handle: number, opening: Question | undefined) => {
    if (opening !== undefined) open.set(handle, (await runCall(report, callOf(opening.name), opening)) as OpenObject)
    // The other side opens it first.
    return open.get(handle)!
  }

  const handleRequest = async (report: Report, { handle, opening, isFree, ...question }: SentQuestion) => {
    // What is for nothing that is open is a call.
    if (handle === undefined) return runCall(report, callOf((question as Question).name), question as Question)
    if (isFree) {
      open.get(handle)?.free()
      open.delete(handle)
      return undefined
    }
    const target = await openHandle(report, handle, opening)
    const { name } = question
    if (name === undefined) return undefined
    return typeof target[name] === 'function' ? runCall(report, (...args) => (target[name] as Call)(...args), question) : target[name]
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
