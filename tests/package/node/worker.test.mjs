// The calls of the package in a worker: the same answers and errors, calls that are cancelled, workers that end.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { openAsBlob, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { weather } from '../support/samples.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const here = await load(folder, 'transcript-workbench', 'transcript-workbench/experimental', 'transcript-workbench/worker')
const { WorkerPoolError, TranscriptError, createWorkerPool } = here
const there = createWorkerPool()
after(() => there.close())

const read = (path) => readFileSync(join(repository, path), 'utf8')
const examples = readdirSync(join(repository, 'public/examples')).map((file) => ({ text: read(`public/examples/${file}`), file }))
const events = read('tests/events/samples/multi_agent.jsonl')
const compactForm = "messages: ['user: Hi', 'assistant: Hello!']"
/** A long run of many turns, which takes more than a moment. */
const long = (turns) =>
  `messages:\n${Array.from({ length: turns }, (_, at) => `  - "user: Question ${at}"\n  - "assistant: Answer ${at}"\n`).join('')}`

/** The steps of such a run: its first question is there before it begins. */
const stepsOf = (turns) => 2 * turns - 1

/** What a call comes to, or the error it ends with, as it can be compared. */
const outcome = async (call) => {
  try {
    return { answer: await call() }
  } catch (error) {
    const { name, message, code } = error
    return {
      thrown: { name, message, code, isType: error instanceof TypeError, isRange: error instanceof RangeError, fields: { ...error } },
    }
  }
}

const same = async (name, ...args) => {
  const [one, other] = [await outcome(() => here[name](...args)), await outcome(() => there[name](...args))]
  assert.deepEqual(other, one, `${name}(${JSON.stringify(args)?.slice(0, 200)})`)
  return other
}

const HOSTILE = [
  '',
  ' ',
  '\0',
  '{',
  '- a\n'.repeat(50),
  `${'['.repeat(1000)}${']'.repeat(1000)}`,
  'a: &a [*a]',
  'messages: 5',
  '\ud800',
  'messages:\r\n  - "user: \u00e9\ud83d\ude00"\r\n',
  '{"__proto__": {"x": 1}, "messages": ["user: Hi"]}',
  new Uint8Array([0xff, 0xfe, 0x00]),
  gzipSync(weather),
  gzipSync(weather).subarray(0, 30),
  new Uint8Array(),
]

const READING = ['validate', 'expand', 'detect', 'check', 'compact', 'format', 'fix', 'coverage', 'redact', 'runTwice', 'importLog']

test('every example is answered as by the calls themselves', async () => {
  assert.ok(examples.length >= 7)
  for (const example of examples) {
    for (const name of READING) await same(name, example)
    await same('expand', example, { format: 'json', dedupe: true })
    await same('diff', example, examples[0], { ignore: ['ids'], color: true })
    await same('edit', example, { set: { path: ['name'], value: 'another' } })
    await same('travel', example, [{ skip: { step: 1 } }])
    await same('checkRun', example, { messages: [{ role: 'user', content: 'Hi' }] })
    await same('checkRun', example, examples[0])
  }
})

