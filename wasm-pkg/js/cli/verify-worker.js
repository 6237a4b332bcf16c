// The run apart of a proof: a thread with a wasm and tools of its own, and with another clock.
import { parentPort, workerData } from 'node:worker_threads'
import { readEvents } from 'transcript-workbench/experimental'
import { loadedFrom } from '../entries/proof.node.js'

/** A little more than a year and a day, so that every part of a date is another one. */
const LATER = 34_567_890_123

const clock = Date
globalThis.Date = new Proxy(clock, {
  apply: () => new clock(clock.now() + LATER).toString(),
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [target.now() + LATER] : given),
  get: (target, key) => (key === 'now' ? () => target.now() + LATER : Reflect.get(target, key)),
})
const now = performance.now.bind(performance)
performance.now = () => now() + LATER

const { text, order, timeout, ...addresses } = workerData
parentPort.postMessage(await readEvents(text).replay({ order, timeout, ...(await loadedFrom(addresses)) }))
