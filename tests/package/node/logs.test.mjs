// Logs of other programs: read by the package and on the command line, and written.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const { detect, drift, importLog, parse, promptHash, replay, validate } = await load(folder, 'transcript-workbench')
const { read, run, write } = programIn(folder)
const fixtures = join(repository, 'tests/imports/fixtures')
const fixture = (path) => readFileSync(join(fixtures, path))
cpSync(join(fixtures, 'qbit/transcripts'), join(folder, 'qbit'), { recursive: true })
cpSync(join(fixtures, 'agentloom'), join(folder, 'agentloom'), { recursive: true })

const session = (name) => ({ bytes: fixture(`qbit/transcripts/${name}/transcript.json`), file: `${name}/transcript.json` })

test('a log becomes a transcript that opens and replays', async () => {
  const { ok, kind, text, transcript, files, sessions, problem, summary } = importLog(session('sess-jsonl-head'), { summary: true })
  assert.deepEqual([ok, kind, sessions, problem], [true, 'qbit-log', ['sess-jsonl-head'], null])
  assert.deepEqual([files[0].entries, files[0].used.length, files[0].kept, files[0].diagnostics], [15, 15, [], []])
  assert.equal(summary, fixture('qbit/format_for_summarizer.sess-jsonl-head.txt').toString())
  assert.deepEqual(
    validate(text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  assert.equal(transcript.execution.length, 13)
  const tape = await replay({ text }, { unrecorded: 'allow' })
  while (tape.replayNext() !== null);
  tape.assertComplete()
})

test('bytes that are cut in the middle of a character are read up to there', () => {
  const { bytes, file } = session('sess-jsonl-head')
  const at = bytes.indexOf('✓') + 1
  const { ok, files, transcript } = importLog({ bytes: bytes.subarray(0, at), file })
  assert.deepEqual([ok, files[0].entries, files[0].truncatedLine], [true, 10, 11])
  assert.equal(transcript.metadata.recording.lost[0].line, 11)
})

test('files are distinguished by what they hold and where they lie', () => {
  const agent = 'sess-jsonl-head/subagents/coder-toolu_01Cd4/transcript.json'
  const files = [{ bytes: fixture(`qbit/transcripts/${agent}`), file: agent }, session('sess-jsonl-head')]
  const { transcript } = importLog(files)
  assert.equal(transcript.execution[3].tool_call.result.nested_transcript.metadata.name, 'coder')
  const both = importLog([session('sess-jsonl-head'), session('sess-truncated')])
  assert.equal(both.problem.message, 'the files are of 2 sessions: `sess-jsonl-head`, `sess-truncated`')
  assert.equal(importLog([session('sess-jsonl-head'), session('sess-truncated')], { session: 'sess-truncated' }).files[0].truncatedLine, 15)
  assert.equal(importLog(weather).problem.message, 'this is already a transcript or a handlers file')
  assert.throws(() => importLog('', { from: 'qbitt' }), /unknown log format `qbitt`; did you mean `qbit`\?/)
  assert.throws(() => importLog([]), TypeError)
})

test('a recording is a table of responses, and with its calls a run', () => {
  const at = 'agentloom/next_v2_request_hash/router_support'
  const files = ['', '.mock_calls', '.result'].map((kind) => ({ bytes: fixture(`${at}${kind}.json`), file: `router${kind}.json` }))
  const { ok, kind, responses, handlers, transcript } = importLog(files)
  assert.deepEqual(
    [ok, kind, responses.map(({ key, model }) => [key, model])],
    [
      true,
      'agentloom-recording',
      [
        ['classify', 'gpt-4o-mini'],
        ['handle_billing', 'gpt-4o-mini'],
      ],
    ],
  )
  assert.equal(parse(handlers).ok, true)
  assert.deepEqual(Object.keys(transcript.agents), ['classify', 'handle_billing'])
})

test('drift and hashes', () => {
  const at = 'agentloom/next_v2_request_hash/record_and_replay'
  const calls = JSON.parse(fixture(`${at}.mock_calls.json`))
  const changed = [calls[0], { ...calls[1], temperature: 0.5 }]
  const { requests } = drift({ bytes: fixture(`${at}.json`) }, changed)
  assert.deepEqual(
    requests.map(({ step, status, field, before, after }) => [step, status, field, before, after]),
    [
      ['explain', 'same', null, null, null],
      ['critique', 'changed', 'temperature', null, 0.5],
    ],
  )
  // JavaScript has no fractions such as 1.0; JSON text has.
  const plain = ['simple', 'full', 'unicode', 'control_chars', 'key_order_code_points']
  const vectors = JSON.parse(fixture('agentloom/prompt_hash_vectors.json')).filter(({ name }) => plain.includes(name))
  assert.equal(vectors.length, plain.length)
  for (const { payload, prompt_hash_v2: v2, prompt_hash_v1_messages_only: v1 } of vectors) {
    assert.deepEqual([promptHash(payload), promptHash(payload.messages)], [v2, v1])
  }
  assert.equal(
    promptHash('{"messages": [], "model": "m", "temperature": 1.0}') === promptHash({ messages: [], model: 'm', temperature: 1 }),
    false,
  )
  assert.throws(() => promptHash(5), TypeError)
})

test('a log that is opened as a transcript is reported for what it is', () => {
  for (const [source, message, kind] of [
    [session('sess-jsonl-head'), 'this is a qbit session log', 'qbit-log'],
    [{ bytes: fixture('agentloom/v0.4.0/record_and_replay.json') }, 'this is an AgentLoom recording', 'agentloom-recording'],
    [
      { bytes: fixture('agentloom/v0.4.0/record_and_replay.result.json') },
      'this is the result of an AgentLoom workflow',
      'agentloom-result',
    ],
  ]) {
    const { diagnostics } = validate(source)
    assert.deepEqual(
      diagnostics.map(({ code, message }) => [code, message]),
      [['T101', message]],
    )
    assert.match(diagnostics[0].help, /transcript convert/)
    assert.deepEqual([detect(source).kind, detect(source).confidence], [kind, 'certain'])
  }
})

test('with --lenient, convert ends with 0 when a result is written, and says what is lost all the same', () => {
  const event = (type, more) => `${JSON.stringify({ _timestamp: '2026-01-14T03:00:00Z', type, ...more })}\n`
  write('lost.json', `${event('user_message', { content: 'Hi' })}oops\n${event('completed', { response: 'Hello!' })}`)
  for (const to of ['yaml', 'json', 'compact', 'openai', 'markdown', 'test-js', 'events']) {
    const strict = run(['convert', 'lost.json', '--to', to])
    const lenient = run(['convert', 'lost.json', '--to', to, '--lenient'])
    assert.equal(strict.status, 1, to)
    assert.match(
      strict.stderr,
      /^error\[T901\]: this is not a complete JSON value; it is skipped\n --> lost\.json:2:1\n[^]*lost\.json: 2 entries read, 1 piece lost\n/,
    )
    assert.deepEqual(lenient, { ...strict, status: 0 }, to)
  }
  assert.equal(run(['convert', 'lost.json', '-o', 'lost/']).status, 1)
  assert.equal(run(['convert', 'lost.json', '-o', 'lost/', '--lenient']).status, 0)
  // Nothing written is no success.
  write('nothing.json', '{"_timestamp": 5')
  for (const args of [['nothing.json'], ['lost.json', '--session', 'none'], ['qbit']]) {
    const { status, stdout } = run(['convert', ...args, '--lenient'])
    assert.deepEqual([status > 0, stdout], [true, ''], args.join(' '))
  }
})

test('convert makes a transcript of a file or of the folder of a session', () => {
  const one = run(['convert', 'qbit/sess-truncated/transcript.json'])
  assert.deepEqual([one.status, one.stdout.startsWith('version: "1.0"\n')], [0, true])
  assert.match(one.stderr, /warning\[T902\]: the log ends in the middle of an entry/)
  assert.match(one.stderr, /14 entries read, 1 piece lost, cut in line 15/)
  const joined = run(['convert', 'qbit/sess-jsonl-head', '--to', 'json', '-o', 'joined.json'])
  assert.deepEqual([joined.status, joined.stdout, joined.stderr], [0, '', ''])
  assert.match(read('joined.json'), /"nested_transcript"/)
  assert.equal(run(['validate', 'joined.json']).status, 0)
  const many = run(['convert', 'qbit'])
  assert.equal(many.status, 1)
  assert.match(many.stderr, /the files are of \d+ sessions: .*\n.*choose one with `--session`/)
  assert.equal(run(['convert', 'qbit', '--session', 'sess-legacy-array']).status, 0)
  const handlers = run(['convert', 'agentloom/repo_committed/tool_calling.json', '--to', 'handlers'])
  assert.deepEqual([handlers.status, handlers.stdout.startsWith('handlers:\n  ask:\n')], [0, true])
  assert.equal(run(['convert', 'qbit/sess-jsonl-head', '--to', 'handlers']).status, 2)
  const others = ['', '.mock_calls', '.result'].map((kind) => `agentloom/v0.4.0/router_support${kind}.json`)
  const paired = run(['convert', ...others])
  assert.deepEqual([paired.status, /messages_sent_to_llm/.test(paired.stdout)], [0, true])
  write('run.yaml', weather)
  // A transcript is converted too; two of them are not.
  assert.match(run(['convert', 'run.yaml', 'run.yaml']).stderr, /none of the files is a supported log/)
})

test('show lists the steps, and with --summary what qbit sends its summarizer', () => {
  const steps = run(['show', 'qbit/sess-jsonl-head'])
  assert.deepEqual([steps.status, steps.stderr], [0, ''])
  assert.match(steps.stdout, /read_file/)
  write('run.yaml', weather)
  assert.match(run(['show', 'run.yaml']).stdout, /weather/)
  const { status, stdout } = run(['show', 'qbit/sess-jsonl-head/transcript.json', '--summary'])
  assert.deepEqual([status, stdout], [0, fixture('qbit/format_for_summarizer.sess-jsonl-head.txt').toString()])
  assert.equal(run(['show', 'run.yaml', '--summary']).status, 1)
  assert.match(run(['detect', 'qbit/sess-legacy-array/transcript.json']).stdout, /^qbit-log: /)
})

test('show lists the responses of a recording alone, and its steps with its calls', () => {
  const alone = run(['show', 'agentloom/repo_committed/tool_calling.json'])
  const [head, first, second] = alone.stdout.split('\n')
  assert.equal(alone.status, 0)
  assert.match(head, /^ANSWER +MODEL +TOKENS +END +CONTENT$/)
  assert.match(first, /^ask 1 +gpt-4o-mini +\d+ +tool_calls +calls http_request\(/)
  assert.match(second, /^ask 2 +gpt-4o-mini +346 +stop +The \/get endpoint/)
  for (const flavour of ['v0.4.0', 'main-2026-05-17_v2', 'next_v2_request_hash']) {
    const { stdout } = run(['show', `agentloom/${flavour}/router_support.json`])
    assert.equal(stdout.trimEnd().split('\n').length, 3, flavour)
    assert.match(stdout, flavour.startsWith('next') ? /\nclassify +gpt-4o-mini/ : /\n[0-9a-f]{12}… +gpt-4o-mini/)
  }
  assert.match(run(['show', 'agentloom/repo_committed/embeddings.json']).stdout, /3 embeddings/)
  const paired = run(['show', ...['', '.mock_calls'].map((kind) => `agentloom/v0.4.0/router_support${kind}.json`)])
  assert.match(paired.stdout, /\n +1 +llm_call/)
})

const conversation = (count) =>
  JSON.stringify({
    messages: Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `This is message ${at}.` })),
  })

