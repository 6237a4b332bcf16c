// The request for a call in a worker: its arguments, and separately the options for the worker.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { isAbortSignal } from '../api/abort.ts'
import { withFileNames } from './sources.ts'
import type { WorkerCallOptions } from '../types/worker.ts'
import type { CallRequest } from './protocol.ts'

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

const checkWorkerOptions = (name: string, { signal, onProgress, transfer }: WorkerCallOptions) => {
  const wrongOption = (option: string, wanted: string, value: unknown) =>
    misuse(`the option \`${option}\` of ${name}() is ${wanted}, but got ${kindOf(value)}`)
  if (signal !== undefined && !isAbortSignal(signal)) throw wrongOption('signal', 'an AbortSignal', signal)
  if (onProgress !== undefined && typeof onProgress !== 'function') throw wrongOption('onProgress', 'a function', onProgress)
  if (transfer !== undefined && typeof transfer !== 'boolean') throw wrongOption('transfer', 'a boolean', transfer)
}

/** A URL cannot be transferred; its text can. */
const withUrlsAsText = (options: object) =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [key, value instanceof URL ? value.href : value]))

/** The request for a call of `name`, with `count` arguments before its options. */
export const createCallRequest = (name: string, count: number, callArgs: readonly unknown[]): CallRequest => {
  // What was left out stays so: the options keep their place.
  const args = withFileNames(Array.from({ length: count }, (_, at) => callArgs[at]))
  const options = callArgs[count]
  if (!isMap(options)) return { own: {}, question: { name, args, options, hasOptions: options !== undefined } }
  const { signal, onProgress, transfer, ...rest }: WorkerCallOptions = options
  checkWorkerOptions(name, { signal, onProgress, transfer })
  return { own: { signal, onProgress, transfer }, question: { name, args, options: withUrlsAsText(rest), hasOptions: true } }
}
