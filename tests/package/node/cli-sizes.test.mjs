// Sizes on the command line, with their units.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { run, write } = programIn(folder)
write('run.yaml', weather)
const limited = (size, ...args) => run([...(args.length > 0 ? args : ['validate', 'run.yaml']), '--max-bytes', size])

test('a size has a unit of thousands or of 1024, with a space or without', () => {
  for (const size of [
    '1000',
    '1000B',
    '1000 b',
    '1kB',
    '1 KB',
    '1kb',
    '1KiB',
    '200MiB',
    '32 MiB',
    '0.5MB',
    '1.5 GB',
    '3GiB',
    '4294967295',
  ]) {
    const { status, stderr } = limited(size)
    assert.deepEqual([status, stderr], [0, ''], size)
  }
  assert.equal(run(['validate', 'run.yaml', '--max-bytes=200MiB']).status, 0)
  // The bytes of a size are reported where it is too small.
  write('large.yaml', `${weather}# ${'x'.repeat(3000)}\n`)
  for (const [size, bytes] of [
    ['1kB', 1000],
    ['1KiB', 1024],
    ['1.5 kb', 1500],
    ['0.002MB', 2000],
    ['10', 10],
    ['10.9', 10],
  ]) {
    const { status, stdout } = limited(size, 'validate', 'large.yaml')
    assert.equal(status, 1, size)
    assert.match(stdout, new RegExp(`T004.*; the limit is ${bytes}\n`), size)
  }
})

test('what is no size is reported with what one is', () => {
  const help = 'a size is a number of bytes, or a number with B, kB, KiB, MB, MiB, GB or GiB, such as 200MiB'
  for (const size of ['many', '', '200M', '-5', '1e6', '5 TiB', '1,5MB', '0x10', 'MiB', '1.MB', '1 2']) {
    const { status, stdout, stderr } = limited(size)
    assert.deepEqual([status, stdout, stderr], [2, '', `error: \`--max-bytes\` takes a size, but got \`${size}\`\n  = help: ${help}\n`])
  }
  for (const size of ['4GiB', '4294967296', '99999999999999999999']) {
    assert.equal(limited(size).stderr, `error: \`--max-bytes\` takes less than 4 GiB, but got \`${size}\`\n`)
  }
  assert.match(run(['expand', 'run.yaml', '--nested', '1 XB']).stderr, /`--nested` takes a size, but got `1 XB`/)
  assert.match(run(['expand', 'run.yaml', '--nested', 'outline']).stderr, /it takes inline, reference, or a size: a number of bytes, or /)
})

test('every option that is a size takes units', () => {
  const expanded = (...args) => run(['expand', 'run.yaml', ...args])
  for (const option of ['--dedupe-above', '--nested', '--max-alias-bytes']) {
    const { status, stdout, stderr } = expanded(option, '1 KiB')
    assert.deepEqual([status, stderr], [0, ''], option)
    assert.equal(stdout, expanded(option, '1024').stdout)
  }
})

test('every command that reads files holds to the limit, and names the option that raises it', () => {
  const event = '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}\n'
  write('log.json', event.repeat(100))
  write('events.jsonl', '{"event_id": "x"}\n'.repeat(100))
  write('run.journal', '{"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}\n')
  write('run.json', JSON.stringify({ messages: [] }))
  write('recording.json', '{"_version": 2}')
  const cases = [
    ['validate', 'run.yaml'],
    ['fix', 'run.yaml'],
    ['fmt', 'run.yaml'],
    ['repair', 'log.json'],
    ['expand', 'run.yaml'],
    ['compact', 'run.yaml'],
    ['test', 'run.yaml'],
    ['replay', 'run.yaml'],
    ['check', 'run.yaml'],
    ['simulate', 'run.yaml'],
    ['recover', 'run.journal'],
    ['state', 'run.yaml', '--step', '1'],
    ['fork', 'run.yaml', '1'],
    ['diff', 'run.yaml', 'run.yaml'],
    ['coverage', 'run.yaml'],
    ['redact', 'run.yaml'],
    ['order', 'events.jsonl'],
    ['verify-determinism', 'events.jsonl'],
    ['verify-determinism', 'run.yaml'],
    ['nest-events', 'recording.json', 'events.jsonl'],
    ['convert', 'run.yaml'],
    ['convert', 'log.json'],
    ['show', 'run.yaml'],
    ['show', 'log.json', '--from', 'qbit'],
    ['serve', 'run.yaml'],
  ]
  for (const args of cases) {
    const { status, stdout, stderr } = limited('20B', ...args)
    assert.ok(status > 0, args.join(' '))
    assert.match(stdout + stderr, /--max-bytes/, args.join(' '))
  }
})