test('a transcript that is larger than its log needs no larger limit on the command line', () => {
  write('long.json', conversation(100))
  for (const command of [['show'], ['convert', '--to', 'openai'], ['convert', '--to', 'markdown']]) {
    const { status, stdout, stderr } = run([...command, 'long.json', '--max-bytes', '8000'])
    assert.equal(status, 0, stderr)
    assert.match(stdout, /This is message 99\./)
  }
  const { status, stderr } = run(['show', 'long.json', '--max-bytes', '4000'])
  assert.notEqual(status, 0)
  assert.match(stderr, /the limit is 4000\n[^]*raise `maxBytes` \(`--max-bytes` on the command line\)/)
})

test('a long chat opens within the limits, and its last step is there', () => {
  const log = conversation(20_000)
  const { text, transcript } = importLog({ text: log, file: 'chat.json' })
  assert.ok(text.length < 5 * log.length, `${text.length} of ${log.length}`)
  assert.equal(transcript.execution.at(-1).message_created.id, 'msg_20000')
  const document = parse(text)
  assert.deepEqual([document.ok, document.steps.length], [true, 20_000])
  assert.equal(document.step(document.steps.at(-1).path).flow.store.at(-1).id, 'msg_20000')
  document.free()
})

/** Content in a frame of Zstandard by RFC 8878 that is not compressed, which every Node.js can write. */
const zstandard = (content) => {
  const [size, block] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32LE(content.length)
  block.writeUInt32LE((content.length << 3) | 1)
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, block.subarray(0, 3), content])
}

