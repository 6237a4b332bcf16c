// The isolated run of a proof: a thread with its own wasm and tools, and another clock.
import { parentPort, workerData } from 'node:worker_threads'
import { readEvents } from 'transcript-workbench/experimental'
import { loadErrorText } from '../authoring/load-error.ts'
import { loadHandlers, loadTools } from '../entries/proof.node.ts'
import type { EventLog, EventOrder } from '../types/experimental.ts'
import { shiftClocks } from './clock.ts'

/** What to run: the bytes of a log, and the addresses of modules. */
interface ProofSettings {
  bytes?: Uint8Array
  order: EventOrder
  timeout: number
  agents: string[]
  tools?: string
  handlers?: string
}

type Playing = Pick<ProofSettings, 'order' | 'timeout'> & { tools?: unknown; handlers?: unknown }

const PROOF_RUN = Symbol.for('transcript-workbench: a run of a proof')
const LIMITLESS = 0xffffffff

const { order, timeout, agents, tools, handlers }: ProofSettings = workerData
// Logs have it under this key, for a proof alone.
const log = readEvents(workerData.bytes, { maxBytes: LIMITLESS }) as EventLog & { [PROOF_RUN](playing: Playing): Promise<unknown> }
// The log has its text by now.
workerData.bytes = undefined
shiftClocks()

const loaded: { tools?: unknown; handlers?: unknown } = {}
const loadModule = async (
  name: 'tools' | 'handlers',
  address: string | undefined,
  read: (address: string, agents: string[]) => Promise<unknown>,
) => {
  if (address === undefined) return true
  try {
    loaded[name] = await read(address, agents)
    return true
  } catch (error) {
    parentPort!.postMessage({ unloaded: name, reason: loadErrorText(error) })
    return false
  }
}

if ((await loadModule('tools', tools, loadTools)) && (await loadModule('handlers', handlers, loadHandlers))) {
  parentPort!.postMessage(await log[PROOF_RUN]({ order, timeout, ...loaded }))
}
