// What only Node can do for logs of events: run tools of a module in a thread of their own, and append to files.
import { Buffer } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { makeFolder } from './folder.node.js'

/** The address of a module that is named by a path or an address. */
const addressOf = (module) => {
  const text = String(module)
  return /^[a-z][a-z+.-]+:/i.test(text) ? text : pathToFileURL(resolve(text)).href
}

/** The functions that the module at an address exports, by their names, or those of the object that it exports. */
const toolsIn = async (address) => {
  const { default: all = {}, ...named } = await import(address)
  const entries = Object.entries({ ...(typeof all === 'object' ? all : {}), ...named })
  const tools = Object.fromEntries(entries.filter(([, tool]) => typeof tool === 'function'))
  if (Object.keys(tools).length === 0) throw new Error('it exports no function')
  return tools
}

/** What a module exports to answer for agents: functions and models, by the names of the agents. */
const handlersIn = async (address) => {
  const { default: all = {}, ...named } = await import(address)
  const entries = Object.entries({ ...(typeof all === 'object' ? all : {}), ...named })
  const handlers = Object.fromEntries(entries.filter(([, one]) => typeof one?.call === 'function'))
  if (Object.keys(handlers).length === 0) throw new Error('it exports no function and no model')
  return handlers
}

// In CommonJS there is no address of the module, and the name of the file instead.
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url

/** A replay in a thread with a wasm and tools of its own, and with another clock. */
const apart = (workerData) =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL('./verify-worker.js', here), { workerData })
    worker.once('message', (told) => {
      done(told)
      // A tool that never answers may hold it for ever.
      void worker.terminate()
    })
    worker.once('error', fail)
    worker.once('exit', (code) => fail(new Error(`the run apart ended early, with code ${code}`)))
  })

/** The tools and the handlers of modules that are named by their addresses. */
export const loadedFrom = async ({ tools, handlers }) => ({
  tools: tools === undefined ? undefined : await toolsIn(tools),
  handlers: handlers === undefined ? undefined : await handlersIn(handlers),
})

export const proof = { addressOf, apart, handlersIn, toolsIn }

const LINE_BREAK = 0x0a

/** Whether a file is empty or ends with a line break: else its last writer was cut off within a line. */
const endsLine = (file) => {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === LINE_BREAK
}

export const files = {
  /** Opens a file to which lines are appended, each by one call that appends it whole or cut. */
  append: (path) => {
    const name = path instanceof URL ? fileURLToPath(path) : path
    makeFolder(dirname(resolve(name)))
    const file = openSync(name, 'a+')
    let isWhole = endsLine(file)
    return {
      write: (line) => {
        const bytes = Buffer.from(isWhole ? line : `\n${line}`)
        // Until the call is back nobody knows how much of it was written.
        isWhole = false
        const count = writeSync(file, bytes)
        isWhole = count === bytes.length
        if (!isWhole) throw new Error(`only ${count} of ${bytes.length} bytes of an event were written to ${name}`)
      },
      close: () => closeSync(file),
    }
  },
}