test('a log in Zstandard is read where Node.js can unpack it, and else both ways out are reported', () => {
  const log = Buffer.from('{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello!"}\n')
  const source = { bytes: zstandard(log), file: 'chat.jsonl.zst' }
  write('chat.jsonl.zst', source.bytes)
  write('packed/chat.jsonl.zst', source.bytes)
  const { status, stdout, stderr } = run(['convert', 'chat.jsonl.zst'])
  if (zlib.zstdDecompressSync === undefined) {
    assert.throws(() => importLog(source), /`chat\.jsonl\.zst` is packed with Zstandard .*Node\.js 22\.15 or later; `zstd -d`/)
    assert.equal(status, 2)
    assert.match(stderr, /`chat\.jsonl\.zst` is in Zstandard, which Node\.js \S+ cannot read\n.*22\.15 or later, or .*`zstd -d`/)
  } else {
    assert.deepEqual(importLog(source).transcript, importLog({ bytes: log, file: source.file }).transcript)
    assert.deepEqual([status, stdout.includes('Hello!')], [0, true], stderr)
    assert.match(run(['convert', 'packed']).stdout, /Hello!/)
    assert.match(run(['convert', 'chat.jsonl.zst', '--max-bytes', '10']).stderr, /has more than 10 bytes/)
    write('cut.jsonl.zst', source.bytes.subarray(0, 30))
    assert.match(run(['convert', 'cut.jsonl.zst']).stderr, /begins like Zstandard, but cannot be decompressed/)
    assert.throws(() => importLog({ bytes: source.bytes.subarray(0, 30) }), /it is damaged/)
  }
  // Nothing is written that is not what its name says.
  write('chat.jsonl', log)
  const refused = run(['convert', 'chat.jsonl', '-o', 'out.yaml.zst'])
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /Zstandard is not supported/)
})

