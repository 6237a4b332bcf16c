// Logs of Inspect AI in their form of an archive, as the command line reads them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { zip } from '../../e2e/zip.js'
import { programIn } from '../support/program.mjs'
import { install } from '../support/tarball.mjs'

const folder = install()
const { run, write, read } = programIn(folder)

const fixture = (name) => readFileSync(new URL(`../../imports/eval/${name}.eval`, import.meta.url))
const head = { version: 2, status: 'success', eval: { task: 'demo', model: 'm' }, plan: {} }
const sampleOf = (id, epoch = 1) => ({ id, epoch, input: 'Hi', messages: [{ role: 'user', content: `I am ${id} of ${epoch}` }] })
const member = (id, epoch = 1, options) => [`samples/${id}_epoch_${epoch}.json`, JSON.stringify(sampleOf(id, epoch)), options]
const log = (...members) => zip([['header.json', JSON.stringify(head)], ...members])

test('a log of Zstandard is read where Node.js can unpack it, and else both ways out are reported', () => {
  write('one.eval', fixture('one'))
  write('epochs.eval', fixture('epochs'))
  const { status, stdout, stderr } = run(['convert', 'one.eval'])
  const several = run(['convert', 'epochs.eval', '--session', '2 epoch 2'])
  if (zlib.zstdDecompressSync === undefined) {
    assert.deepEqual([status, stdout, several.status], [2, '', 2])
    assert.match(
      stderr,
      /is an Inspect AI log in Zstandard, which Node\.js \S+ cannot read\n.*Node\.js 22\.15 or later, or .*inspect log convert/,
    )
    return
  }
  assert.equal(status, 0)
  assert.match(stdout, /name: one first\n/)
  assert.match(stdout, /content: The order is 4471\./)
  assert.match(several.stdout, /name: epochs 2 epoch 2\n[^]*no such key/)
})

test('older logs are packed with deflate, which every Node.js unpacks', () => {
  write('deflate.eval', fixture('deflate'))
  assert.match(run(['detect', 'deflate.eval']).stdout, /^inspect-log: /)
  const { status, stdout } = run(['convert', 'deflate.eval'])
  assert.equal(status, 0)
  assert.match(stdout, /content: The order is 4471\./)
})

test('samples are listed, chosen, and all written to a folder', () => {
  write('logs/s.eval', log(member(2), member(10), member('../ü', 1), member(2, 2)))
  assert.match(
    run(['convert', 'logs/s.eval']).stderr,
    /the log has 4 samples: `\.\.\/ü epoch 1` .*`2 epoch 1` .*`10 epoch 1` .*`2 epoch 2`/,
  )
  assert.match(run(['convert', 'logs', '--session', '2 epoch 2']).stdout, /I am 2 of 2/)
  assert.equal(run(['convert', 'logs/s.eval', '-o', 'out/']).status, 0)
  assert.match(read('out/s-..-ü-epoch-1.yaml'), /I am \.\.\/ü of 1/)
})

test('samples that are too large together are read one by one', () => {
  write(
    'large.eval',
    log(member('a'), member('b'), ['samples/c_epoch_1.json', JSON.stringify({ ...sampleOf('c'), pad: 'x'.repeat(5000) })]),
  )
  const bounded = (...args) => run(['convert', 'large.eval', '--max-bytes', '3000', ...args])
  const chosen = bounded('--session', 'b')
  assert.equal(chosen.status, 0)
  assert.match(chosen.stdout, /I am b of 1/)
  assert.match(chosen.stderr, /its samples have more than 3,?000 bytes, so they are read one by one/)
  assert.match(bounded('--session', 'c').stderr, /the sample cannot be read: it has more than 3000 bytes/)
  assert.match(bounded().stderr, /the log has 3 samples: `a`/)
})

test('a sample that is damaged costs no more than itself, and a log that is cut is reported', () => {
  const bytes = log(member('a'), member('b', 1, { flags: 1 }))
  write('locked.eval', bytes)
  const { stdout, stderr } = run(['convert', 'locked.eval'])
  assert.match(stdout, /I am a of 1/)
  assert.match(stderr, /locked\.eval: samples\/b_epoch_1\.json: it is encrypted/)
  const broken = Buffer.from(log(member('a'), member('b')))
  broken[broken.indexOf('samples/b') + 'samples/b_epoch_1.json'.length + 9] ^= 0xff
  write('broken.eval', broken)
  assert.match(run(['convert', 'broken.eval']).stderr, /broken\.eval: samples\/b_epoch_1\.json: it is damaged/)
  write('cut.eval', fixture('deflate').subarray(0, 900))
  const cut = run(['convert', 'cut.eval'])
  assert.deepEqual([cut.status, cut.stdout], [2, ''])
  assert.match(cut.stderr, /is an Inspect AI log that is damaged or cut/)
})

test('a log whose samples still run has what is known of it', () => {
  const start = ['_journal/start.json', JSON.stringify({ version: 2, eval: head.eval, plan: {} })]
  write('running.eval', zip([start, member('a'), ['_journal/config_updates/1.json', '{"max_samples":3}']]))
  const { stdout } = run(['convert', 'running.eval', '--to', 'json'])
  const { log: kept } = JSON.parse(stdout).metadata.recording
  assert.deepEqual([kept.status, kept.config_updates], ['started', [{ max_samples: 3 }]])
  // Another archive is none, and no text either.
  write(
    'other.zip',
    zip([
      ['header.json', '{}'],
      ['a.json', '{}'],
    ]),
  )
  assert.match(run(['detect', 'other.zip']).stdout, /^unknown: /)
})
