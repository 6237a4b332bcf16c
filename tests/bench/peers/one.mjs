// One measurement in a process of its own: `node one.mjs SYSTEM MODULE [FILE TURNS]`. Without a file it is the import,
// with its first use where there is one. Prints the CPU time in milliseconds.
import { pathToFileURL } from 'node:url'
import { SYSTEMS } from './systems.mjs'

const [name, path, file, turns] = process.argv.slice(2)
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let before = cpu()
const module = await import(pathToFileURL(path).href)
// Our wasm is compiled at the first call; no other has something to begin.
module.detect?.('messages: []')
if (file !== undefined) {
  before = cpu()
  await SYSTEMS[name].run(module, file, Number(turns))
}
console.log(cpu() - before)