const cassette = (name) => ({ bytes: fixture(`vcr/${name}.yaml`), file: `${name}.yaml` })

test('databases in a folder are read, others are skipped, and a write-ahead log that is not empty is reported', () => {
  const database = (name) => readFileSync(join(repository, 'tests/imports/stores', name))
  write('databases/checkpoints.db', database('langgraph.sqlite'))
  write('databases/checkpoints.db-wal', '')
  write('databases/state.vscdb', database('cursor.vscdb'))
  write('databases/Thumbs.db', 'not a database')
  const { status, stderr } = run(['convert', 'databases', '-o', 'from-databases/'])
  assert.equal(status, 0)
  assert.equal(stderr.match(/-> from-databases/g).length, 5)
  assert.match(stderr, /databases.Thumbs\.db: skipped: not a supported log/)
  assert.doesNotMatch(stderr, /wal/)
  write('databases/state.vscdb-wal', 'changes')
  const open = run(['convert', 'databases', '-o', 'from-databases/']).stderr
  assert.equal(open.match(/newest changes of `.*state\.vscdb`/g).length, 1)
  const detected = run(['detect', 'databases/checkpoints.db'])
  assert.deepEqual([detected.status, detected.stderr], [0, ''])
})

test('a cassette of VCR.py becomes a transcript that answers its own requests', async () => {
  const found = importLog(cassette('llm_test_doc_example_tools_basic_definition.py'))
  assert.deepEqual([found.ok, found.kind, found.sessions], [true, 'http-recording', ['conversation-1']])
  assert.deepEqual(
    validate(found.text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const tape = await replay({ text: found.text })
  while (tape.replayNext() !== null);
  tape.assertComplete()
  const several = importLog(cassette('llm_test_doc_example_agent_forking.py'))
  assert.ok(several.sessions.length > 1 && several.transcript === null)
  assert.ok(several.firstWords.length === several.sessions.length && several.firstWords.every((words) => words !== ''))
  assert.match(several.problem.help, /choose one with `session`/)
  assert.deepEqual(several.sizes, [])
  const { sizes } = importLog(cassette('llm_test_doc_example_agent_forking.py'), { sizes: true })
  const alone = (session) => importLog(cassette('llm_test_doc_example_agent_forking.py'), { session }).transcript.execution
  const responses = several.sessions.map((session) => alone(session).filter((turn) => turn.llm_response).length)
  assert.deepEqual(
    sizes.map((size) => size.responses),
    responses,
  )
  const [, second] = several.sessions
  assert.equal(importLog(cassette('llm_test_doc_example_agent_forking.py'), { session: second }).ok, true)
})

test('OpenAI Agents SDK traces become a transcript, on the command line as well', () => {
  const traces = { bytes: fixture('openai-agents-sdk-traces.jsonl'), file: 'traces.jsonl' }
  assert.equal(detect(traces).kind, 'openai-agents-traces')
  assert.equal(importLog(traces).transcript.execution[1].tool_call.result, 'order 4471')
  write('traces.jsonl', traces.bytes)
  const { status, stdout } = run(['convert', 'traces.jsonl', '--to', 'json'])
  assert.deepEqual([status, JSON.parse(stdout).metadata.name], [0, 'Agent workflow'])
})

test('a folder of cassettes becomes a folder of transcripts, which are valid and answer their own requests', async () => {
  cpSync(join(fixtures, 'vcr'), join(folder, 'vcr'), { recursive: true })
  const { status, stderr } = run(['convert', 'vcr', '-o', 'transcripts/'])
  assert.ok(status < 2, stderr)
  const made = readdirSync(join(folder, 'transcripts'))
  const converted = [...stderr.matchAll(/^(.*) -> (.*)$/gm)]
  assert.equal(converted.length, made.length)
  const cassettes = readdirSync(join(folder, 'vcr'), { recursive: true }).filter((name) => name.endsWith('.yaml'))
  assert.ok(cassettes.length >= 38)
  for (const name of cassettes) {
    const text = read(join('vcr', name))
    const stem = basename(name).replace(/\.[^.]+$/, '')
    const wanted = importLog({ text, file: name })
    // Of a cassette without a call of a model there is a run without steps.
    const count = Math.max(1, wanted.sessions.length)
    assert.equal(made.filter((one) => one === `${stem}.yaml` || one.startsWith(`${stem}-conversation-`)).length >= count, true, name)
  }
  for (const name of made) {
    const text = read(join('transcripts', name))
    assert.deepEqual(
      validate(text).diagnostics.filter(({ severity }) => severity === 'error'),
      [],
      name,
    )
    if (!/llm_response|llm_error/.test(text)) continue
    const tape = await replay({ text }, { unrecorded: 'allow' })
    while (tape.replayNext() !== null);
    tape.assertComplete()
  }
})

test('a cassette of which no request is understood is no success, in a program and on the command line', () => {
  const call = {
    scope: 'https://api.cohere.com:443',
    method: 'POST',
    path: '/v1/generate',
    body: { message: 'Hi' },
    status: 200,
    response: { text: 'Hello!' },
  }
  const text = JSON.stringify([call])
  const { ok, text: made, files } = importLog({ text, file: 'cohere.json' })
  assert.deepEqual([ok, files[0].diagnostics[0].code], [false, 'T907'])
  assert.match(files[0].diagnostics[0].message, /^0 of 1 requests understood: POST https:\/\/api\.cohere\.com/)
  assert.match(made, /message: Hi/)
  assert.deepEqual(
    validate(made).diagnostics.map(({ code }) => code),
    ['T907'],
  )
  write('cohere.json', text)
  for (const args of [
    ['show', 'cohere.json'],
    ['convert', 'cohere.json'],
  ]) {
    const { status, stderr } = run(args)
    assert.deepEqual([status, /0 of 1 requests understood/.test(stderr)], [1, true], args.join(' '))
  }
  assert.equal(run(['validate', 'cohere.json']).status, 1)
  assert.match(run(['detect', 'cohere.json']).stdout, /none of its 1 requests has a supported address/)
})

test('a call of which a log has no result is shown as not answered, and not as failed', () => {
  const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] })
  const call = { type: 'tool_use', id: 't1', name: 'execute_command', input: { command: 'ls' } }
  const log = [
    user('List'),
    { role: 'assistant', content: [call] },
    user("[execute_command for 'ls'] Result:\nREADME.md"),
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  write('cline.json', JSON.stringify(log))
  const { status, stdout } = run(['show', 'cline.json'])
  assert.deepEqual(
    [status, /execute_command\(\{"command": "ls"\}\) \(not answered\)/.test(stdout), /failed/.test(stdout)],
    [0, true, false],
    stdout,
  )
})

