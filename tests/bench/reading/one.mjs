// One measurement in a process of its own: `node one.mjs NAME PACKAGE FILE`. Prints the CPU time of the work in
// milliseconds, and the most memory the process held, in MB.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { converse } from './generate.mjs'

const [name, folder, file] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')

const ours = () => import(pathToFileURL(`${folder}/node_modules/transcript-workbench/dist/index.node.js`).href)

const peer = async () => {
  const [{ load }, { default: Ajv }] = [await import('js-yaml'), await import('ajv/dist/2020.js')]
  const schema = JSON.parse(readFileSync(`${folder}/node_modules/transcript-workbench/schema/transcript.schema.json`, 'utf8'))
  const check = new Ajv({ allErrors: true, strict: false }).compile(schema)
  return () => {
    if (!check(load(text))) throw new Error(JSON.stringify(check.errors.slice(0, 3)))
  }
}

const must = (condition, what) => {
  if (!condition) throw new Error(what)
}

const WORK = {
  nothing: async () => () => {},
  'js-yaml alone': async () => {
    const { load } = await import('js-yaml')
    return () => must(load(text), 'no data')
  },
  'js-yaml and ajv': peer,
  validate: async () => {
    const { validate } = await ours()
    return () => must(validate(text).ok, 'not ok')
  },
  expand: async () => {
    const { expand } = await ours()
    return () => must(expand(text).text, 'no text')
  },
  compact: async () => {
    const { compact } = await ours()
    return () => must(compact(text, { force: true }).text, 'no text')
  },
  format: async () => {
    const { format } = await ours()
    return () => must(format(text).ok, 'not ok')
  },
}

/** Loading and strictly replaying a conversation that repeats its history in every request. */
const replaying = async () => {
  const { replay } = await ours()
  const turns = Number(/-(\d+)\.yaml$/.exec(file)[1])
  return async () => {
    const tape = await replay({ text, file: 'run.yaml' })
    converse(turns, (messages) => tape.request({ format: 'openai-chat', messages }).response)
    tape.assertComplete()
  }
}
WORK.replay = replaying

const run = await WORK[name]()
const before = process.cpuUsage()
await run()
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ ms: (user + system) / 1000, mb: process.resourceUsage().maxRSS / 1024 }))
