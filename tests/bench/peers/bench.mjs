// What the package costs next to others of its field: the folder that an installation leaves, the import in a fresh process,
// and loading and replaying one conversation. Run by `cargo xtask bench`.
//
// Every measurement is a process of its own, and they take turns, so that a busy machine slows all of them. Machines differ:
// the ratio to our own figure is what to compare.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../../package/support/tarball.mjs'
import { SYSTEMS } from './systems.mjs'

const PROCESSES = 7
const TURNS = [1_000, 10_000]

const here = dirname(fileURLToPath(import.meta.url))
const installed = install()
const own = join(installed, 'index.mjs')
writeFileSync(own, "export * from 'transcript-workbench'\n")
const data = mkdtempSync(join(tmpdir(), 'transcript-peers-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

const one = (...args) => Number(execFileSync(process.execPath, [join(here, 'one.mjs'), ...args], { encoding: 'utf8' }))
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** The median of `PROCESSES` processes for each of `names`, which take turns. */
const measure = (names, args) => {
  const times = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < PROCESSES; round += 1) {
    for (const name of names) times.get(name).push(one(name, SYSTEMS[name].module ? join(here, SYSTEMS[name].module) : own, ...args(name)))
  }
  return names.map((name) => ({ name, ms: median(times.get(name)) }))
}

const bytesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size)
  }, 0)

/** The packages that an installation brings, those of other systems left out. */
const packagesOf = (folder) => {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  return Object.keys(lock.packages).length
}

const print = (title, rows) => {
  console.log(title)
  for (const cells of rows)
    console.log(
      `  ${cells[0].padEnd(28)}${cells
        .slice(1)
        .map((cell) => cell.padStart(14))
        .join('')}`,
    )
}

const folders = [
  ['transcript-workbench', installed],
  ...['aimock', 'ai-sdk', 'langchain', 'openai-agents'].map((name) => [name, join(here, name)]),
]
print(
  'installed',
  folders.map(([name, folder]) => [
    name,
    `${(bytesOf(join(folder, 'node_modules')) / 1e6).toFixed(1)} MB`,
    `${packagesOf(folder)} packages`,
  ]),
)

const against = (rows) => rows.map(({ name, ms }) => [name, `${ms.toFixed(0)} ms`, `${(ms / rows[0].ms).toFixed(2)} times`])
const imports = Object.keys(SYSTEMS).filter((name) => name !== "LangChain's fake model")
print(`import and first use, CPU, median of ${PROCESSES} fresh processes`, against(measure(imports, () => [])))

for (const turns of TURNS) {
  const names = Object.keys(SYSTEMS).filter((name) => SYSTEMS[name].run !== undefined)
  for (const [at, name] of names.entries()) writeFileSync(join(data, `${at}-${turns}`), SYSTEMS[name].write(turns))
  const args = (name) => [join(data, `${names.indexOf(name)}-${turns}`), `${turns}`]
  print(`load and replay ${turns} turns, CPU, median of ${PROCESSES} fresh processes`, against(measure(names, args)))
}
