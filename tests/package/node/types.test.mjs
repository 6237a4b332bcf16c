// The written types against real use, and against the checkers of packages.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unknownRef, weather } from '../support/samples.mjs'
import { manifest } from '../../../wasm-pkg/manifest.mjs'
import { install, load, repository, tarball } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const tool = (name) => join(here, 'node_modules/.bin', name)
const folder = install()
const workbench = await load(folder, 'transcript-workbench', 'transcript-workbench/experimental')
symlinkSync(join(here, 'node_modules/@types'), join(folder, 'node_modules/@types'))

const tsc = (file, ...flags) =>
  spawnSync(tool('tsc'), ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', ...flags, file], {
    cwd: folder,
    encoding: 'utf8',
  })

const usage = (opening) => `${opening}
const source: Source = { text: 'messages: []', file: 'a.yaml' }
const { ok, diagnostics }: Validation = validate(source, { maxBytes: 1 })
const first: Diagnostic | undefined = diagnostics[0]
const place: string = first ? \`\${first.file}:\${first.line}:\${first.column} \${first.help ?? ''}\` : ''
const text: string | null = expand(new Uint8Array(), { format: 'json' }).text
const document = parse('x')
const kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown' | undefined = document.steps[0]?.kind
const sent: string | null | undefined = document.step('1').llm?.sent?.[0]?.content
async function main() {
  const tape: Tape = await replay('run.yaml', { mode: 'strict' })
  const model: AiSdkModel = aiSdkModel(tape)
  const old: 'v2' = aiSdkModel(tape, { specificationVersion: 'v2' }).specificationVersion
  try { tape.assertComplete() } catch (error) {
    if (error instanceof TranscriptDivergenceError) console.log(error.step, error.nearest[0]?.reason, error.name)
    if (error instanceof TranscriptError) console.log(error.rendered)
  }
  return [model, old, tape.state(1).visible, tape.calls[0]?.outcome]
}
const rules: { [code: string]: Level } = readProject('{}').rules
const change: Change = { set_text: { message: 'msg_001', text: 'x' } }
const edited: string | null = edit(source, change).text
const written: string | null = compact(source, { force: true, rules }).text ?? format(source).text ?? fix(source).text
const labels: string[] = complete(source, 0).map(({ label }) => label)
const known: string | undefined = hover(source, 0)?.text
const equal: boolean = diff(source, 'x', { ignore: ['ids'], literalIds: true, color: false }).equal
const unused: string[] = coverage([source, { text: 'x', consumed: ['1'] }]).unused.map(({ name }) => name)
const twice: DeterminismReport = runTwice(source, { seed: 2, maxBytes: 10 })
const step: string | undefined = twice.firstDifference?.around.find(({ first }) => first !== null)?.step ?? twice.failures[0]?.event
const hidden: number = redact(source, { kinds: ['email'], literals: ['x'], keys: ['y'] }).count
const detected: 'certain' | 'likely' | 'none' = detect(source).confidence
const full: string | null = document.expand('yaml', { dedupe: true, nested: 'reference' })
class Answers { count = 0; handle({ lastTool }: MockContext) { this.count += 1; return lastTool ?? 'Hi' } }
const answers: MockHandler = new Answers()
const answering: MockModel[] = [mock(answers), mock(new Answers()), mock(mock.composite(new Answers())), mock({ handlers: { bot: new Answers() } })]
const rulesAtOnce = mock.conditional({ when: ({ lastUser }) => lastUser === 'x', respond: 'y' }, { when: 'call_count > 1', respond: 'z' })
const ruleAlone = mock.conditional({ last_user_contains: 'x' }, 'y').when('a', 'b').default('c')
const machine = mock.stateMachine({ states: { a: { respond: 'A', transitions: { b: ({ lastUser }) => lastUser === 'b' }, default_next: 'a' }, b: 'B' } })
const built = transcript('x', { created: new Date() })
  .withTools('a', ['b', { name: 'c' }])
  .withUserMessage({ content: 'Hi', hidden: true })
  .thenLlmResponds('x', { toolCalls: [{ name: 'a', arguments: { x: 1 } }] })
  .thenLlmResponds({ toolCalls: [{ function: { name: 'a' } }] })
  .thenToolFails({ tool: 'a', error: 'x' })
  .withAssertion('tool_called', { tool: 'a' })
const same: TranscriptBuilder = transcript('x').thenHides('msg_001')
const name: unknown = built.build().metadata
const held: Check = check({ text: 'x', file: 'a.yaml' }, { color: true })
const piece: string | undefined = checkRun(source, { messages: [{ role: 'user', content: 'Hi' }], turns: 1 }).outcomes[0]?.evidence[0]?.step
const against: boolean = document.checkRun({ format: 'openai-chat', messages: [] }).ok && checkRun(document, document).ok
const between: string[] = document.changes(0, '2.1').stored.map(({ id }) => id)
const mocked: MockModel = mockModel(async ({ lastUser, callCount }) => ({ content: \`\${callCount} \${lastUser}\` }))
const queue: MockModel = mockModel(['Hi', { content: null, tool_calls: [] }], { agent: 'a', profile: 'good-agent', keep: { calls: 1 } })
const byAgent: MockModel = mockModel({ handlers: { a: { type: 'queue', responses: ['Hi'] }, b: () => 'x' } }, { agent: 'b' })
const off: () => void = mocked.on('after', ({ response, call }) => console.log(response.content, call))
async function run() {
  const reply: MockResponse = await mocked.call({ messages: [{ role: 'user', content: 'Hi' }], temperature: 1, tools: ['f'] })
  const played: AiSdkModel = aiSdkModel(mocked)
  const result: SimulationResult = await simulate({ agents: [], steps: [] }, {
    tools: { f: async ({ x }, { agent, signal }) => [x, agent, signal] },
    handlers: { a: ({ messages }) => String(messages.length) },
    maxSteps: 3,
  })
  const property: PropertyTape = await replay('run.yaml', { mode: 'property' })
  property.report(recorder).assertToolCalled('f', { x: 1 })
  property.assertToolCallCount({ min: 1 })
  property.addMessage({ role: 'user', content: 'Hi' }).addToolCall({ name: 'f' }).assertComplete()
  const results: ToolTape = await replay('run.yaml', { mode: 'mocked-tools' })
  try { property.assertNoErrors() } catch (error) {
    if (error instanceof TranscriptAssertionError) console.log(error.failed[0]?.message, error.rendered)
    if (error instanceof MockFailureError) console.log(error.status, error.path, error.place?.line)
    if (error instanceof MockFunctionError) console.log(error.thrown, error.cause)
    if (error instanceof MockError || error instanceof MockExhaustedError) console.log(error.call)
  }
  const trip: TimeTravel = timeTravel(source).skip(1).edit('2', 'x').replace(3, { result: 1 }).insert(0, {}).fork(4)
  const rerun: Rerun = trip.rerun({ continuePastEnd: true })
  const need = rerun.needs()
  if (need.kind === 'response') rerun.respond({ content: need.messages.at(-1)?.content })
  if (need.kind === 'tool') rerun.toolResult(need.call.arguments)
  const end: 'done' | 'limit' | null = (await trip.recompute({ model: mock('x'), tools: { f: (args, { step }) => [args, step] } })).ended
  await mock(mock.stateMachine({ states: { a: { respond: 'x', transitions: [{ to: 'b', when: ({ lastUser }) => lastUser === 'x' }] }, b: async () => 'y' } }))
    .call([], { signal: AbortSignal.timeout(1) })
  const every: MockModel[] = [
    mock('a', 'b'), mock(({ callCount }) => String(callCount)), mock(mock.composite('in_order', mock.queue('a'), () => 'b')),
    mock(mock.conditional().when({ last_role: 'tool' }, 'x').when(async ({ iteration }) => iteration > 1, () => 'y').default(mock.toolCall('f', {}, { result: 1 }))),
    mock(mock.transcript([['assistant', 'x'], { role: 'assistant', content: 'y' }])), mock(mock.create({ content: 'x', tool_calls: [] })),
    mock({ handlers: { a: mock.repeat('x', { times: 1 }), b: mock.fail('x', { then: () => 'y' }) } }), mock({ text: 'x' }),
    mock(mock.recording(mock.toolSequence([], { then: 'x' }), { saveAs: 'x' })),
  ]
  const warned: string | null | undefined = result.warnings[0]?.help ?? result.warnings[0]?.rendered ?? mocked.warnings[0]?.code
  using freed = mockModel(['Hi'], { onWarning: ({ code }) => code.length })
  using ours = await replay('run.yaml')
  const failed: string | undefined = ours.replayNext()?.error?.name ?? ours.replayNext()?.response?.content
  console.log(freed.callCount, failed)
  console.log(end, every, warned, mock.isData(() => 'x'))
  return [reply.tool_calls?.[0]?.name, played, result.steps[0]?.error?.cause, result.failures[0]?.tool, results.leftover]
}
const exported: ExportResult = exportTranscript(source, { to: 'test-python', path: 'run.yaml', all: true, maxBytes: 1 })
const lost: string[] = exported.losses.map(({ path, kind }) => \`\${kind} \${path}\`).concat(exported.summary, exported.text ?? '')
console.log(lost)
const recorder: Recorder = createRecorder({ name: 'x', serializers: { f: (result) => String(result), g: 'python' }, onJournal: (line) => line.length })
const seq: number = recorder.observe({ fact: 'model_called', call: 'c1' }) + recorder.toolCalled({ id: 'a', name: 'f' })
const saved: RecoveredRecording = recover(new Uint8Array(), { compact: true })
const marks: string[] = travel(source, [{ skip: { step: 2 } }, { fork: { at: '2.1' } }]).marks.map(({ status }) => status)
console.log(held, piece, against, between, queue, byAgent, off, run, seq, saved.truncatedLine, marks)
console.log(ok, place, text, kind, sent, main, edited, written, labels, known, equal, unused, hidden, detected, full)
console.log(step, twice.hashes.length, name, same, built.toYaml(), document.references[0]?.path)
`

