// validate, expand and parse, as a program calls them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { detect, diff, expand, format, parse, replay, validate } = await load(folder, 'transcript-workbench')

test('a good transcript has no diagnostics', () => {
  assert.deepEqual(validate(weather), { ok: true, diagnostics: [] })
})

test('a bad one is an answer that says where and what', () => {
  const { ok, diagnostics } = validate({ text: unknownRef, file: 'run.yaml' })
  assert.equal(ok, false)
  const [found] = diagnostics.filter(({ code }) => code === 'T201')
  const line = unknownRef.split('\n').findIndex((text) => text.includes('msg_009')) + 1
  const offset = unknownRef.indexOf('msg_009')
  assert.deepEqual(
    [found.file, found.severity, found.line, found.column, found.endLine, found.endColumn],
    ['run.yaml', 'error', line, 14, line, 21],
  )
  assert.deepEqual([found.offset, found.endOffset], [offset, offset + 'msg_009'.length])
  assert.match(found.message, /`msg_009`/)
  assert.match(found.help, /msg_00[12]/)
  assert.deepEqual(Object.keys(found), [
    'file',
    'code',
    'severity',
    'message',
    'line',
    'column',
    'endLine',
    'endColumn',
    'offset',
    'endOffset',
    'help',
    'related',
    'fixes',
  ])
})

test('columns count characters, offsets count bytes', () => {
  const text = 'messages:\n  - "user: 🌦️ é"\n  - {role: \'x\', wrong: 🌦️}\n'
  const [found] = validate(text).diagnostics
  const lines = text.split('\n')
  const before = Buffer.byteLength(lines.slice(0, found.line - 1).join('\n')) + 1
  const inLine = [...lines[found.line - 1]].slice(0, found.column - 1).join('')
  assert.equal(found.offset, before + Buffer.byteLength(inLine))
})

test('the seed shorthand expands to three turns and five messages', () => {
  const { ok, text, transcript, diagnostics } = expand(weather)
  assert.deepEqual([ok, diagnostics], [true, []])
  assert.deepEqual(
    transcript.execution.map(({ type }) => type),
    ['llm_call', 'tool_call', 'llm_call'],
  )
  assert.equal(transcript.final_state.message_store.length, 5)
  const [modelTurn, ran] = transcript.execution
  assert.deepEqual(ran.tool_call.parameters, { location: 'NYC' })
  assert.equal(modelTurn.message_created.tool_calls[0].id, ran.tool_call.id)
  assert.equal(ran.message_created.tool_call_id, ran.tool_call.id)
  assert.match(text, /^version: "1\.0"\n/)
})

test('the formats of expand say the same', () => {
  const yaml = expand(weather, { format: 'yaml' })
  const json = expand(weather, { format: 'json' })
  const data = expand(weather, { format: 'object' })
  assert.deepEqual(JSON.parse(json.text), json.transcript)
  assert.deepEqual(yaml.transcript, json.transcript)
  assert.deepEqual(data.transcript, json.transcript)
  assert.equal(data.text, null)
  assert.deepEqual(expand(yaml.text).transcript, json.transcript)
})

test('what cannot be read has no expansion', () => {
  const { ok, text, transcript, diagnostics } = expand('messages: [')
  assert.deepEqual([ok, text, transcript], [false, null, null])
  assert.equal(diagnostics[0].code, 'T001')
})

test('bytes are read as a file is', () => {
  const bytes = new TextEncoder().encode(weather)
  assert.equal(validate(bytes).ok, true)
  assert.equal(validate({ bytes, file: 'run.yaml' }).ok, true)
  const binary = validate({ bytes: Uint8Array.of(0x66, 0xff, 0x00), file: 'x.png' })
  assert.deepEqual([binary.ok, binary.diagnostics[0].code, binary.diagnostics[0].file], [false, 'T003', 'x.png'])
})

test('limits are named when they are hit', () => {
  const hits = (code, source, limits) => {
    const codes = validate(source, limits).diagnostics.map((found) => found.code)
    assert.ok(codes.includes(code), `${code} is not among ${codes}`)
  }
  hits('T004', weather, { maxBytes: 10 })
  hits('T005', 'messages: [[[[]]]]', { maxDepth: 3 })
  hits('T006', 'a: &a [1, 2, 3]\nmessages: [*a, *a]', { maxAliasNodes: 5 })
  hits('T005', '['.repeat(10_000))
  hits('T007', '')
})

test('a document of 50 MB is refused by its size, as text and as bytes, in bytes', () => {
  const text = `messages:\n  - "user: ${'é'.repeat(25 << 20)}"\n`
  const bytes = new TextEncoder().encode(text)
  for (const source of [text, bytes]) {
    const { diagnostics } = validate(source)
    assert.equal(diagnostics.length, 1)
    assert.ok(diagnostics[0].message.includes(String(bytes.length)), diagnostics[0].message)
  }
})

test('wrong arguments are TypeErrors that say what is wrong', () => {
  const cases = [
    [() => validate(), /validate\(\) takes a string.* got nothing/],
    [() => validate(5), /got a number/],
    [() => validate([]), /got a list/],
    [() => validate(Promise.resolve('')), /promise.*await/],
    [() => validate({ text: 1 }), /got an object/],
    [() => validate({ text: '', file: 1 }), /`file` of the source of validate\(\) is a string/],
    [() => validate('', 'json'), /takes an object of options/],
    [() => validate('', { maxByte: 1 }), /no option `maxByte`; did you mean `maxBytes`\?/],
    [() => validate('', { maxBytes: -1 }), /`maxBytes`.*integer/],
    [() => validate('', { maxBytes: 1.5 }), /`maxBytes`.*integer/],
    [() => expand('', { format: 'xml' }), /`format` of expand\(\) is one of yaml, json, object, but got `xml`/],
  ]
  for (const [call, words] of cases) {
    assert.throws(call, { name: 'TypeError', code: 'ERR_TRANSCRIPT_MISUSE', message: words })
  }
})

