// `transcript open`, as a page, another page, and other programs reach it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startIn } from '../support/listening.mjs'
import { programIn } from '../support/program.mjs'
import { weather } from '../support/samples.mjs'
import { installWithSite } from '../support/site.mjs'

const folder = installWithSite()
const { run, write, read, bytes } = programIn(folder)
const start = startIn(folder)

/** A server for a file: `sendRequest` sends a request to it with the token, unless headers differ. */
const opened = async (...args) => {
  const server = await start('open', ...args)
  const { origin, hash } = new URL(server.url)
  const token = /^#\/(?:edit|read)\?d=f:([\w-]{32})$/.exec(hash)[1]
  const sendRequest = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((done, fail) => {
      const sent = request(`${origin}${path}`, { method, headers: { 'x-transcript-token': token, ...headers } }, async (response) => {
        const parts = []
        for await (const part of response) parts.push(part)
        done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) })
      })
      sent.on('error', fail).end(body)
    })
  const put = (body, headers) => sendRequest('/api/file', { method: 'PUT', headers, body })
  const tag = async () => (await sendRequest('/api/file')).headers.etag
  return { ...server, origin, token, sendRequest, put, tag }
}

const errorIn = ({ body }) => JSON.parse(body).error

test('the file is read, written in place of the version that was read, and nothing stays next to it', async () => {
  mkdirSync(join(folder, 'one'))
  write('one/run.yaml', weather)
  const server = await opened('one/run.yaml')
  const { status, headers, body } = await server.sendRequest('/api/file')
  assert.deepEqual([status, body.toString()], [200, weather])
  const report = JSON.parse((await server.sendRequest('/api/workspace')).body)
  assert.deepEqual({ ...report, id: undefined }, { name: 'run.yaml', id: undefined, readOnly: false, autosave: false })
  assert.equal((await server.sendRequest('/api/file', { headers: { 'if-none-match': headers.etag } })).status, 304)

  const saved = await server.put(`${weather}# more\n`, { 'if-match': headers.etag })
  assert.equal(saved.status, 204)
  assert.equal(read('one/run.yaml'), `${weather}# more\n`)
  assert.deepEqual(readdirSync(join(folder, 'one')), ['run.yaml'])
  assert.equal(await server.tag(), saved.headers.etag)
  const { code, out, err } = await server.stop()
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^one\/run\.yaml is at http:\/\/127\.0\.0\.1:\d+\/#\/edit\?d=f:\S+\nsaved one\/run\.yaml, \d+ bytes\n$/)
})