test('a file that was not written is not reported as written', () => {
  const conversation = (id, from) => ({ id, conversations: [{ from, value: 'Be brief.' }] })
  write('two.json', JSON.stringify([conversation('a', 'system'), conversation('b', 'human')]))
  const { status, stderr } = run(['convert', 'two.json', '--to', 'events', '-o', 'written/'])
  assert.equal(status, 1)
  assert.match(stderr, /nothing to export to `events`/)
  assert.deepEqual(stderr.match(/(?<=-> ).*/g), [join('written', 'two-b.events.jsonl')])
  assert.deepEqual(readdirSync(join(folder, 'written')), ['two-b.events.jsonl'])
})

test('each of many conversations of a file is written as it is alone', () => {
  const names = Array.from({ length: 40 }, (_, at) => `chat-${String(at).padStart(2, '0')}`)
  const conversation = (id) => ({ id, conversations: [{ from: 'human', value: `Hello from ${id}` }] })
  write('many.json', JSON.stringify(names.map(conversation)))
  const { status, stderr } = run(['convert', 'many.json', '-o', 'many/'])
  assert.equal(status, 0, stderr)
  assert.deepEqual(
    readdirSync(join(folder, 'many')).sort(),
    names.map((name) => `many-${name}.yaml`),
  )
  for (const name of ['chat-00', 'chat-16', 'chat-39']) {
    const alone = run(['convert', 'many.json', '--session', name]).stdout
    assert.match(alone, new RegExp(`Hello from ${name}`))
    assert.equal(read(`many/many-${name}.yaml`), alone)
  }
})