test('transcripts in other forms, and the parts of generate, are those of the calls themselves', async () => {
  const forms = [
    'yaml',
    'json',
    'compact',
    'openai',
    'anthropic',
    'atif',
    'events',
    'markdown',
    'html',
    'test-js',
    'test-vitest',
    'test-python',
  ]
  for (const to of forms) {
    const { answer } = await same('exportTranscript', examples[0], { to, all: true })
    assert.ok(answer.text.length > 0, to)
  }
  for (const args of [
    ['x'],
    [weather],
    [weather, { to: 'xml' }],
    [weather, { to: 'openai', al: true }],
    [5, { to: 'openai' }],
    ['messages: 5', { to: 'openai' }],
  ]) {
    await same('exportTranscript', ...args)
  }
  const part = async (name, ...args) => {
    const [one, other] = [await outcome(() => here.generate[name](...args)), await outcome(() => there.generate[name](...args))]
    assert.deepEqual(other, one, name)
    return other
  }
  const { answer: state } = await part('prompt', 'The user asks for the weather', { tools: ['weather'], turns: 3 })
  assert.equal(state.messages.length, 2)
  const { answer: found } = await part('reply', "messages: ['user: Hi', 'assistant:call unknown()']", { state })
  assert.equal(found.status, 'problems')
  const { answer: next } = await part('repair', state, "messages: ['user: Hi', 'assistant:call unknown()']")
  assert.equal(next.messages.length, 4)
  assert.equal((await part('reply', compactForm, { finish: 'stop' })).answer.ok, true)
  for (const [name, ...args] of [
    ['prompt'],
    ['prompt', 5],
    ['prompt', 'x', { turn: 3 }],
    ['reply', null],
    ['repair', null, 'x'],
    ['repair', state],
    ['reply', 'x', { state: 5 }],
  ]) {
    assert.notEqual((await part(name, ...args)).thrown, undefined, name)
  }
  assert.equal(typeof there.generate, 'object')
})

test('hostile inputs and wrong arguments are answered and refused alike', async () => {
  for (const source of HOSTILE) for (const name of READING) await same(name, source)
  for (const [name, ...args] of [
    ['validate'],
    ['validate', 5],
    ['validate', null],
    ['validate', 'x', null],
    ['validate', 'x', 5],
    ['validate', 'x', { maxByte: 1 }],
    ['validate', weather, { maxBytes: 10 }],
    ['validate', { text: 'x', file: 5 }],
    ['expand', 'x', { format: 'xml' }],
    ['expand', 'x', { dedupe: 'yes' }],
    ['edit', 'x', undefined],
    ['edit', 'x', 5],
    ['diff', 'x'],
    ['importLog', []],
    ['importLog', [{ text: '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}', file: 'abc/transcript.json' }]],
    ['coverage', [{ text: weather, file: 'a.yaml', consumed: ['1'] }, compactForm]],
    ['coverage', { text: 'x', consumed: 5 }],
    ['orderEvents', events],
    ['orderEvents', events, { order: 'layers' }],
    ['orderEvents', 'x', { order: 'odd' }],
    ['verifyDeterminism', events],
    ['verifyDeterminism', events, { runs: 1 }],
    ['verifyDeterminism', events, 5],
    ['verifyDeterminism', ''],
    ['recover', '{"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}\n'],
    ['recover', 5],
    ['simulate', 'handlers: {bot: {type: queue, responses: [Hello!]}}', { user: 'Hi' }],
    ['simulate', { agents: [{ name: 'bot', mock: ['Hello!'] }], steps: [{ op: 'call', content: 'Hi' }] }],
    ['simulate', {}],
  ])
    await same(name, ...args)
  const { thrown } = await same('validate', 5)
  assert.deepEqual([thrown.isType, thrown.code], [true, 'ERR_TRANSCRIPT_MISUSE'])
})

test('a document stays open in the worker', async () => {
  const [document, open] = [here.parse(weather), await there.parse(weather)]
  for (const name of ['ok', 'readable', 'diagnostics', 'overview', 'steps', 'references'])
    assert.deepEqual(await open[name](), document[name], name)
  for (const [name, ...args] of [
    ['step', 2],
    ['step', '9'],
    ['step', {}],
    ['state', 1],
    ['state', 99],
    ['changes', 0, 2],
    ['changes', 'x', 1],
    ['check'],
    ['check', { color: 1 }],
    ['checkRun', { messages: [] }],
    ['expand'],
    ['expand', 'json', { dedupe: true }],
    ['expand', 'xml'],
    ['render', { color: true }],
    ['renderExpandProblem'],
  ])
    assert.deepEqual(await outcome(() => open[name](...args)), await outcome(() => document[name](...args)), name)
  open.free()
  open.free()
  await assert.rejects(open.steps(), { message: 'this document has been freed', code: 'ERR_TRANSCRIPT_MISUSE' })
  await assert.rejects(there.parse(5), { code: 'ERR_TRANSCRIPT_MISUSE' })
})

