// What only Node can do for logs of events: run tools of a module in a thread of their own, and append to files.
import { Buffer } from 'node:buffer'
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Context, Script, createContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import type { Proof, ThreadResult } from '../authoring/proof.ts'
import type { Diagnostic } from '../types/index.ts'
import type { EventHandler, EventTool } from '../types/experimental.ts'
import { codeOf, makeFolder } from './folder.node.ts'

/** The address of a module that is named by a path or an address. */
const addressOf = (module: string | URL) => {
  const text = String(module)
  return /^[a-z][a-z+.-]+:/i.test(text) ? text : pathToFileURL(resolve(text)).href
}

/** What a module exports, by name, and the entries of the object that it exports by default. */
const exportsOf = async (address: string): Promise<[string, unknown][]> => {
  const { default: all = {}, ...named } = await import(address)
  return Object.entries({ ...(typeof all === 'object' ? all : {}), ...named })
}

const isFunction = (entry: [string, unknown]): entry is [string, EventTool] => typeof entry[1] === 'function'

const isHandler = (entry: [string, unknown]): entry is [string, EventHandler] =>
  typeof (entry[1] as { call?: unknown } | null | undefined)?.call === 'function'

/** The functions that a module exports, by name. */
export const loadTools = async (address: string) => {
  const tools = Object.fromEntries((await exportsOf(address)).filter(isFunction))
  if (Object.keys(tools).length === 0) throw new Error('it exports no function')
  return tools
}

/** The models of a document with handlers, of those of the agents that it answers for. */
const loadModels = async (address: string, agents: readonly string[]) => {
  const { mockModel } = await import('transcript-workbench')
  const source = { bytes: readFileSync(new URL(address)), file: basename(new URL(address).pathname) }
  const models: { [agent: string]: EventHandler } = {}
  let lastError: Error | undefined
  for (const agent of agents) {
    try {
      models[agent] = mockModel(source, { agent })
    } catch (thrown) {
      const error = thrown as Error & { code?: string; diagnostics?: Diagnostic[] }
      // Agents without a handler give the recorded answers.
      const [first] = error.diagnostics ?? []
      if (first !== undefined) throw new Error(`${first.message} (${first.file}:${first.line}:${first.column})`)
      if (error.code !== 'ERR_TRANSCRIPT_MISUSE') throw error
      lastError = new Error(error.message)
    }
  }
  if (Object.keys(models).length === 0) throw lastError ?? new Error('the log has no agents')
  return models
}

/**
 * What answers for agents, by their names: functions and models that a module exports, or the handlers of a document in YAML
 * or JSON.
 */
export const loadHandlers = async (address: string, agents: readonly string[]) => {
  if (/\.(ya?ml|json)(\.gz)?$/i.test(address)) return loadModels(address, agents)
  const handlers = Object.fromEntries((await exportsOf(address)).filter(isHandler))
  if (Object.keys(handlers).length === 0) throw new Error('it exports no function and no model')
  return handlers
}

// In CommonJS there is no address of the module, and the name of the file instead.
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url

/**
 * Runs a replay in a thread with its own wasm and tools, and with another clock. The bytes of the log are transferred. If the
 * thread ends before it is done, the result has `ended`; an aborted signal ends it, too.
 */
const runInThread = (bytes: Uint8Array<ArrayBuffer>, data: object, signal: AbortSignal | undefined) =>
  new Promise<ThreadResult>((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(new URL('./verify-worker.js', here), {
      workerData: { ...data, bytes },
      transferList: [bytes.buffer],
    })
    const end = (then: () => void) => {
      signal?.removeEventListener('abort', giveUp)
      // A tool may have left something running that keeps the thread alive; how that ends does not matter.
      worker.removeAllListeners()
      worker.on('error', () => {})
      void worker.terminate().then(then)
    }
    const giveUp = () => end(() => reject(signal!.reason))
    const done = (message: ThreadResult) => end(() => resolve(message))
    signal?.addEventListener('abort', giveUp, { once: true })
    worker.once('message', done)
    worker.once('error', (error) =>
      done({ ended: `the isolated run ended with an error that no tool call caught: ${error?.message ?? error}` }),
    )
    worker.once('exit', (code) => done({ ended: `the isolated run exited early, with code ${code}: a tool may call \`process.exit()\`` }))
  })

let sandbox: { context: Context; script: Script } | undefined

/**
 * What `work` returns or throws, unless it keeps the thread for longer than so many milliseconds: then it is ended, and `onTimeout`
 * is called. What runs after an `await` in it is not ended.
 */
const runWithTimeout = (timeout: number, work: () => unknown, onTimeout: () => never): unknown => {
  sandbox ??= { context: createContext({}), script: new Script('work()') }
  const { context, script } = sandbox
  let isDone = false
  context.work = () => {
    try {
      return work()
    } finally {
      // An aborted run does not come here.
      isDone = true
    }
  }
  try {
    return script.runInContext(context, { timeout, displayErrors: false })
  } catch (error) {
    if (isDone) throw error
    return onTimeout()
  } finally {
    context.work = undefined
  }
}

export const proof: Proof = { addressOf, runInThread, runWithTimeout, handlersIn: loadHandlers, toolsIn: loadTools }

const LINE_BREAK = 0x0a

/** Whether a file is empty or ends with a line break: else its last writer was cut off within a line. */
const endsLine = (file: number, size: number) => {
  const last = Buffer.alloc(1)
  return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === LINE_BREAK
}

/**
 * Writes a line by one call. The system takes only a part of it where the disk is full or the file may not grow, and gives the
 * reason to the next call.
 */
const writeWhole = (file: number, line: Uint8Array, name: string) => {
  let count = 0
  try {
    while (count < line.length) count += writeSync(file, line, count)
  } catch (error) {
    if (count === 0) throw error
    const message = `only ${count} of ${line.length} bytes of an event were written to ${name}: ${(error as Error).message}`
    throw Object.assign(new Error(message, { cause: error }), { code: codeOf(error) })
  }
}

export const files = {
  /** Opens a file to which lines are appended, each whole or cut. */
  append: (path: string | URL) => {
    const name = path instanceof URL ? fileURLToPath(path) : path
    makeFolder(dirname(resolve(name)))
    const file = openSync(name, 'a+')
    // The size shows what another process wrote or cut off since. During a write the written part is unknown.
    let known: number | undefined
    return {
      write: (line: string) => {
        const { size } = fstatSync(file)
        const isWhole = size === known || endsLine(file, size)
        const bytes = Buffer.from(isWhole ? line : `\n${line}`)
        known = undefined
        writeWhole(file, bytes, name)
        known = size + bytes.length
      },
      close: () => closeSync(file),
    }
  },
}