test('bytes in gzip are taken by every call', async () => {
  const bytes = gzipSync(weather)
  assert.equal(validate(bytes).ok, true)
  assert.equal(expand({ bytes, file: 'a.yaml.gz' }).text, expand(weather).text)
  assert.equal(parse(bytes).overview.name, 'weather_query')
  assert.equal(detect(bytes).kind, 'compact')
  assert.equal(format(bytes).ok, true)
  assert.equal(diff(bytes, weather).equal, true)
  assert.equal((await replay(bytes)).remainingSteps, 2)
  const [cut] = validate(bytes.subarray(0, 40)).diagnostics
  assert.deepEqual([cut.code, /gzip/.test(cut.message)], ['T003', true])
  const [large] = validate(gzipSync(Buffer.alloc(40 << 20, 0x20))).diagnostics
  assert.equal(large.code, 'T004')
  assert.equal(validate(bytes, { maxBytes: 20 }).diagnostics[0].code, 'T004')
})

test('where nothing decompresses at once, bytes in gzip are reported as such, and replay waits for them', () => {
  // The entry for pages, in a program of its own: in this one, that for Node has been loaded.
  const code = `import { gzipSync } from 'node:zlib'
    import { format, replay, validate } from './node_modules/transcript-workbench/dist/index.inline.js'
    const bytes = new Uint8Array(gzipSync(${JSON.stringify(weather)}))
    const failure = (promise) => promise.then(() => null, ({ diagnostics }) => diagnostics[0].code)
    console.log(JSON.stringify({
      report: validate(bytes).diagnostics[0],
      formatted: format(bytes).diagnostics[0].message,
      steps: (await replay(bytes)).remainingSteps,
      large: await failure(replay(bytes, { maxBytes: 20 })),
      cut: await failure(replay(bytes.subarray(0, 40))),
    }))`
  writeFileSync(join(folder, 'inline.mjs'), code)
  const answer = JSON.parse(execFileSync(process.execPath, ['inline.mjs'], { cwd: folder, encoding: 'utf8' }))
  const message = 'the file is compressed with gzip, or a part of such a file'
  assert.deepEqual([answer.report.code, answer.report.message, answer.formatted], ['T003', message, message])
  assert.match(answer.report.help, /decompress it first.*DecompressionStream/)
  assert.deepEqual([answer.steps, answer.large, answer.cut], [2, 'T004', 'T003'])
})

test('an open document lists its steps', () => {
  const document = parse({ text: weather, file: 'weather.yaml' })
  assert.deepEqual([document.ok, document.readable], [true, true])
  assert.deepEqual(
    [document.overview.name, document.overview.form, document.overview.steps, document.overview.messages],
    ['weather_query', 'compact', 3, 5],
  )
  assert.deepEqual(
    document.steps.map(({ path, kind }) => [path, kind]),
    [
      ['0', 'initial'],
      ['1', 'llm_call'],
      ['2', 'tool_call'],
      ['3', 'llm_call'],
    ],
  )
  assert.deepEqual(document.step('2').tool.result, { temp: 72, condition: 'sunny' })
  assert.equal(document.step(3).llm.sent.length, 4)
  const state = document.state(2)
  assert.deepEqual(state.visible, ['msg_001', 'msg_002', 'msg_003', 'msg_004'])
  assert.equal(state.store[3].tool_call_id, 'call_001')
  assert.deepEqual([state.context, state.sent], [{}, null])
  assert.equal(document.expand('json'), expand(weather, { format: 'json' }).text)
  assert.equal(document.render(), '')
  assert.throws(() => document.step('9'), { name: 'RangeError', code: 'ERR_TRANSCRIPT_MISUSE', message: /no step `9`.* 3$/ })
  assert.throws(() => document.state(9), { name: 'RangeError', code: 'ERR_TRANSCRIPT_MISUSE' })
  assert.throws(() => document.state('2.1'), RangeError)
  assert.throws(() => document.state(-1), {
    name: 'TypeError',
    message: /takes the path of a step such as 2 or '2\.1', 0 for the initial state, but got `-1`/,
  })
  document.free()
  document.free()
  assert.throws(() => document.steps, /has been freed/)
})

test('diagnostics are rendered with their source line, in color when wanted', () => {
  const document = parse({ text: unknownRef, file: 'run.yaml' })
  const plain = document.render()
  assert.match(plain, /error\[T201\]: .*`msg_009`/)
  assert.match(plain, / --> run\.yaml:\d+:14\n/)
  assert.match(plain, /\^{7}/)
  assert.doesNotMatch(plain, /\u001b/)
  const colored = document.render({ color: true })
  assert.equal(colored.replace(/\u001b\[[\d;]*m/g, ''), plain)
  assert.notEqual(colored, plain)
})

test('many documents need no more memory than one', () => {
  // The memory of wasm counts as external; kept open, these documents take 250 MB.
  const before = process.memoryUsage().external
  const text = `messages:\n${'  - "user: Hi"\n  - "assistant: Hello!"\n'.repeat(2_000)}`
  for (let round = 0; round < 60; round += 1) assert.equal(validate(text).ok, true)
  const grown = process.memoryUsage().external - before
  assert.ok(grown < 64 << 20, `${grown} bytes`)
})
