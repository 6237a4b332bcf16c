// The run apart of a proof: a thread with a wasm and tools of its own, and with another clock.
import { parentPort, workerData } from 'node:worker_threads'
import { readEvents } from 'transcript-workbench/experimental'
import { loadErrorText } from '../authoring/load-error.ts'
import { loadHandlers, loadTools } from '../entries/proof.node.js'
import { shiftClocks } from './clock.ts'

const PROOF_RUN = Symbol.for('transcript-workbench: a run of a proof')
const LIMITLESS = 0xffffffff

const { order, timeout, agents, tools, handlers } = workerData
const log = readEvents(workerData.bytes, { maxBytes: LIMITLESS })
// The log has its text by now.
workerData.bytes = undefined
shiftClocks()

const loaded = {}
const loadModule = async (name, address, read) => {
  if (address === undefined) return true
  try {
    loaded[name] = await read(address, agents)
    return true
  } catch (error) {
    parentPort.postMessage({ unloaded: name, reason: loadErrorText(error) })
    return false
  }
}

if ((await loadModule('tools', tools, loadTools)) && (await loadModule('handlers', handlers, loadHandlers))) {
  parentPort.postMessage(await log[PROOF_RUN]({ order, timeout, ...loaded }))
}
