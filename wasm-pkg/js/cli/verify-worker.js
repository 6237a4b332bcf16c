// The second run of `verify-determinism`: a thread with a wasm and tools of its own, and with another clock.
import { parentPort, workerData } from 'node:worker_threads'
import { readEvents } from 'transcript-workbench/experimental'
import { toolsIn } from './tools-module.js'

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

const { text, order, module } = workerData
const { trace } = await readEvents(text).replay({ order, tools: await toolsIn(module) })
parentPort.postMessage({ trace })
