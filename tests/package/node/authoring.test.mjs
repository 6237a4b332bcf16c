// The functions that write, change and compare documents, as a program calls them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { unknownRef, weather } from '../support/samples.mjs'
import { install, load } from '../support/tarball.mjs'

const folder = install()
const { compact, complete, coverage, detect, diff, edit, expand, fix, format, hover, parse, readProject, redact, replay, validate } =
  await load(folder, 'transcript-workbench')

const slugOf = (code) => {
  const page = readFileSync(join(folder, `node_modules/transcript-workbench/docs/diagnostics/${code}.md`), 'utf8')
  return /^# \w+: ([\w-]+)/.exec(page)[1]
}
const keys = (value) => Object.keys(value).sort()
const BINARY = { bytes: Uint8Array.of(0x66, 0xff, 0x00), file: 'x.png' }

test('compact: what is expanded becomes what it was, with nothing lost', () => {
  const answer = compact(expand(weather).text)
  assert.deepEqual(keys(answer), ['diagnostics', 'losses', 'notices', 'ok', 'summary', 'text'])
  assert.deepEqual([answer.ok, answer.losses, answer.summary, answer.notices], [true, [], [], []])
  assert.deepEqual(expand(answer.text).transcript, expand(weather).transcript)
})

test('compact: what would be lost is reported with its place, and accepted only when wanted', () => {
  const text = '# ours\nexecution:\n  - type: llm_call\n    llm_response: {content: Hi}\n'
  const refused = compact({ text, file: 'run.yaml' })
  assert.deepEqual([refused.ok, refused.text], [false, null])
  const [loss] = refused.losses
  assert.deepEqual(keys(loss), ['column', 'endOffset', 'kind', 'line', 'message', 'messageId', 'offset', 'path'])
  assert.equal(loss.line, 3)
  assert.deepEqual(refused.summary, ['the absence of `messages_sent_to_llm` in turn 1'])
  assert.deepEqual(refused.notices, ["the document's comment"])
  const forced = compact(text, { force: true })
  assert.deepEqual([forced.ok, forced.text], [false, 'messages:\n  - "assistant: Hi"\n'])
  assert.equal(compact(BINARY).text, null)
})

test('format: order and style, comments kept; what is not well-formed stays', () => {
  const text = 'messages: ["user: Hi"]\nname:   run # ours\n'
  assert.deepEqual(format(text), {
    ok: true,
    changed: true,
    text: 'name: run  # ours\nmessages: ["user: Hi"]\n',
    diagnostics: [],
  })
  assert.deepEqual(format(format(text).text).changed, false)
  const broken = format({ text: 'name: [', file: 'run.yaml' })
  assert.deepEqual([broken.ok, broken.text, broken.changed], [false, 'name: [', false])
  assert.deepEqual([broken.diagnostics[0].code, broken.diagnostics[0].file], ['T001', 'run.yaml'])
  const binary = format(BINARY)
  assert.deepEqual([binary.ok, binary.text, binary.changed, binary.diagnostics[0].code], [false, null, false, 'T003'])
})

test('fix: what is certain is mended, and the rest is reported', () => {
  const fixed = fix({ text: 'version: 1.0 # ours\nexecution: []\n', file: 'run.yaml' })
  assert.deepEqual([fixed.ok, fixed.text, fixed.remaining], [true, 'version: "1.0" # ours\nexecution: []\n', 0])
  const [applied] = fixed.applied
  assert.deepEqual([keys(applied), applied.code, applied.line], [['code', 'line', 'message', 'title'], 'T102', 1])
  const guessed = fix(unknownRef)
  assert.deepEqual([guessed.ok, guessed.text, guessed.applied], [false, unknownRef, []])
  assert.equal(guessed.remaining, guessed.diagnostics.length)
  assert.equal(guessed.diagnostics.find(({ code }) => code === 'T201').fixes[0].applicability, 'suggested')
  assert.deepEqual(fix(BINARY).text, null)
})