const names = [
  'MockError, MockExhaustedError, MockFailureError, MockFunctionError, TranscriptAssertionError, TranscriptBuilder, TranscriptDivergenceError',
  'TranscriptError, check, checkRun, compact, complete, coverage, createRecorder, detect, diff, edit, expand, exportTranscript, fix, format',
  'hover, mock, mockModel, parse, readProject, recover, redact, replay, runTwice, simulate, timeTravel, transcript, travel, validate',
].join(', ')
const types = [
  'Change, Check, Diagnostic, ExportResult, Level, MockContext, MockHandler, MockModel, PropertyTape, Recorder, RecoveredRecording, MockResponse, Rerun, SimulationResult, Source, Tape',
  'TimeTravel, ToolTape, DeterminismReport, Validation',
].join(', ')
const esm = usage(`import { ${names}, type ${types.replaceAll(', ', ', type ')} } from 'transcript-workbench'
import { aiSdkModel, type AiSdkModel } from 'transcript-workbench/ai-sdk'
import { init, initAuthoring, initAuthoringSync, initSync, validate as slimValidate } from 'transcript-workbench/slim'
void [init, initAuthoring, initAuthoringSync, initSync, slimValidate]`)
const cjs = usage(`import workbench = require('transcript-workbench')
import ai = require('transcript-workbench/ai-sdk')
const { ${names} } = workbench
const { aiSdkModel } = ai
${types
  .split(', ')
  .map((name) => `type ${name} = workbench.${name}`)
  .join('\n')}
type AiSdkModel = ai.AiSdkModel
type TranscriptBuilder = workbench.TranscriptBuilder
type TranscriptDivergenceError = workbench.TranscriptDivergenceError`)

