// Events of a server, however their lines end and wherever the network cuts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importSource } from './source.mjs'

const { eventReader, eventText } = await importSource('wire/sse')
const bytesOf = (text) => new TextEncoder().encode(text)

/** The events of a body that comes in these pieces. */
const eventsOf = (...pieces) => {
  const reader = eventReader()
  const found = pieces.flatMap((piece) => reader.push(piece))
  return [...found, ...reader.end()]
}

const read = (text) => eventsOf(bytesOf(text))
const dataOf = (text) => read(text).map(({ data }) => data)

test('an empty line ends an event, whatever the lines end with', () => {
  const ends = ['\n', '\r', '\r\n']
  for (const end of ends) {
    for (const empty of ends) {
      // A \r and a \n are one end together.
      if (end === '\r' && empty === '\n') continue
      const text = `data: {"a":1}${end}${empty}data: {"a":2}${end}${empty}`
      assert.deepEqual(dataOf(text), [{ a: 1 }, { a: 2 }], JSON.stringify(text))
    }
  }
})

test('the fields of an event', () => {
  assert.deepEqual(read('event: one\ndata: 1\n\ndata: 2\n\n'), [
    { event: 'one', data: 1 },
    { event: undefined, data: 2 },
  ])
  assert.deepEqual(read('event:  two \ndata:2\n\n'), [{ event: ' two ', data: 2 }])
  assert.deepEqual(dataOf('data: {"a":\ndata: 1}\n\n'), [{ a: 1 }])
  assert.deepEqual(dataOf(': a comment\n\n:data: 1\ndata: 2\n: data: 3\n\n'), [2])
  assert.deepEqual(dataOf('id: 7\nretry: 10\ndatas: 1\n data: 1\n\nevent: none\n\ndata: 2\n\n'), [2])
  assert.deepEqual(dataOf('data: [DONE]\n\ndata\n\n'), [null, null])
})

test('the name of an event without data is not that of the next', () => {
  assert.deepEqual(read('event: none\n\ndata: 2\n\n'), [{ event: undefined, data: 2 }])
})

test('a byte order mark at the start is dropped', () => {
  assert.deepEqual(dataOf('\uFEFFdata: 1\n\ndata: "\uFEFF"\n\n'), [1, '\uFEFF'])
})

test('what no empty line ends is an event at the end', () => {
  assert.deepEqual(dataOf('data: 1\n\ndata: 2'), [1, 2])
  assert.deepEqual(dataOf('data: 1\n\ndata: 2\r'), [1, 2])
  assert.deepEqual(dataOf('data: 1\n\nevent: last\n'), [1])
  assert.deepEqual(dataOf(''), [])
})

test('an event is there as soon as its last byte is', () => {
  for (const end of ['\n\n', '\r\r', '\r\n\r', '\n\r']) assert.deepEqual(eventReader().push(bytesOf(`data: 1${end}`)).length, 1)
})

test('a body may be cut anywhere', () => {
  const sample = bytesOf(
    '\uFEFF: hello\r\n\r\nevent: a\rdata: {"a":"é😀"}\n\r\ndata: [1,\r\ndata: 2]\r\n\r\n\r\rdata:3\r\rdata: {"b":"\\n"}\n\nevent: end\r\ndata: "ü"',
  )
  const expected = [
    { event: 'a', data: { a: 'é😀' } },
    { event: undefined, data: [1, 2] },
    { event: undefined, data: 3 },
    { event: undefined, data: { b: '\n' } },
    { event: 'end', data: 'ü' },
  ]
  assert.deepEqual(eventsOf(sample), expected)
  for (let first = 0; first <= sample.length; first += 1) {
    for (let second = first; second <= sample.length; second += 1) {
      const pieces = [sample.subarray(0, first), sample.subarray(first, second), sample.subarray(second)]
      assert.deepEqual(eventsOf(...pieces), expected, `cut at ${first} and ${second}`)
    }
  }
  assert.deepEqual(eventsOf(...Array.from(sample, (byte) => Uint8Array.of(byte))), expected)
})

test('what is written is read', () => {
  const all = [
    { event: 'one', data: { text: 'a\r\nb' } },
    { event: undefined, data: [1] },
  ]
  assert.deepEqual(read(all.map(eventText).join('')), all)
})

/** How many characters are searched, cut out and joined while `work` goes on. */
const counted = (work) => {
  let count = 0
  const patched = []
  const patch = (prototype, name, cost) => {
    const original = prototype[name]
    patched.push(() => {
      prototype[name] = original
    })
    prototype[name] = function (...all) {
      const before = this.lastIndex ?? 0
      const result = original.apply(this, all)
      count += cost(result, this, all, before)
      return result
    }
  }
  patch(
    RegExp.prototype,
    'exec',
    (result, pattern, [text], before) => (result === null ? text.length : result.index + result[0].length) - (pattern.global ? before : 0),
  )
  patch(String.prototype, 'slice', (result) => result.length)
  patch(String.prototype, 'indexOf', (result, text, [, from = 0]) => (result === -1 ? text.length : result + 1) - from)
  patch(String.prototype, 'split', (_, text) => text.length)
  patch(Array.prototype, 'join', (result) => result.length)
  try {
    work()
  } finally {
    for (const restore of patched) restore()
  }
  return count
}

test('an event of 8 MiB in pieces of 4 KiB is read once', () => {
  const size = 8 << 20
  const whole = bytesOf(`data: "${'x'.repeat(size)}"\n\n`)
  let found = []
  const count = counted(() => {
    const reader = eventReader()
    for (let at = 0; at < whole.length; at += 4096) found = [...found, ...reader.push(whole.subarray(at, at + 4096))]
  })
  assert.equal(found.length, 1)
  assert.equal(found[0].data.length, size)
  assert.ok(count > size && count < 6 * size, `${count} characters`)
})

test('a million empty lines and a \\r far behind them are read once', () => {
  const text = `${'\n'.repeat(1e6)}data: 1\r\r`
  const whole = bytesOf(text)
  let found = []
  const count = counted(() => {
    found = eventReader().push(whole)
  })
  assert.equal(found.length, 1)
  assert.ok(count < 4 * text.length, `${count} characters`)
})