test('a log of events stays open in the worker', async () => {
  const [log, open] = [here.readEvents(events), await there.readEvents(events)]
  for (const name of ['ok', 'diagnostics', 'overview', 'tools', 'agents']) assert.deepEqual(await open[name](), log[name], name)
  const [id, other] = log.order()
  for (const [name, ...args] of [
    ['order'],
    ['order', { order: 'layers' }],
    ['layers'],
    ['rows', { from: 1, count: 2 }],
    ['event', id],
    ['event', 'none'],
    ['past', other],
    ['future', id],
    ['explain', 1],
    ['between', id, other],
    ['shuffled', 3],
    ['render'],
    ['replay'],
    ['rows', { odd: 1 }],
  ])
    assert.deepEqual(await outcome(() => open[name](...args)), await outcome(() => log[name](...args)), name)
  open.free()
})

test('several calls are answered each with its own, in their order', async () => {
  const done = []
  const calls = Array.from({ length: 12 }, (_, at) =>
    there.expand(long(at + 1), { format: 'object' }).then(({ transcript }) => {
      done.push(at)
      return transcript.execution.length
    }),
  )
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 12 }, (_, at) => stepsOf(at + 1)),
  )
  assert.deepEqual(
    done,
    Array.from({ length: 12 }, (_, at) => at),
  )
})

test('progress reports the steps, and of the bytes of a file', async () => {
  const pool = createWorkerPool()
  const reported = []
  const text = `# ${'x'.repeat(2_500_000)}\n${weather}`
  const file = new File([text], 'run.yaml')
  const found = await pool.validate(file, { onProgress: (progress) => reported.push(progress) })
  assert.deepEqual(found, here.validate({ text, file: 'run.yaml' }))
  assert.deepEqual(
    [reported[0], reported[1]],
    [
      { phase: 'starting', done: 0, total: 1 },
      { phase: 'starting', done: 1, total: 1 },
    ],
  )
  const reading = reported.filter(({ phase }) => phase === 'reading')
  assert.ok(reading.length >= 3 && reading.every(({ total }) => total === file.size))
  assert.deepEqual([reading[0].done, reading.at(-1).done], [0, file.size])
  assert.ok(reading.every(({ done }, at) => at === 0 || done > reading[at - 1].done))
  assert.deepEqual(reported.slice(-2), [
    { phase: 'working', done: 0, total: 1 },
    { phase: 'working', done: 1, total: 1 },
  ])
  const runs = []
  await pool.verifyDeterminism(events, { runs: 3, onProgress: ({ phase, done, total }) => runs.push([phase, done, total]) })
  assert.deepEqual(
    runs,
    [0, 1, 2, 3].map((done) => ['run', done, 3]),
  )
  await assert.rejects(
    pool.validate('x', {
      onProgress: () => {
        throw new RangeError('mine')
      },
    }),
    { name: 'RangeError', message: 'mine' },
  )
  await assert.rejects(pool.validate('x', { onProgress: 5 }), {
    code: 'ERR_TRANSCRIPT_MISUSE',
    message: /`onProgress` of validate\(\) is a function, but got a number/,
  })
  assert.equal((await pool.validate(compactForm)).ok, true)
  await pool.close()
})

