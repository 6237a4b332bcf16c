// One measurement on a log of events, for events.mjs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '../../package/support/tarball.mjs'

const [name, folder, path] = process.argv.slice(2)
const { readEvents, verifyDeterminism } = await load(folder, 'transcript-workbench/experimental')

const proof = async (options) => {
  const { ok, events } = await verifyDeterminism(readFileSync(path), { isolate: true, ...options })
  if (!ok || events === 0) throw new Error('the log is not proved')
}
const tools = join(folder, 'tools.mjs')
writeFileSync(tools, 'export const lookup = (given) => given')

const work = {
  'JSON.parse of every line': () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  read: () => readEvents(readFileSync(path)),
  order: () => readEvents(readFileSync(path)).order(),
  verify: () => proof({}),
  'verify with a tool': () => proof({ tools }),
}

const began = performance.now()
const before = process.cpuUsage()
const kept = await work[name]()
const s = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(before)
// What was made is held to the end, as a program would that goes on with it.
if (kept?.ok === false) throw new Error('the log has errors')
console.log(JSON.stringify({ s, cpu: (user + system) / 1e6, mb: process.resourceUsage().maxRSS / 1024 }))