test('edit: the smallest edits, with notes about what was changed besides', () => {
  const text = 'messages:\n  - "user: Hi" # first\n  - "assistant: Hello!"\n'
  const answer = edit(text, { set_text: { message: 'msg_001', text: 'Good day' } })
  assert.deepEqual([answer.ok, answer.problem, answer.notes], [true, null, []])
  assert.equal(answer.text, text.replace('user: Hi', 'user: Good day'))
  const bytes = Buffer.from(text)
  const applied = answer.edits.reduceRight(
    (all, { offset, endOffset, text }) => Buffer.concat([all.subarray(0, offset), Buffer.from(text), all.subarray(endOffset)]),
    bytes,
  )
  assert.equal(applied.toString(), answer.text)

  const removed = edit(expand(weather).text, { remove_turn: { step: 3 } })
  assert.equal(removed.ok, true)
  assert.ok(removed.notes.length > 0)
  for (const note of removed.notes) assert.equal(typeof note, 'string')
  assert.equal(validate(removed.text).ok, true)

  const noted = edit(weather, { set_note: { step: 1, text: 'Why so warm?' } })
  assert.equal(parse(noted.text).steps[1].note, 'Why so warm?')
  assert.equal(edit(noted.text, { set_note: { step: '1', text: '' } }).text, weather)
})

test('edit: a change that cannot be made says why and changes nothing', () => {
  const refused = edit(weather, { set_text: { message: 'msg_099', text: 'x' } })
  assert.deepEqual([refused.ok, refused.text, refused.edits], [false, weather, []])
  assert.deepEqual(keys(refused.problem), ['column', 'endOffset', 'help', 'line', 'message', 'offset', 'reason'])
  assert.equal(refused.problem.reason, 'path')
  assert.equal(edit(weather, { set_txet: {} }).problem.reason, 'change')
  assert.equal(edit('messages: [', { remove: { path: ['messages'] } }).problem.reason, 'unreadable')
  const binary = edit(BINARY, { remove: { path: ['messages'] } })
  assert.deepEqual([binary.text, binary.edits, binary.notes, binary.problem], [null, [], [], null])
})

test('complete and hover: what may stand at a place, and what stands there', () => {
  const text = 'execution:\n  - type: '
  const found = complete(text, text.length)
  assert.deepEqual(
    found.map(({ label }) => label),
    ['llm_call', 'tool_call', 'message'],
  )
  assert.deepEqual(keys(found[0]), [
    'caret',
    'column',
    'detail',
    'documentation',
    'endColumn',
    'endLine',
    'endOffset',
    'kind',
    'label',
    'line',
    'offset',
    'sort',
    'text',
  ])
  assert.deepEqual(complete(BINARY, 0), [])
  const known = hover("messages: ['user: Hi']", 2)
  assert.deepEqual(keys(known), ['column', 'endColumn', 'endLine', 'endOffset', 'line', 'offset', 'text'])
  assert.deepEqual([known.column, known.endColumn], [1, 9])
  assert.equal(hover('', 0), null)
})