test('real use compiles in both kinds of module and for bundlers', () => {
  writeFileSync(join(folder, 'use.mts'), esm)
  writeFileSync(join(folder, 'use.cts'), cjs)
  for (const [file, ...flags] of [
    ['use.mts', '--module', 'nodenext'],
    ['use.cts', '--module', 'nodenext'],
    ['use.mts', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const { status, stdout } = tsc(file, ...flags)
    assert.equal(stdout, '', `${file} ${flags.join(' ')}`)
    assert.equal(status, 0)
  }
})

test('the use of a worker compiles in both kinds of module, and its wrong use does not', () => {
  const use = (opening) => `${opening}
async function main(file: File) {
  await using pool = createWorkerPool({ workers: 2, worker: () => new Worker('x') })
  const { ok, diagnostics } = await pool.validate(file, { maxBytes: 1, signal: AbortSignal.timeout(1), onProgress: ({ phase, done, total }) => console.log(phase, done / total) })
  const texts: (string | null)[] = [(await pool.expand({ bytes: file, file: 'a' }, { format: 'json', transfer: true })).text, (await pool.fix('x')).text]
  using document = await pool.parse(new Uint8Array())
  const kind: 'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown' | undefined = (await document.steps())[0]?.kind
  const log = await pool.readEvents('x', { maxBytes: 1 })
  const ids: string[] = [...(await log.order({ order: 'layers' })), ...(await pool.orderEvents('x')).ids]
  try { await pool.verifyDeterminism('x', { tools: new URL('file:///x') }) } catch (error) {
    if (error instanceof WorkerPoolError && error.code === 'ERR_TRANSCRIPT_WORKER_ENDED') console.log(error.message)
  }
  const request: string | null = (await pool.exportTranscript(file, { to: 'openai', all: true, signal: AbortSignal.timeout(1) })).text
  const state = await pool.generate.prompt('x', { tools: ['f'], onProgress: ({ phase }) => console.log(phase) })
  const worth: AssessmentStatus = (await pool.generate.assess('x', { state, finish: 'stop' })).status
  const next: string | undefined = (await pool.generate.repair(state, 'x'))?.messages[0]?.content
  console.log(request, worth, next)
  // @ts-expect-error
  await pool.exportTranscript(file, { to: 'xml' })
  // @ts-expect-error
  await pool.generate('x', { model: () => 'x' })
  // @ts-expect-error
  await pool.validate(5)
  // @ts-expect-error
  await pool.simulate('x', { tools: { f: () => 1 } })
  // @ts-expect-error
  createWorkerPool({ workers: 'many' })
  console.log(ok, diagnostics, texts, kind, ids)
}
export { main }`
  writeFileSync(
    join(folder, 'worker.mts'),
    use(
      "import { Worker } from 'node:worker_threads'\nimport 'transcript-workbench/worker/thread'\nimport { WorkerPoolError, createWorkerPool } from 'transcript-workbench/worker'\nimport type { AssessmentStatus } from 'transcript-workbench'",
    ),
  )
  writeFileSync(
    join(folder, 'worker.cts'),
    use(
      "import { Worker } from 'node:worker_threads'\nimport { WorkerPoolError, createWorkerPool } from 'transcript-workbench/worker'\nimport type { AssessmentStatus } from 'transcript-workbench'",
    ),
  )
  for (const file of ['worker.mts', 'worker.cts'])
    assert.equal(tsc(file, '--module', 'nodenext', '--lib', 'es2022,dom,esnext.disposable').stdout, '', file)
})

test('wrong use does not compile', () => {
  const wrong = [
    'validate(5)',
    "expand('', { format: 'xml' })",
    "exportTranscript('')",
    "exportTranscript('', { to: 'xml' })",
    "validate('', { maxByte: 1 })",
    "replay('', { mode: 'loose' })",
    "const tape: Tape = replay('')",
    'new TranscriptDivergenceError()',
    "parse('').steps = []",
    "validate('', { rules: { T201: 'loud' } })",
    "compact('', { force: 'yes' })",
    "format('', { force: true })",
    "edit('', { set_txet: {} })",
    "edit('', { set_text: { message: 'msg_001' } })",
    "complete('')",
    "diff('')",
    "diff('', '', { ignore: 'ids' })",
    'coverage({ consumed: [] })',
    "runTwice('', { seed: '1' })",
    "expand('', { nested: 'outside' })",
    "transcript('x').withAssertion({ pattern: 'x' })",
    "transcript('x').thenToolFails({ tool: 'x' })",
    'transcript(5)',
    'mock.stateMachine({})',
    "mock.composite('first', mock.queue())",
    'mock.toolCall()',
    "timeTravel('').replace(1, 'x')",
    "timeTravel('').recompute({ model: 'x' })",
  ]
  const lines = wrong.map((line) => `// @ts-expect-error\n${line}`).join('\n')
  writeFileSync(
    join(folder, 'wrong.mts'),
    `import { ${names}, type Tape } from 'transcript-workbench'\n${lines}\nexport const used = [${names}]\n`,
  )
  assert.equal(tsc('wrong.mts', '--module', 'nodenext').stdout, '')
})

const outer = `execution:
  - type: tool_call
    tool_call: {tool_name: ask, result: {response: Fine, nested_transcript_ref: runs/inner.yaml}}
`

test('real answers have the types that are written, no key more and none less', () => {
  const other = weather.replace('temp: 72', 'temp: 75')
  const lossy = '# ours\nexecution:\n  - {type: llm_call, llm_response: {content: Hi}}\n'
  const handlers = 'handlers:\n  - {match: {contains: x}, respond: {content: y}}\n'
  const binary = { bytes: Uint8Array.of(0xff, 0), file: 'x.yaml' }
  const contexts = `agents: {a: {context: {x: 1}}, b: {context: {x: 2}}}
execution:
  - {type: llm_call, agent: a, llm_response: {content: Hi}}
  - {type: llm_call, agent: b, llm_response: {content: Ho}}
`
  const answers = [
    ['Validation', 'validate', unknownRef],
    ['Expansion', 'expand', unknownRef],
    ['Detection', 'detect', weather],
    ['Detection', 'detect', binary],
    ['Project', 'readProject', '{"rules": {"T204": "off", "T2041": "off"}}'],
    ['Compaction', 'compact', lossy],
    ['Compaction', 'compact', binary],
    ['FormatResult', 'format', weather],
    ['FormatResult', 'format', 'name: ['],
    ['FormatResult', 'format', binary],
    ['FixResult', 'fix', `version: 1.0\n${unknownRef.replace('version: "1.0"\n', '')}`],
    ['FixResult', 'fix', binary],
    ['EditResult', 'edit', weather, { set_text: { message: 'msg_002', text: 'x' } }],
    ['EditResult', 'edit', weather, { set_text: { message: 'msg_099', text: 'x' } }],
    ['EditResult', 'edit', binary, { remove: { path: ['x'] } }],
    ['Completion[]', 'complete', 'execution:\n  - type: ', 21],
    ['Hover | null', 'hover', weather, 2],
    ['Difference', 'diff', weather, other, { ignore: ['ids'] }],
    ['Difference', 'diff', weather, `tools: [x]\n${other}  - "user: More"\n`],
    ['Difference', 'diff', weather, 'messages: ['],
    [
      'Coverage',
      'coverage',
      [
        { text: `tools: [x]\n${weather}`, consumed: ['1'] },
        { text: handlers, fired: [] },
      ],
    ],
    ['Coverage', 'coverage', 'messages: ['],
    ['Redaction', 'redact', 'messages: ["user: I am ann@acme.io"]', { kinds: ['all'] }],
    ['Redaction', 'redact', binary],
    ['DeterminismReport', 'runTwice', weather],
    ['DeterminismReport', 'runTwice', readFileSync(join(repository, 'public/examples/nondeterministic.yaml'), 'utf8')],
    ['DeterminismReport', 'runTwice', binary],
    ['FileReference[]', '(source) => parse(source).references', outer],
    ['Overview', '(source) => parse(source).overview', handlers],
    ['StepRow[]', '(source) => parse(source).steps', weather],
    ['StepDetail', '(source) => parse(source).step(1)', weather],
    ['StepDetail', '(source) => parse(source).step(2)', weather],
    ['StepState', '(source) => parse(source).state(1)', weather],
    ['StateChanges', '(source) => parse(source).changes(0, 2)', contexts],
    ['StepDetail', '(source) => parse(source).step(2)', contexts],
    ['ExportResult', 'exportTranscript', lossy, { to: 'openai' }],
    ['ImportFormat[]', 'formats'],
    ['RepairedLog', 'repairLog', '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}\n{"_t'],
    ['RepairedLog', 'repairLog', weather],
  ]
  const used = ['Change', ...new Set(answers.map(([type]) => type.match(/\w+/)[0]))].map((type) => `type ${type}`)
  const lines = answers.map(([type, call, ...args], at) => {
    const answer = call.startsWith('(') ? new Function('parse', `return ${call}`)(workbench.parse)(...args) : workbench[call](...args)
    assert.ok(answer !== null, call)
    return `export const answer${at}: ${type} = ${JSON.stringify(answer)}`
  })
  writeFileSync(join(folder, 'answers.mts'), `import { ${used.join(', ')} } from 'transcript-workbench'\n${lines.join('\n')}\n`)
  assert.equal(tsc('answers.mts', '--module', 'nodenext').stdout, '')
})

test('answers of what runs have the types that are written', async () => {
  const { check, checkRun, createRecorder, generate, importLog, mock, mockModel, recover, replay, simulate, timeTravel, travel } = workbench
  const asserting = `${weather}assertions: [{contains: nowhere}, {message_count: 4}]\n`
  const say = { messages: [{ role: 'user', content: 'Hi' }] }
  const model = mockModel({ type: 'queue', responses: ['Hi'], loop: true })
  await model.call(say)
  await model.call(say).catch(() => {})
  const tape = await replay({ text: weather })
  const report = tape.replayNext()
  const cut = '{"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}\n{"v":1'
  const trip = timeTravel(weather).replace(2, { result: 1 })
  const recorder = createRecorder({ name: 'x' })
  recorder.messageAppended({ id: 'm1', role: 'user', content: 'Hi' })
  recorder.modelResponded({ call: 'none', content: 'x' })
  const scenario = {
    agents: [{ name: 'a', tools: ['f'], mock: [{ tool_calls: [['f', {}]] }, '{{ lastuser }}'] }],
    steps: [{ op: 'execute', content: 'Hi' }, { op: 'call' }],
  }
  const runs = await simulate(scenario, {
    tools: {
      f: () => {
        throw new Error('no')
      },
    },
  })
  const answers = [
    ['Check', check(asserting)],
    ['Check', checkRun(asserting, say)],
    ['MockResponse', await mock('Hi').call(say)],
    ['MockExchange[]', model.exchanges],
    ['MockTrace', model.trace()],
    ['Diagnostic[]', model.warnings],
    ['TapeResponse', report],
    ['Tape["calls"]', tape.calls],
    ['CanonicalMessage[] | null', tape.expectedMessages],
    ['SimulationResult', runs],
    ['SimulationResult', await simulate({ agents: [{ name: 'a', mok: [] }], steps: [] })],
    ['Recording', recorder.finish()],
    ['RecoveredRecording', recover(cut)],
    ['TravelResult', travel(weather, [{ skip: { step: 2 } }])],
    ['TravelResult', trip.result()],
    ['Awaited<ReturnType<TimeTravel["recompute"]>>', await trip.recompute({ model: mock('x') })],
    ['GenerateAssessment', generate.assess(asserting)],
    ['GenerateAssessment', generate.assess('No.')],
    [
      'ImportResult',
      importLog({ text: '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}\n{"_t', file: 'abc/transcript.json' }),
    ],
  ]
  const used = [
    ...new Set(answers.flatMap(([type]) => type.match(/\b[A-Z]\w+/g)).filter((type) => !['Awaited', 'ReturnType'].includes(type))),
  ]
  const lines = answers.map(([type, answer], at) => `export const answer${at}: ${type} = ${JSON.stringify(answer)}`)
  writeFileSync(
    join(folder, 'running.mts'),
    `import { ${used.map((type) => `type ${type}`).join(', ')} } from 'transcript-workbench'\n${lines.join('\n')}\n`,
  )
  assert.equal(tsc('running.mts', '--module', 'nodenext').stdout, '')
})

test('answers about logs of events have the types that are written', async () => {
  const { compareTraces, orderEvents, readEvents, verifyDeterminism } = workbench
  const text = readFileSync(join(repository, 'tests/events/samples/nested_recording.json'), 'utf8')
  const log = readEvents(text)
  const bad = readEvents(readFileSync(join(repository, 'tests/events/samples/bad_events.jsonl')))
  const answers = [
    ['EventLogOverview', log.overview],
    ['EventRow[]', bad.rows({ count: 3 })],
    ['EventTie', log.explain(3, { order: 'layers' })],
    ['EventPair | undefined', log.between(...log.order().slice(0, 2))],
    ['TraceDivergence | null', compareTraces('{"a":1}\n', '{"a":2}\n')],
    ['EventReplay', await log.replay({ tools: { lookup: () => 1 } })],
    ['Verification', await verifyDeterminism(text)],
    ['Verification', await verifyDeterminism(text, { tools: { lookup: () => Math.random() } })],
    ['ReturnType<typeof orderEvents>', orderEvents(text)],
  ]
  const lines = answers.map(([type, answer], at) => `export const answer${at}: ${type} = ${JSON.stringify(answer)}`)
  const used =
    'type EventLogOverview, type EventPair, type EventReplay, type EventRow, type EventTie, type TraceDivergence, type Verification, orderEvents'
  writeFileSync(join(folder, 'events.mts'), `import { ${used} } from 'transcript-workbench/experimental'\n${lines.join('\n')}\n`)
  assert.equal(tsc('events.mts', '--module', 'nodenext').stdout, '')
})

test('every name that the types declare is exported, and no other', async () => {
  for (const entry of [
    'transcript-workbench',
    'transcript-workbench/slim',
    'transcript-workbench/ai-sdk',
    'transcript-workbench/experimental',
    'transcript-workbench/worker',
  ]) {
    const code = `import * as all from '${entry}'; console.log(Object.keys(all).sort().join(' '))`
    const run = ['--input-type=module', '--eval', code]
    const exported = execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' }).trim().split(' ')
    const args = exported.map((name) => `all.${name}`).join(', ')
    const known = exported.map((name) => `'${name}'`).join(' | ')
    writeFileSync(
      join(folder, 'names.mts'),
      `import * as all from '${entry}'
      export const values = [${args}]
      export const none: Exclude<keyof typeof all, ${known}> extends never ? true : false = true\n`,
    )
    assert.equal(tsc('names.mts', '--module', 'nodenext').stdout, '', entry)
  }
})

test('publint has nothing to say', () => {
  const { status, stdout, stderr } = spawnSync(tool('publint'), [tarball(), '--strict'], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /All good!/)
})

test('the types resolve for every kind of importer', () => {
  const flags = [
    '--profile',
    'node16',
    '--exclude-entrypoints',
    'core.wasm',
    'authoring.wasm',
    'schema/*.json',
    'examples/*',
    '--no-emoji',
    '--format',
    'ascii',
  ]
  const { status, stdout, stderr } = spawnSync(tool('attw'), [tarball(), ...flags], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  const entries = Object.keys(manifest('0.0.0').exports).filter((name) => !/\.(wasm|json)$|\*$/.test(name))
  // Each is imported and required.
  assert.equal(stdout.match(/^node16 \(from (?:CJS|ESM)\): OK(?! \(JSON\))/gm)?.length, 2 * entries.length, stdout)
})