test('what something else wrote meanwhile is not written over', async () => {
  write('two.yaml', 'name: two\n')
  const server = await opened('two.yaml')
  const before = await server.tag()
  write('two.yaml', 'name: theirs\n')
  const refused = await server.put('name: mine\n', { 'if-match': before })
  assert.equal(refused.status, 412)
  assert.match(errorIn(refused), /has changed/)
  assert.equal(read('two.yaml'), 'name: theirs\n')
  assert.equal((await server.put('name: mine\n', { 'if-none-match': '*' })).status, 412)
  assert.equal((await server.put('name: mine\n')).status, 428)
  assert.equal((await server.put('name: mine\n', { 'if-match': '*' })).status, 412)
  assert.equal(read('two.yaml'), 'name: theirs\n')
  assert.equal((await server.put('name: mine\n', { 'if-match': refused.headers.etag })).status, 204)
  assert.equal(read('two.yaml'), 'name: mine\n')

  // Of two who read the same, the second is reported.
  const tag = await server.tag()
  const both = await Promise.all(['a', 'b'].map((name) => server.put(`name: ${name}\n`, { 'if-match': tag })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [204, 412])

  rmSync(join(folder, 'two.yaml'))
  assert.equal((await server.sendRequest('/api/file')).status, 204)
  assert.equal((await server.put('name: mine\n', { 'if-match': tag })).status, 412)
  assert.equal(existsSync(join(folder, 'two.yaml')), false)
  await server.stop()
})

test('a change of the same length in the same moment is seen', async () => {
  write('quick.yaml', 'name: a\n')
  const server = await opened('quick.yaml')
  for (const name of 'bcdefgh') {
    const headers = { 'if-none-match': await server.tag() }
    write('quick.yaml', `name: ${name}\n`)
    const { status, body } = await server.sendRequest('/api/file', { headers })
    assert.deepEqual([status, body.toString()], [200, `name: ${name}\n`])
  }
  await server.stop()
})

test('nobody without the token, no other page and no other name reaches the file', async () => {
  write('mine.yaml', weather)
  const server = await opened('mine.yaml')
  const { port } = new URL(server.origin)
  const tag = await server.tag()
  for (const headers of [
    { 'x-transcript-token': '' },
    { 'x-transcript-token': `${server.token}x` },
    { origin: 'http://evil.example' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { host: `evil.example:${port}` },
    { host: '127.0.0.1' },
    { host: `127.0.0.1.evil.example:${port}` },
  ]) {
    const what = JSON.stringify(headers)
    for (const path of ['/api/file', '/api/workspace', '/api/none']) {
      const { status, body } = await server.sendRequest(path, { headers })
      assert.equal(status, 403, `${path} ${what}`)
      assert.ok(!body.includes('weather'), what)
    }
    assert.equal((await server.put('x', { 'if-match': tag, ...headers })).status, 403, what)
  }
  assert.equal(read('mine.yaml'), weather)
  // The preflight request of a browser lets the page of another site do nothing.
  const preflight = await server.sendRequest('/api/file', {
    method: 'OPTIONS',
    headers: { origin: 'http://evil.example', 'access-control-request-method': 'PUT' },
  })
  assert.equal(preflight.status, 403)
  assert.equal(preflight.headers['access-control-allow-origin'], undefined)
  // The page that the address leads to may.
  const own = { origin: server.origin, 'sec-fetch-site': 'same-origin' }
  assert.equal((await server.put(weather, { 'if-match': tag, ...own })).status, 204)
  // The site itself is no secret, but another name leads nowhere.
  assert.equal((await server.sendRequest('/', { headers: { 'x-transcript-token': '' } })).status, 200)
  assert.equal((await server.sendRequest('/', { headers: { host: `evil.example:${port}` } })).status, 403)
  await server.stop()
})

test('no other file is reached', async () => {
  write('here.yaml', weather)
  write('secret.txt', 'secret')
  const server = await opened('here.yaml')
  for (const path of [
    '/secret.txt',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/docs/../../../../secret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/schema/..%2f..%2fpackage.json',
    '/schema/../package.json',
    '/package.json',
    '/cli.js',
    '/__proto__',
    '/constructor',
    '/..\\secret.txt',
    '/.wasm',
    '/../core.wasm',
    '/api/',
    '/api/../secret.txt',
    '/api/file/../secret.txt',
    '/launch/',
    '/launch/x',
  ]) {
    const { status, body } = await server.sendRequest(path)
    assert.ok(status === 404 || status === 403, `${path} was answered with ${status}`)
    assert.ok(!/secret$|root:/.test(body.toString()), path)
  }
  assert.equal((await server.sendRequest('/', { method: 'POST', body: 'x' })).status, 405)
  assert.equal((await server.sendRequest('/api/file', { method: 'DELETE' })).status, 404)
  assert.equal(read('here.yaml'), weather)
  await server.stop()
})

test('the page comes with the policy of the site, and wasm as the browser takes it', async () => {
  write('page.yaml', weather)
  const server = await opened('page.yaml')
  const { status, headers, body } = await server.sendRequest('/')
  assert.equal(status, 200)
  assert.match(headers['content-type'], /^text\/html/)
  const policy = headers['content-security-policy']
  assert.match(policy, /^default-src 'none'; .*connect-src 'self'.*; frame-ancestors 'none'$/)
  assert.ok(body.includes(policy.replace("; frame-ancestors 'none'", '')))
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal((await server.sendRequest('/', { method: 'HEAD' })).body.length, 0)
  const docs = await server.sendRequest('/docs/diagnostics/T201.html')
  assert.equal(docs.status, 200)
  // The search and the links that open examples are of the static site alone.
  assert.doesNotMatch(String(docs.body), /<search|class="try"/)
  assert.equal(JSON.parse((await server.sendRequest('/schema/transcript.schema.json')).body).$schema.includes('json-schema'), true)

  // Each module is served as it is, and is one.
  const page = String((await server.sendRequest('/')).body)
  const [, script] = /src="\.?\/?(boot-[\da-f]+\.js)"/.exec(page)
  const boot = String((await server.sendRequest(`/${script}`)).body)
  const modules = [...boot.matchAll(/transcript-web\w*-[\da-f]{16}\.wasm/g)].map(([name]) => name)
  assert.ok(modules.length > 0, boot)
  for (const name of [...modules, 'authoring.wasm', 'workers.wasm']) {
    const { headers, body } = await server.sendRequest(`/${name}`)
    assert.equal(headers['content-type'], 'application/wasm')
    assert.equal(headers['content-length'], String(body.length))
    await WebAssembly.compile(body)
  }
  assert.equal((await server.sendRequest('/other.wasm')).status, 404)
  await server.stop()
})

test('line ends, a byte order mark and bytes of any kind are written as they came', async () => {
  const before = Buffer.from('\uFEFFname: ü\r\nversion: "1.0"\r\n')
  write('windows.yaml', before)
  const server = await opened('windows.yaml')
  const { headers, body } = await server.sendRequest('/api/file')
  assert.ok(body.equals(before))
  const after = Buffer.from('\uFEFFname: 😀\r\nversion: "1.0"')
  assert.equal((await server.put(after, { 'if-match': headers.etag })).status, 204)
  assert.ok(bytes('windows.yaml').equals(after))
  await server.stop()
})

test('a file in gzip stays one', async () => {
  write('run.yaml.gz', gzipSync(weather))
  const server = await opened('run.yaml.gz')
  const { headers, body } = await server.sendRequest('/api/file')
  assert.equal(body.toString(), weather)
  assert.equal(JSON.parse((await server.sendRequest('/api/workspace')).body).name, 'run.yaml')
  assert.equal((await server.put('name: zipped\n', { 'if-match': headers.etag })).status, 204)
  assert.equal(gunzipSync(bytes('run.yaml.gz')).toString(), 'name: zipped\n')
  await server.stop()
  write('bomb.yaml.gz', gzipSync('x'.repeat(5000)))
  const { status, stderr } = run(['open', 'bomb.yaml.gz', '--max-bytes', '1000'])
  assert.equal(status, 2)
  assert.match(stderr, /has more than 1000 bytes/)
})

test('a file that does not exist is made at the first save, and only then', async () => {
  const server = await opened('fresh.yaml', '--autosave')
  assert.equal(existsSync(join(folder, 'fresh.yaml')), false)
  assert.equal((await server.sendRequest('/api/file')).status, 204)
  assert.equal(JSON.parse((await server.sendRequest('/api/workspace')).body).autosave, true)
  assert.equal((await server.put('name: fresh\n', { 'if-none-match': '*' })).status, 204)
  assert.equal(read('fresh.yaml'), 'name: fresh\n')
  assert.equal((await server.put('name: other\n', { 'if-none-match': '*' })).status, 412)
  await server.stop()
})

test('links stay links and modes stay modes', async () => {
  write('real/target.yaml', weather)
  chmodSync(join(folder, 'real/target.yaml'), 0o640)
  symlinkSync('real/target.yaml', join(folder, 'link.yaml'))
  const server = await opened('link.yaml')
  assert.equal((await server.put('name: linked\n', { 'if-match': await server.tag() })).status, 204)
  assert.ok(lstatSync(join(folder, 'link.yaml')).isSymbolicLink())
  assert.equal(read('real/target.yaml'), 'name: linked\n')
  assert.equal(statSync(join(folder, 'real/target.yaml')).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(join(folder, 'real')), ['target.yaml'])
  await server.stop()
})

test('a read-only file is left as it is, and the reason is reported', async () => {
  write('locked.yaml', weather)
  chmodSync(join(folder, 'locked.yaml'), 0o444)
  const server = await opened('locked.yaml')
  const refused = await server.put('name: x\n', { 'if-match': await server.tag() })
  assert.equal(refused.status, 403)
  assert.match(errorIn(refused), /`locked\.yaml` is read-only/)
  assert.equal(read('locked.yaml'), weather)
  await server.stop()
})

test('the logs of other programs are shown and never written', async () => {
  for (const [name, text] of [
    ['qbit.json', '{"_timestamp": 1768359600000, "type": "started"}\n'],
    ['events.jsonl', readFileSync(new URL('../../events/samples/multi_agent.jsonl', import.meta.url), 'utf8')],
    ['agentloom.json', readFileSync(new URL('../../imports/fixtures/agentloom/v0.4.0/record_and_replay.json', import.meta.url), 'utf8')],
  ]) {
    write(name, text)
    const server = await opened(name)
    assert.equal(JSON.parse((await server.sendRequest('/api/workspace')).body).readOnly, true, name)
    const refused = await server.put('name: x\n', { 'if-match': await server.tag() })
    assert.equal(refused.status, 403)
    assert.match(errorIn(refused), /written by another program/)
    assert.equal(read(name), text)
    await server.stop()
  }
})

test('a log that takes the place of the file is not written over, and a file that comes back is', async () => {
  const log = '{"_timestamp": 1768359600000, "type": "started"}\n'
  write('turning.json', weather)
  const server = await opened('turning.json')
  const isReadOnly = async () => JSON.parse((await server.sendRequest('/api/workspace')).body).readOnly
  assert.equal(await isReadOnly(), false)
  write('turning.json', log)
  const refused = await server.put('name: x\n', { 'if-match': await server.tag() })
  assert.equal(refused.status, 403)
  assert.match(errorIn(refused), /`turning\.json` was written by another program/)
  assert.deepEqual([read('turning.json'), await isReadOnly()], [log, true])
  write('turning.json', weather)
  assert.equal(await isReadOnly(), false)
  assert.equal((await server.put(`${weather}# more\n`, { 'if-match': await server.tag() })).status, 204)
  // What the page itself wrote stays the page's, whatever it looks like.
  assert.equal((await server.put(log, { 'if-match': await server.tag() })).status, 204)
  assert.equal((await server.put(weather, { 'if-match': await server.tag() })).status, 204)
  assert.equal(read('turning.json'), weather)
  await server.stop()
})

test('a document that is too large is refused whole', async () => {
  write('small.yaml', weather)
  const server = await opened('small.yaml', '--max-bytes', '2000')
  const refused = await server.put('x'.repeat(2001), { 'if-match': await server.tag() })
  assert.equal(refused.status, 413)
  assert.match(errorIn(refused), /more than 2000 bytes/)
  assert.equal(read('small.yaml'), weather)
  await server.stop()
})

test('the address of a file stays the same, as far as its port is free', async () => {
  write('again.yaml', weather)
  const first = await opened('again.yaml')
  const meanwhile = await opened('again.yaml')
  assert.notEqual(meanwhile.origin, first.origin)
  assert.notEqual(meanwhile.token, first.token)
  // The token of one run is nothing to another.
  assert.equal((await meanwhile.sendRequest('/api/file', { headers: { 'x-transcript-token': first.token } })).status, 403)
  await meanwhile.stop()
  await first.stop('SIGTERM')
  const second = await opened(join(folder, 'again.yaml'))
  assert.equal(second.origin, first.origin)
  const { port } = new URL(second.origin)
  const taken = run(['open', 'again.yaml', '--port', port])
  assert.equal(taken.status, 2)
  assert.match(taken.stderr, /is in use/)
  await second.stop()
})

test('at a terminal the browser is opened, with an address that works once', async () => {
  write('shown.yaml', weather)
  write('bin/xdg-open', '#!/bin/sh\nprintf %s "$1" > "$OPENED"\n')
  chmodSync(join(folder, 'bin/xdg-open'), 0o755)
  const report = join(folder, 'opened.txt')
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, DISPLAY: ':0', OPENED: report }
  const inTerminal = (...args) => {
    const program = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'
    return spawn(process.env.TRANSCRIPT_PYTHON ?? 'python3', ['-c', program, join(folder, 'node_modules/.bin/transcript'), ...args], {
      cwd: folder,
      env,
    })
  }
  const child = inTerminal('open', 'shown.yaml')
  const ended = once(child, 'exit')
  while (!existsSync(report) || read('opened.txt') === '') await setTimeout(20)
  const address = read('opened.txt')
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/launch\/[\w-]{24}$/)
  const led = await fetch(address, { redirect: 'manual' })
  assert.equal(led.status, 303)
  assert.match(led.headers.get('location'), /^\/#\/edit\?d=f:[\w-]{32}$/)
  const again = await fetch(address, { redirect: 'manual' })
  assert.equal(again.status, 403)
  assert.match((await again.json()).error, /was already used/)
  child.stdin.write('\x03')
  assert.equal((await ended)[0], 0)
})

test('what cannot be opened is refused with its reason', () => {
  mkdirSync(join(folder, 'some'), { recursive: true })
  write('a.yaml', weather)
  for (const [args, reason] of [
    [['open'], /`open` needs a file/],
    [['open', 'a.yaml', 'b.yaml'], /takes one file, but got 2/],
    [['open', '-'], /a file to save to, not stdin/],
    [['open', ''], /a file name is empty/],
    [['open', 'some'], /it is a folder/],
    [['open', 'none/run.yaml'], /its folder does not exist/],
    [['open', 'a.yaml/run.yaml'], /part of its path is not a directory/],
    [['open', 'a.yaml', '--port', '70000'], /up to 65535/],
    [['open', 'a.yaml', '--listen', '0.0.0.0:80'], /unknown option `--listen`/],
  ]) {
    const { status, stderr, stdout } = run(args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    assert.match(stderr, reason)
  }
})

test('a build without the workbench says so', () => {
  const without = installWithSite()
  rmSync(join(without, 'node_modules/transcript-workbench/dist/site'), { recursive: true })
  const { status, stderr } = programIn(without).run(['open', 'run.yaml'])
  assert.equal(status, 2)
  assert.match(stderr, /^error: this build of the package has no workbench\n  = help: /)
})

/** The files of a log that is followed, with their texts. */
const logIn = async (server, headers = {}) => {
  const { status, headers: found, body } = await server.sendRequest('/api/log', { headers })
  if (status !== 200) return { status, tag: found.etag }
  let at = body.indexOf(10) + 1
  const files = JSON.parse(body.subarray(0, at)).map(({ path, size }) => [path, body.subarray(at, (at += size)).toString()])
  return { status, tag: found.etag, files }
}

test('a log is followed as it grows, is removed and comes back, and is never written', async () => {
  const server = await opened('--follow', 'live.jsonl')
  const report = JSON.parse((await server.sendRequest('/api/workspace')).body)
  assert.deepEqual([report.name, report.follow], ['live.jsonl', true])
  assert.deepEqual(await logIn(server), { status: 204, tag: undefined })
  write('live.jsonl', '{"a":1}\n')
  const first = await logIn(server)
  assert.deepEqual(first.files, [['live.jsonl', '{"a":1}\n']])
  assert.deepEqual(await logIn(server, { 'if-none-match': first.tag }), { status: 304, tag: first.tag })
  // What is half written is served as it is.
  write('live.jsonl', '{"a":1}\n{"b"')
  assert.deepEqual((await logIn(server, { 'if-none-match': first.tag })).files, [['live.jsonl', '{"a":1}\n{"b"']])
  rmSync(join(folder, 'live.jsonl'))
  assert.equal((await logIn(server)).status, 204)
  write('live.jsonl', '{"a":1}\n')
  assert.equal((await logIn(server)).status, 200)
  for (const path of ['/api/file', '/api/log']) assert.equal((await server.sendRequest(path, { method: 'PUT', body: 'x' })).status, 404)
  assert.equal((await server.sendRequest('/api/file')).status, 404)
  assert.equal((await server.sendRequest('/api/log', { headers: { 'x-transcript-token': '' } })).status, 403)
  const { code, out, err } = await server.stop()
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^live\.jsonl is at http:\/\/127\.0\.0\.1:\d+\/#\/read\?d=f:\S+\n$/)
})

test('of a folder the session that was written last is followed, with the agents that belong to it', async () => {
  const written = (path, text, seconds) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    write(path, text)
    utimesSync(join(folder, path), seconds, seconds)
  }
  written('logs/one.jsonl', '{"sessionId":"one"}\n', 100)
  written('logs/one/subagents/agent-a.jsonl', '{"sessionId":"one","n":1}\n', 90)
  written('logs/two.jsonl', '{"sessionId":"two"}\n', 50)
  // An index is no log, and older releases keep the agents of all sessions next to them.
  written('logs/sessions-index.json', '{}', 900)
  written('logs/agent-b.jsonl', '{"sessionId":"one","n":2}\n', 95)
  written('logs/agent-c.jsonl', '{"sessionId":"two"}\n', 96)
  symlinkSync('/etc/hostname', join(folder, 'logs/one/link.jsonl'))
  const server = await opened('--follow', 'logs')
  const names = async () => (await logIn(server)).files.map(([path]) => path)
  assert.deepEqual(await names(), ['logs/one.jsonl', 'logs/one/subagents/agent-a.jsonl', 'logs/agent-b.jsonl'])
  // An agent that works on is of the session above it.
  written('logs/one/subagents/agent-a.jsonl', '{"sessionId":"one","n":3}\n', 200)
  assert.equal((await names())[0], 'logs/one.jsonl')
  written('logs/two.jsonl', '{"sessionId":"two","n":4}\n', 300)
  assert.deepEqual(await names(), ['logs/two.jsonl', 'logs/agent-c.jsonl'])
  // A session may be a folder.
  written('more/s1/transcript.json', '[]', 100)
  written('more/s2/transcript.json', '[]', 90)
  written('more/s2/subagents/coder/transcript.json', '[]', 200)
  const other = await opened('--follow', 'more')
  assert.deepEqual(
    (await logIn(other)).files.map(([path]) => path),
    ['more/s2/transcript.json', 'more/s2/subagents/coder/transcript.json'],
  )
  assert.equal((await server.stop()).code, 0)
  assert.equal((await other.stop()).code, 0)
  const both = run(['open', '--follow', '--autosave', 'live.jsonl'])
  assert.equal(both.status, 2)
  assert.match(both.stderr, /`--follow` writes nothing/)
})