test('files in a folder are named for their format', () => {
  const conversation = (words) => ({ id: words.toLowerCase(), conversations: [{ from: 'human', value: words }] })
  write('three.json', JSON.stringify(['One', 'Two', 'Three'].map(conversation)))
  const names = {
    yaml: ['three-one.yaml', 'three-three.yaml', 'three-two.yaml'],
    json: ['three-one.json', 'three-three.json', 'three-two.json'],
    atif: ['three-one.atif.json', 'three-three.atif.json', 'three-two.atif.json'],
    events: ['three-one.events.jsonl', 'three-three.events.jsonl', 'three-two.events.jsonl'],
    html: ['three-one.html', 'three-three.html', 'three-two.html'],
    markdown: ['three-one.md', 'three-three.md', 'three-two.md'],
    'test-js': ['three-one.test.mjs', 'three-three.test.mjs', 'three-two.test.mjs'],
    'test-vitest': ['three-one.test.js', 'three-three.test.js', 'three-two.test.js'],
    'test-python': ['test_three-one.py', 'test_three-three.py', 'test_three-two.py'],
  }
  for (const [to, expected] of Object.entries(names)) {
    const { status, stderr } = run(['convert', 'three.json', '--to', to, '-o', `named-${to}/`])
    assert.equal(status, 0, stderr)
    assert.deepEqual(readdirSync(join(folder, `named-${to}`)).sort(), expected)
  }
})

