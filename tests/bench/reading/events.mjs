// What a log of a million events costs in Node: reading it, its order, and the proof, against `JSON.parse` of the same lines.
//
// Run by `cargo xtask bench`. Every measurement is a process of its own. The ratios are of the CPU time of the work, which a busy
// machine changes least, and of the most memory that the process held.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../../package/support/tarball.mjs'
import { log } from './log.mjs'

const COUNTS = (process.env.COUNTS ?? '100000,1000000').split(',').map(Number)

const one = join(dirname(fileURLToPath(import.meta.url)), 'one-log.mjs')
const folder = install()
const data = mkdtempSync(join(tmpdir(), 'transcript-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

for (const count of COUNTS) {
  const path = join(data, `${count}.jsonl`)
  const file = openSync(path, 'w')
  const lines = log(count)
  for (let at = 0; at < count; at += 10_000) writeSync(file, lines.slice(at, at + 10_000).join(''))
  closeSync(file)
  console.log(
    `${count} events in Node`.padEnd(36),
    's'.padStart(8),
    's CPU'.padStart(8),
    'ratio'.padStart(7),
    'MB'.padStart(7),
    'ratio'.padStart(7),
  )
  let base
  for (const name of ['JSON.parse of every line', 'read', 'order', 'verify', 'verify with a tool']) {
    const { s, cpu, mb } = JSON.parse(execFileSync(process.execPath, [one, name, folder, path], { encoding: 'utf8' }))
    base ??= { cpu, mb }
    const cells = [s.toFixed(1), cpu.toFixed(1), (cpu / base.cpu).toFixed(2), mb.toFixed(0), (mb / base.mb).toFixed(2)]
    console.log(`  ${name.padEnd(34)}`, ...cells.map((cell, at) => cell.padStart([8, 8, 7, 7, 7][at])))
  }
}