test('files, also those that Node opens and those in gzip, are read in the worker', async () => {
  writeFileSync(join(folder, 'weather.yaml'), weather)
  writeFileSync(join(folder, 'weather.yaml.gz'), gzipSync(weather))
  const expected = here.validate({ text: weather, file: 'weather.yaml' })
  assert.deepEqual(await there.validate({ bytes: new Blob([weather]), file: 'weather.yaml' }), expected)
  assert.deepEqual(await there.validate({ bytes: new Blob([gzipSync(weather)]), file: 'weather.yaml' }), expected)
  for (const name of ['weather.yaml', 'weather.yaml.gz']) {
    assert.deepEqual(await there.validate({ bytes: await openAsBlob(join(folder, name)), file: 'weather.yaml' }), expected)
  }
  const files = [new File([weather], 'a.yaml'), new File([compactForm], 'b.yaml')]
  assert.deepEqual(
    await there.coverage(files),
    here.coverage([
      { text: weather, file: 'a.yaml' },
      { text: compactForm, file: 'b.yaml' },
    ]),
  )
  assert.deepEqual(await there.diff(...files), here.diff({ text: weather, file: 'a.yaml' }, { text: compactForm, file: 'b.yaml' }))
  const bytes = new TextEncoder().encode(weather)
  assert.deepEqual(await there.validate(new Blob([bytes]), { maxBytes: 20 }), here.validate(bytes, { maxBytes: 20 }))
})

test('bytes are copied unless they are given away', async () => {
  const bytes = new TextEncoder().encode(weather)
  const whole = new Uint8Array(bytes)
  assert.equal((await there.validate(whole)).ok, true)
  assert.equal(whole.length, bytes.length)
  assert.equal((await there.validate({ bytes: whole, file: 'a' }, { transfer: true })).ok, true)
  assert.equal(whole.length, 0)
  // A buffer may have other parts.
  const part = new Uint8Array(bytes.length + 8).subarray(0, bytes.length)
  part.set(bytes)
  assert.equal((await there.validate(part, { transfer: true })).ok, true)
  assert.equal(part.length, bytes.length)
})

test('what is no data is refused by its place', async () => {
  for (const [call, place] of [
    [
      () => there.verifyDeterminism(events, { tools: { f: () => 1 } }),
      /verifyDeterminism\(\) in a worker takes data alone: its option `tools\.f` is a function/,
    ],
    [() => there.validate(Promise.resolve('x')), /its first argument is a promise, which has to be awaited first/],
    [() => there.simulate({ agents: [{ name: 'a', mock: () => 'x' }], steps: [] }), /its first argument\.agents\[0\]\.mock is a function/],
  ])
    await assert.rejects(call, { name: 'TypeError', code: 'ERR_TRANSCRIPT_MISUSE', message: place })
  assert.equal((await there.validate(compactForm)).ok, true)
})

test('a call is given up before it begins, while it waits and in its midst', async () => {
  const pool = createWorkerPool()
  const reason = new Error('enough')
  await assert.rejects(pool.validate(compactForm, { signal: AbortSignal.abort(reason) }), reason)
  const waiting = new AbortController()
  const [first, second] = [pool.validate(long(3000)), pool.validate(compactForm, { signal: waiting.signal })]
  waiting.abort(reason)
  await assert.rejects(second, reason)
  assert.equal((await first).ok, true)

  const document = await pool.parse(weather)
  const running = new AbortController()
  // Far longer than a test should take, unless it is ended.
  const huge = pool.expand(long(60_000), {
    signal: running.signal,
    onProgress: ({ phase }) => phase === 'working' && running.abort(reason),
  })
  const behind = pool.validate(compactForm)
  await assert.rejects(huge, reason)
  assert.equal((await behind).ok, true)
  assert.equal((await document.steps()).length, 4)
  await assert.rejects(pool.expand(long(60_000), { signal: AbortSignal.timeout(1) }), { name: 'TimeoutError' })
  await assert.rejects(pool.validate('x', { signal: 5 }), { code: 'ERR_TRANSCRIPT_MISUSE' })

  const bytes = new TextEncoder().encode(weather)
  const transferred = await pool.parse(bytes, { transfer: true })
  const stop = new AbortController()
  await assert.rejects(pool.expand(long(60_000), { signal: stop.signal, onProgress: ({ phase }) => phase === 'working' && stop.abort() }), {
    name: 'AbortError',
  })
  await assert.rejects(transferred.steps(), { name: 'WorkerPoolError', code: 'ERR_TRANSCRIPT_WORKER_ENDED', message: /open it again/ })
  await pool.close()
})