test('diff: turns aligned, with places on both sides; ignores are reported', () => {
  const after = weather.replace('temp: 72', 'temp: 75').replace("It's 72°F", "It's 75°F")
  assert.deepEqual([diff(weather, weather).equal, diff(weather, weather).rendered], [true, ''])
  const found = diff({ text: weather, file: 'a.yaml' }, { text: after, file: 'b.yaml' })
  assert.deepEqual(keys(found), ['changes', 'diagnostics', 'equal', 'ignored', 'ok', 'rendered', 'summary', 'unreadable'])
  assert.deepEqual([found.ok, found.equal, found.ignored], [true, false, []])
  const [change] = found.changes
  assert.deepEqual([change.path, change.kind, change.left, change.right], ['execution[1].tool_call.result.temp', 'changed', 72, 75])
  assert.deepEqual(
    [change.leftStep, change.rightStep, change.leftPlace.line],
    ['2', '2', weather.split('\n').findIndex((line) => line.includes('temp')) + 1],
  )
  assert.match(found.rendered, /^--- a\.yaml\n\+\+\+ b\.yaml\n/)
  assert.match(diff(weather, after, { color: true }).rendered, /\u001b\[/)
  // The tool's result is in three places of its turn, and the answer in two.
  const ignore = ['execution.**']
  const ignored = diff(weather, after, { ignore })
  assert.equal(ignored.equal, true)
  assert.deepEqual(ignored.ignored, [{ name: 'execution.**', count: 5 }])
  assert.deepEqual(
    diff(weather, after, { ignore: ['timestamps'] }).ignored.map(({ name }) => name),
    ['timestamps'],
  )
})

test('diff: ids stand for one another unless they are taken literally', () => {
  const left = expand(weather).text
  const right = left.replaceAll('call_001', 'call_x9')
  const loose = diff(left, right)
  assert.deepEqual([loose.equal, loose.summary.renamed], [true, 1])
  assert.equal(diff(left, right, { literalIds: true }).equal, false)
})

test('diff: one that cannot be read is reported, with its file', () => {
  const found = diff({ text: weather, file: 'a.yaml' }, { text: 'messages: [', file: 'b.yaml' })
  assert.deepEqual([found.ok, found.equal, found.summary, found.changes, found.rendered], [false, false, null, [], ''])
  assert.deepEqual(new Set(found.diagnostics.map(({ file }) => file)), new Set(['b.yaml']))
})

test('coverage: what nobody requested, called or sent', async () => {
  const tape = await replay(weather)
  const used = { text: `tools: [weather, search]\n${weather}`, file: 'run.yaml', consumed: tape.calls.map(({ step }) => step) }
  const found = coverage(used)
  assert.deepEqual(keys(found), ['messages', 'ok', 'recordings', 'rules', 'text', 'tools', 'unused'])
  assert.deepEqual([found.ok, found.recordings, found.tools], [true, { covered: 0, total: 2 }, { covered: 1, total: 2 }])
  const tool = found.unused.find(({ kind }) => kind === 'tool-not-called')
  assert.deepEqual([tool.name, tool.file, tool.document, tool.place.line], ['search', 'run.yaml', 0, 1])
  assert.equal(coverage([weather, weather]).recordings, null)
  assert.equal(coverage('messages: [').ok, false)
})

test('redact: one secret, one placeholder, and no secret in the report', () => {
  const key = 'sk-proj-q7Zr2mKd91xTbV4nLw8Hs3Jc'
  const text = `# by ann.lee@acme.io\nmessages:\n  - "user: ${key} and hush"\n  - "assistant: ${key}"\n`
  const found = redact(text, { literals: ['hush'] })
  assert.deepEqual(keys(found), ['count', 'diagnostics', 'formChanged', 'items', 'ok', 'staleBlobs', 'text'])
  assert.doesNotMatch(JSON.stringify(found), /q7Zr2mKd91|ann\.lee|hush/)
  assert.equal(found.count, 4)
  assert.deepEqual(found.items.map(({ kind }) => kind).includes('literal'), true)
  assert.deepEqual(found.items.map(({ count }) => count).sort(), [1, 1, 2])
  assert.equal(redact(text, { kinds: ['email'] }).count, 1)
  assert.throws(() => redact(text, { kinds: ['emial'] }), { name: 'TypeError', message: /unknown kind `emial`; did you mean `email`\?/ })
  assert.equal(redact(BINARY).text, null)
})

test('detect: the kind by the content, and why', () => {
  const kinds = [
    [expand(weather).text, 'full', 'certain'],
    ['execution: []', 'partial', 'certain'],
    [weather, 'compact', 'certain'],
    ["messages:\n  - 'user: Hi'\n  - [", 'compact', 'likely'],
    ['handlers: []', 'handlers', 'certain'],
    ['[{"role": "user", "content": "Hi"}]', 'chat-log', 'certain'],
    ['{"compilerOptions": {}}', 'unknown', 'none'],
    [BINARY, 'unknown', 'none'],
  ]
  for (const [source, kind, confidence] of kinds) {
    const found = detect(source)
    const isLookedAt = kind === 'unknown' && source !== BINARY
    assert.deepEqual(keys(found), ['confidence', 'kind', 'reason', ...(isLookedAt ? ['unrecognized'] : [])])
    assert.deepEqual([found.kind, found.confidence], [kind, confidence])
    assert.ok(found.reason.length > 10)
  }
  assert.equal(detect(weather, { maxBytes: 5 }).kind, 'unknown')
})

test('rules: off, raised, by code or by name, everywhere', () => {
  const text = 'messages:\n  - "user: Hi"\n  - "assistant:call f(x=1)"\n'
  const codes = (options) => validate(text, options).diagnostics.map(({ code, severity }) => `${code} ${severity}`)
  assert.deepEqual(codes(), ['T204 warning'])
  assert.deepEqual(codes({ rules: { T204: 'off' } }), [])
  const { rules } = readProject('{"rules": {"T204": "error"}}')
  assert.deepEqual(rules, { T204: 'error' })
  assert.deepEqual(codes({ rules }), ['T204 error'])
  assert.deepEqual(codes({ rules: { [slugOf('T204')]: 'info' } }), ['T204 info'])
  assert.equal(parse(text, { rules }).ok, false)
  assert.equal(expand(text, { rules }).ok, false)
  assert.throws(() => validate(text, { rules: { T204: 'loud' } }), { name: 'TypeError', message: /T204.*expected `error`/ })
  assert.throws(() => validate(text, { rules: { T999: 'off' } }), { name: 'TypeError', message: /no rule `T999`/ })
  assert.throws(() => validate(text, { rules: [] }), { name: 'TypeError', message: /`rules` of validate\(\)/ })
})

test('a comment in the document turns a rule off', () => {
  const text = 'messages:\n  - "user: Hi"\n  - "assistant:call f(x=1)" # transcript: off=T204\n'
  assert.deepEqual(validate(text).diagnostics, [])
})

test('readProject: mistakes are reported with their places, and left out', () => {
  const found = readProject('{"rules": {"unknown-key": "error", "T2041": "off", "T204": "loud"}}', { file: 'c.json' })
  assert.deepEqual(keys(found), ['diagnostics', 'ok', 'rendered', 'rules'])
  assert.deepEqual(found.rules, { T103: 'error' })
  assert.equal(found.diagnostics.length, 2)
  for (const { file, line, column } of found.diagnostics) assert.deepEqual([file, line, column > 1], ['c.json', 1, true])
  assert.match(found.rendered, /--> c\.json:1:\d+/)
  assert.throws(() => readProject(), { name: 'TypeError', message: /takes a string, but got nothing/ })
})

const outer = `execution:
  - type: tool_call
    tool_call: {tool_name: ask, result: {response: Fine, nested_transcript_ref: runs/inner.yaml}}
`

test('files that a document names are reported, and read when they are provided', () => {
  const alone = parse(outer)
  const [named] = alone.references
  assert.deepEqual([alone.references.length, named.path, named.provided, named.line], [1, 'runs/inner.yaml', false, 3])
  const files = { 'runs/inner.yaml': "messages: ['user: Hi', 'assistant: Hello!']" }
  const whole = parse(outer, { files })
  assert.equal(whole.references[0].provided, true)
  assert.ok(whole.steps.some(({ path }) => path === '1.1'))
  assert.equal(
    alone.steps.some(({ path }) => path === '1.1'),
    false,
  )
  assert.match(expand(outer, { files, nested: 'inline' }).text, /nested_transcript:/)
  const { transcript } = expand(outer, { files, nested: 'reference' })
  assert.deepEqual(Object.keys(transcript.nested), ['nested_001'])
  assert.throws(() => parse(outer, { files: { a: 1 } }), { name: 'TypeError', message: /`files` of parse\(\)/ })
})

test('expand: what repeats is written once when wanted', () => {
  const large = 'x'.repeat(400)
  const text = `messages:\n  - "user: Hi"\n  - "assistant:call f(a='${large}')"\n  - "tool:f: ${large}"\n  - "assistant: ok"\n`
  const plain = expand(text)
  const deduped = expand(text, { dedupe: true })
  assert.equal('blobs' in plain.transcript, false)
  assert.equal(Object.keys(deduped.transcript.blobs).length > 0, true)
  assert.ok(deduped.text.length < plain.text.length)
  assert.deepEqual(expand(deduped.text).transcript, plain.transcript)
  assert.equal(parse(text).expand('yaml', { dedupe: 10_000 }), plain.text)
  assert.throws(() => expand(text, { dedupe: 'yes' }), { name: 'TypeError', message: /`dedupe` of expand\(\)/ })
  assert.throws(() => expand(text, { nested: 'outside' }), { name: 'TypeError', message: /`nested` of expand\(\)/ })
})

test('wrong arguments are TypeErrors in the name of their call', () => {
  const cases = [
    [() => compact(), /compact\(\) takes a string.* got nothing/],
    [() => compact('', { forced: true }), /compact\(\) has no option `forced`; did you mean `force`\?/],
    [() => compact('', { force: 1 }), /`force` of compact\(\) is a boolean, but got a number/],
    [() => format(5), /format\(\) takes a string.* got a number/],
    [() => complete('x'), /complete\(\) takes an offset in bytes.* got nothing/],
    [() => complete('x', -1), /complete\(\) takes an offset in bytes, an integer from 0, but got `-1`/],
    [() => hover('x', 1.5), /hover\(\) takes an offset in bytes, an integer from 0, but got `1\.5`/],
    [() => edit('x', 'y'), /`change` of edit\(\) is an object/],
    [() => diff('x'), /diff\(\) takes a string.* got nothing/],
    [() => diff('x', 'y', { ignore: 'ids' }), /`ignore` of diff\(\) is a list of strings/],
    [() => coverage(), /coverage\(\) takes a string/],
    [() => redact('x', { literals: [1] }), /`literals` of redact\(\) is a list of strings/],
    [() => detect('x', { kind: 'full' }), /detect\(\) has no option `kind`/],
    [() => fix('x', { maxDepth: -1 }), /`maxDepth` of fix\(\)/],
  ]
  for (const [call, words] of cases) assert.throws(call, { name: 'TypeError', message: words }, String(call))
})
