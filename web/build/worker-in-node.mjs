// Runs the script of a worker in a thread of Node.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const bytes = (address) => readFileSync(fileURLToPath(address))

class FileRequest {
  open(_, address) {
    this.address = address
  }

  send() {
    this.response = new Uint8Array(bytes(this.address)).buffer
    this.status = 200
  }
}

const early = []
let listener = (event) => early.push(event)
parentPort.on('message', (data) => listener({ data }))
Object.assign(globalThis, {
  self: globalThis,
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (_, added) => (listener = added),
  fetch: async (address) => new Response(bytes(address.url ?? address), { headers: { 'content-type': 'application/wasm' } }),
  XMLHttpRequest: FileRequest,
})
await import(workerData.script)
for (const event of early) listener(event)