const thread = () => new Worker(join(folder, 'node_modules/transcript-workbench/dist/worker-thread.node.js'))

test('a worker that ends within a call is a named error, and the next call has another', async () => {
  writeFileSync(
    join(folder, 'ending.mjs'),
    `import { parentPort } from 'node:worker_threads'
    parentPort.addEventListener('message', (event) => {
      const { name } = event.data
      if (name === 'expand') process.exit(7)
      if (name === 'check') {
        // The answer does not come first.
        event.stopImmediatePropagation()
        queueMicrotask(() => { throw new Error('out of the blue') })
      }
      if (name === 'steps') for (const held = []; ;) held.push(Array.from({ length: 1000 }, (_, at) => ({ at })))
    })
    await import('transcript-workbench/worker/thread')`,
  )
  let made = 0
  const pool = createWorkerPool({
    worker: () => {
      made += 1
      return new Worker(join(folder, 'ending.mjs'), { resourceLimits: { maxOldGenerationSizeMb: 48 } })
    },
  })
  const document = await pool.parse(weather)
  for (const [call, words] of [
    [() => pool.expand(compactForm), /^the worker ended during a call: with code 7$/],
    [() => document.check(), /^the worker ended during a call: out of the blue$/],
    [() => document.steps(), /^the worker ended during a call: .*memory/],
  ]) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof WorkerPoolError && error instanceof Error && !(error instanceof TranscriptError))
      assert.deepEqual([error.name, error.code], ['WorkerPoolError', 'ERR_TRANSCRIPT_WORKER_ENDED'])
      assert.match(error.message, words)
      return true
    })
    assert.equal((await pool.validate(compactForm)).ok, true)
    assert.equal((await document.overview()).steps, 3)
  }
  assert.equal(made, 4)
  await pool.close()
})

test('a worker that cannot be started is a named error each time', async () => {
  writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("no such luck")')
  const makers = [
    () => new Worker(join(folder, 'missing.mjs')),
    () => new Worker(join(folder, 'broken.mjs')),
    () => {
      throw new Error('none here')
    },
  ]
  for (const worker of makers) {
    const pool = createWorkerPool({ worker })
    const calls = [pool.validate('x'), pool.validate('y')]
    for (const call of calls)
      await assert.rejects(call, {
        name: 'WorkerPoolError',
        code: 'ERR_TRANSCRIPT_WORKER_START',
        message: /transcript-workbench\/worker\/thread/,
      })
    await pool.close()
  }
})

test('several workers share the calls, and stay within their number', async () => {
  let made = 0
  const pool = createWorkerPool({
    workers: 3,
    worker: () => {
      made += 1
      return thread()
    },
  })
  const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => pool.expand(long(at + 1), { format: 'object' })))
  assert.deepEqual(
    answers.map(({ transcript }) => transcript.execution.length),
    Array.from({ length: 9 }, (_, at) => stepsOf(at + 1)),
  )
  const documents = await Promise.all([1, 2, 3, 4].map((turns) => pool.parse(long(turns))))
  assert.deepEqual(
    await Promise.all(documents.map((document) => document.overview().then(({ steps }) => steps))),
    [1, 2, 3, 4].map(stepsOf),
  )
  assert.equal(made, 3)
  await pool.close()
  for (const [options, words] of [
    [{ workers: 0 }, /`workers`/],
    [{ workers: 1.5 }, /`workers`/],
    [{ worker: 5 }, /`worker`/],
    [{ size: 2 }, /no option `size`/],
    [5, /an object/],
  ]) {
    assert.throws(() => createWorkerPool(options), { code: 'ERR_TRANSCRIPT_MISUSE', message: words })
  }
})

