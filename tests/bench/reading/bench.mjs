// What reading a long transcript costs in Node, against js-yaml with a JSON Schema validator on the same file.
//
// Run by `cargo xtask bench`. Every measurement is a process of its own, and they take turns, so that a busy machine
// slows all of them; the ratio is what to compare between machines.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../../package/support/tarball.mjs'
import { compact, conversation, full } from './generate.mjs'

const TURNS = 10_000
const ROUNDS = 5

const one = join(dirname(fileURLToPath(import.meta.url)), 'one.mjs')
const folder = install()
const data = mkdtempSync(join(tmpdir(), 'transcript-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

const files = { full: join(data, 'full.yaml'), compact: join(data, 'compact.yaml') }
writeFileSync(files.full, full(TURNS))
writeFileSync(files.compact, compact(TURNS))
for (const turns of [TURNS / 10, TURNS]) {
  files[`${turns}`] = join(data, `conversation-${turns}.yaml`)
  writeFileSync(files[`${turns}`], conversation(turns))
}

const measurements = [
  ['js-yaml and ajv', 'full'],
  ['js-yaml alone', 'full'],
  ['validate', 'full'],
  ['expand', 'full'],
  ['compact', 'full'],
  ['format', 'full'],
  ['js-yaml alone', 'compact'],
  ['validate', 'compact'],
  ['format', 'compact'],
  ['nothing', 'compact'],
  ['replay', `${TURNS / 10}`],
  ['replay', `${TURNS}`],
].map(([name, file]) => ({ name, file, ms: [], mb: [] }))

for (let round = 0; round < ROUNDS; round += 1) {
  for (const measurement of measurements) {
    const out = execFileSync(process.execPath, [one, measurement.name, folder, files[measurement.file]], { encoding: 'utf8' })
    const { ms, mb } = JSON.parse(out)
    measurement.ms.push(ms)
    measurement.mb.push(mb)
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const baseline = median(measurements[0].ms)
console.log(`${TURNS} turns in Node, median of ${ROUNDS} rounds`.padEnd(52), 'ms CPU'.padStart(8), 'MB'.padStart(8), 'ratio'.padStart(8))
for (const { name, file, ms, mb } of measurements) {
  const cells = [median(ms).toFixed(0), median(mb).toFixed(0), (median(ms) / baseline).toFixed(2)]
  console.log(
    `  ${(/^\d/.test(file) ? `${name}, ${file} turns` : `${name}, the ${file} file`).padEnd(50)}`,
    ...cells.map((cell) => cell.padStart(8)),
  )
}
