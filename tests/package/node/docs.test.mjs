// The examples of the README and of the pages about the API and about replays, run unchanged.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programIn } from '../support/program.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const folder = install()
const workbench = await load(folder, 'transcript-workbench')
const { run, write } = programIn(folder)
const readme = readFileSync(join(folder, 'node_modules/transcript-workbench/README.md'), 'utf8')
const api = readFileSync(join(repository, 'public/docs/api.md'), 'utf8')
const blocks = (text, language) => [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code)

blocks(api, 'js').forEach((code, at) => {
  test(`the API's example ${at + 1} runs`, () => {
    const name = `api-${at}.mjs`
    writeFileSync(join(folder, name), `import assert from 'node:assert/strict'\n${code}`)
    assert.ok(code.includes('assert.'))
    execFileSync(process.execPath, [name], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  })
})

test('the page about replays runs from its beginning to its end', () => {
  const code = blocks(readFileSync(join(repository, 'public/docs/replay.md'), 'utf8'), 'js')
  assert.equal(code.length, 5)
  writeFileSync(join(folder, 'replay.mjs'), `import assert from 'node:assert/strict'\n${code.join('\n')}`)
  execFileSync(process.execPath, ['replay.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
})

test('every example in JavaScript is run', () => {
  const pages = readdirSync(join(repository, 'public/docs')).filter((name) => name.endsWith('.md'))
  const count = (page) => blocks(readFileSync(join(repository, 'public/docs', page), 'utf8'), 'js').length
  const here = ['api.md', 'builder.md', 'generate.md', 'handlers.md', 'migrate-agent-mock.md', 'record.md', 'replay.md', 'time-travel.md']
  // Next to the frameworks that they are about.
  const elsewhere = ['adapters.md', 'fetch.md', 'log-to-test.md', 'mcp.md', 'migrate.md', 'server.md', 'testing.md']
  assert.deepEqual(pages.filter((page) => count(page) > 0).sort(), [...here, ...elsewhere].sort())
})

test('the example of the page about the builder writes what is valid', () => {
  const code = blocks(readFileSync(join(repository, 'public/docs/builder.md'), 'utf8'), 'js')
  assert.equal(code.length, 1)
  writeFileSync(join(folder, 'builder.mjs'), code[0])
  const printed = execFileSync(process.execPath, ['builder.mjs'], { cwd: folder, encoding: 'utf8' })
  const saved = readFileSync(join(folder, 'weather.yaml'), 'utf8')
  assert.equal(printed.trim(), saved.trim())
  assert.deepEqual(workbench.validate(saved).diagnostics, [])
})

for (const page of ['generate', 'handlers', 'record', 'time-travel']) {
  test(`the JavaScript of the page about ${page} runs`, () => {
    const code = blocks(readFileSync(join(repository, `public/docs/${page}.md`), 'utf8'), 'js')
    assert.equal(code.length, page === 'handlers' ? 2 : 1)
    if (page === 'handlers')
      writeFileSync(join(folder, 'handlers.yaml'), blocks(readFileSync(join(repository, 'public/docs/handlers.md'), 'utf8'), 'yaml')[0])
    writeFileSync(join(folder, `${page}.mjs`), `import assert from 'node:assert/strict'\n${code.join('\n')}`)
    execFileSync(process.execPath, [`${page}.mjs`], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  })
}

test('the README builds the transcript that it shows', () => {
  const building = blocks(readme, 'js').find((code) => code.includes('transcript('))
  writeFileSync(join(folder, 'build.mjs'), building)
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder })
  const built = workbench.parse(readFileSync(join(folder, 'built.yaml')))
  const [shown] = blocks(readme, 'yaml')
  // A builder also stores how the tool answered, which the compact form leaves to the turn.
  const store = (document) => document.state(3).store.map(({ tool_response: _, ...message }) => message)
  assert.deepEqual(store(built), store(workbench.parse(shown)))
})

test('the README names every call', () => {
  const isClass = (name) => /^[A-Z]\w+[a-z]/.test(name)
  for (const name of Object.keys(workbench).filter((name) => !isClass(name))) {
    assert.ok(readme.includes(`\`${name}(`) || readme.includes(`await ${name}(`), name)
  }
})

test('the commands of the README run in their order', () => {
  const [shown] = blocks(readme, 'yaml')
  for (const name of ['run.yaml', 'short.yaml']) write(name, shown)
  write('transcripts/run.yaml', shown)
  write('handlers.yaml', 'handlers: {bot: {type: queue, responses: [Hello!]}}\n')
  write('events.jsonl', readFileSync(join(repository, 'tests/events/samples/multi_agent.jsonl')))
  write('run.journal', '{"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}\n')
  write('logs/abc/transcript.json', '{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hi"}\n')
  write(
    'agent.mjs',
    `export default (tape) => {
    for (let messages; (messages = tape.expectedMessages) !== null;) tape.request({ format: 'canonical', messages })
  }`,
  )
  const lines = blocks(readme, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx transcript '))
  assert.equal(lines.length, 8)
  for (const line of lines) {
    const { status, stderr } = run(
      line
        .replace(/ +#.*$/, '')
        .split(' ')
        .slice(2),
    )
    assert.equal(status, 0, `${line}\n${stderr}`)
  }
})