test('what is closed refuses what waits and what comes', async () => {
  const pool = createWorkerPool()
  const waiting = [pool.validate(long(3000)), pool.validate('x')]
  const closing = pool.close()
  for (const call of waiting) await assert.rejects(call, { name: 'WorkerPoolError', code: 'ERR_TRANSCRIPT_WORKER_CLOSED' })
  await closing
  await assert.rejects(pool.validate('x'), { code: 'ERR_TRANSCRIPT_WORKER_CLOSED' })
  await pool.close()
  await createWorkerPool().close()
  if (typeof Symbol.asyncDispose === 'symbol') assert.equal(typeof createWorkerPool()[Symbol.asyncDispose], 'function')
})

test('a program ends by itself, with an idle worker and after an unheard call', () => {
  const program = (opening) => `${opening}
    const pool = createWorkerPool()
    pool.validate("messages: ['user: Hi']").then(({ ok }) => console.log(ok))`
  writeFileSync(join(folder, 'idle.mjs'), program("import { createWorkerPool } from 'transcript-workbench/worker'"))
  writeFileSync(join(folder, 'idle.cjs'), program("const { createWorkerPool } = require('transcript-workbench/worker')"))
  for (const args of [
    ['idle.mjs'],
    ['idle.cjs'],
    ['--input-type=module', '--eval', program("import { createWorkerPool } from 'transcript-workbench/worker'")],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
    assert.deepEqual([status, stdout], [0, 'true\n'], stderr)
  }
})

test('a call that is given up when its worker starts leaves no worker behind', () => {
  writeFileSync(
    join(folder, 'starting.mjs'),
    `import { createWorkerPool } from 'transcript-workbench/worker'
    const text = 'messages:\\n' + '  - "user: hi"\\n  - "assistant: yo"\\n'.repeat(20000)
    const pool = createWorkerPool()
    await pool.validate({ text: 'messages: []' })
    const [first, second] = [new AbortController(), new AbortController()]
    const giveUp = ({ phase }) => { if (phase === 'starting') second.abort(new Error('no')) }
    const calls = [
      pool.validate({ text }, { signal: first.signal, onProgress: ({ phase }) => { if (phase !== 'starting') first.abort(new Error('stop')) } }),
      pool.validate({ text }, { signal: second.signal, onProgress: giveUp }),
      pool.validate({ text }),
    ]
    const ended = await Promise.allSettled(calls)
    await pool.close()
    console.log(ended.map(({ value, reason }) => reason?.message ?? value.ok).join())`,
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, ['starting.mjs'], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  assert.deepEqual([status, stdout], [0, 'stop,no,true\n'], stderr)
})

test('the errors of one kind of module are known to the other', () => {
  const code = `import { createRequire } from 'node:module'
    import { WorkerPoolError } from 'transcript-workbench/worker'
    const { createWorkerPool } = createRequire(import.meta.url)('transcript-workbench/worker')
    const pool = createWorkerPool()
    await pool.close()
    await pool.validate('x').catch((error) => console.log(error instanceof WorkerPoolError, new Error() instanceof WorkerPoolError))`
  writeFileSync(join(folder, 'kinds.mjs'), code)
  assert.equal(execFileSync(process.execPath, ['kinds.mjs'], { cwd: folder, encoding: 'utf8' }).trim(), 'true false')
})

test('Cloudflare Workers get an error that there is none', async () => {
  const { createWorkerPool: without } = await import(
    pathToFileURL(join(folder, 'node_modules/transcript-workbench/dist/worker.workerd.js')).href
  )
  assert.throws(() => without(), {
    name: 'WorkerPoolError',
    code: 'ERR_TRANSCRIPT_NO_WORKERS',
    message: /^there are no workers here: call the functions/,
  })
})