test('what sessions of one file have in common is reported once', () => {
  const record = (sessionId, role, content) => ({ type: role, uuid: `${sessionId}-${role}`, sessionId, message: { role, content } })
  const session = (name) => [record(name, 'user', 'Hi'), record(name, 'assistant', [{ type: 'text', text: 'Hello!' }])]
  const lines = [...session('one'), ...session('two')].map((line) => JSON.stringify(line))
  write('cut.jsonl', [...lines, lines[0].slice(0, -9)].join('\n'))
  assert.match(run(['convert', 'cut.jsonl', '--session', 'all']).stderr, /`--session all` needs a folder\n.*`-o FOLDER`/)
  // A cut is a warning: all before it is read.
  const { status, stderr } = run(['convert', 'cut.jsonl', '--session', 'all', '-o', 'cut'])
  assert.equal(status, 0, stderr)
  assert.deepEqual(readdirSync(join(folder, 'cut')).sort(), ['cut-one.yaml', 'cut-two.yaml'])
  assert.equal(stderr.split('the log ends in the middle of an entry').length, 2, stderr)
})

test('each session of a folder of Claude Code is written with its agents, in both layouts', () => {
  const lines = (sessionId, agentId, first) =>
    [
      { role: 'user', content: first },
      { role: 'assistant', id: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: `Look in ${sessionId}` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Found.' }] },
    ]
      .slice(0, agentId === undefined ? 3 : 1)
      .map((message, at) => ({
        type: message.role,
        uuid: `${agentId ?? sessionId}-${at}`,
        sessionId,
        agentId,
        isSidechain: agentId !== undefined,
        message,
      }))
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
  write('claude/one.jsonl', lines('one', undefined, 'Fix it'))
  write('claude/one/subagents/agent-a1.jsonl', lines('one', 'a1', 'Look in one'))
  write('claude/two.jsonl', lines('two', undefined, 'Test it'))
  write('claude/agent-a2.jsonl', lines('two', 'a2', 'Look in two'))
  const all = run(['convert', 'claude', '-o', 'sessions/'])
  assert.deepEqual(readdirSync(join(folder, 'sessions')).sort(), ['one.yaml', 'two.yaml'], all.stderr)
  for (const [name, agent] of [
    ['one', 'a1'],
    ['two', 'a2'],
  ]) {
    const { stdout, stderr } = run(['convert', 'claude', '--session', name, '--to', 'json'])
    const { execution } = JSON.parse(stdout)
    assert.equal(execution[1].tool_call.result.nested_transcript.metadata.name, agent, stderr)
    assert.match(read(`sessions/${name}.yaml`), new RegExp(`agent_id: ${agent}`))
  }
  for (const [session, files] of [
    ['two', ['two.yaml']],
    ['three', []],
  ]) {
    const { status, stderr } = run(['convert', 'claude', '--session', session, '-o', `only-${session}/`])
    assert.equal(status, files.length === 1 ? 0 : 1, stderr)
    assert.deepEqual(readdirSync(join(folder, `only-${session}`)), files)
  }
  const { status, stderr } = run(['convert', 'claude'])
  assert.equal(status, 1)
  assert.match(stderr, /there are 2 sessions: `one` \("Fix it"\), `two` \("Test it"\)/)
  const table = [
    'SESSION  RESPONSES  TOOL CALLS  STARTED  FIRST WORDS',
    'one      1          1           -        Fix it',
    'two      1          1           -        Test it',
  ]
  assert.ok(stderr.endsWith(`\n\n${table.join('\n')}\n`), stderr)
})

test('a folder without a log in it is reported, and no folder is made', () => {
  write('none/run.yaml', weather)
  const { status, stderr } = run(['convert', 'none', '-o', 'nothing/'])
  assert.equal(status, 2)
  assert.match(stderr, /none of the files is a supported log/)
  assert.equal(existsSync(join(folder, 'nothing')), false)
})
