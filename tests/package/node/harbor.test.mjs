// Trajectories before harbor's own model of them.
//
// The model is installed among the tools of the repository when the test first needs it; a Python that has it is named by
// `TRANSCRIPT_HARBOR`. The release asks for a newer Python than its models do, and for far more than they use.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { requests } from '../support/exported.mjs'
import { pythonWith } from '../support/python.mjs'
import { install, load, repository } from '../support/tarball.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const MODEL = 'from harbor.models.trajectories.trajectory import Trajectory'

const pythonWithHarbor = () =>
  process.env.TRANSCRIPT_HARBOR ||
  pythonWith('python-harbor', MODEL, ['pydantic==2.14.3'], ['--no-deps', '--ignore-requires-python', 'harbor==0.25.0'])

const nested = JSON.stringify({
  version: '1.0',
  metadata: { name: 'asked' },
  initial_state: { message_store: [{ id: 'msg_001', role: 'user', content: 'Is it warm in Rome?' }] },
  execution: [
    {
      turn: 1,
      type: 'llm_call',
      timestamp: '2026-05-01T10:00:00Z',
      messages_sent_to_llm: [{ ref: 'msg_001' }],
      llm_response: {
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'research', arguments: '{"city": "Rome"}' } }],
        usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
      },
      message_created: {
        id: 'msg_002',
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'research', arguments: { city: 'Rome' } } }],
      },
    },
    {
      turn: 2,
      type: 'tool_call',
      tool_call: {
        tool_name: 'research',
        tool_call_id: 'c1',
        parameters: { city: 'Rome' },
        success: true,
        error: null,
        result: {
          agent_id: 'researcher',
          response: '21 degrees',
          nested_transcript: {
            metadata: { name: 'inner' },
            initial_state: { message_store: [{ id: 'm1', role: 'user', content: 'Rome' }] },
            execution: [
              {
                turn: 1,
                type: 'llm_call',
                messages_sent_to_llm: [{ ref: 'm1' }],
                llm_response: { content: '21 degrees' },
                message_created: { id: 'm2', role: 'assistant', content: '21 degrees' },
              },
            ],
          },
        },
      },
      message_created: { id: 'msg_003', role: 'tool', content: '21 degrees', tool_call_id: 'c1', tool_name: 'research' },
    },
  ],
})

/** Holds the trajectories in files against the model. */
const validated = (files) => {
  const { status, stdout, stderr } = spawnSync(pythonWithHarbor(), [join(here, 'trajectories.py'), ...files], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim().split('\n').length, files.length)
}

test("harbor's own model reads every trajectory, and knows every key", async () => {
  const folder = install()
  const { exportTranscript } = await load(folder, 'transcript-workbench')
  const runs = { ...requests, nested }
  const files = Object.entries(runs).map(([name, text]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, exportTranscript(text, { to: 'atif' }).text)
    return file
  })
  validated(files)
})

test("harbor's own model reads the trajectory of every log that is read", async () => {
  const folder = install()
  const { exportTranscript, importLog } = await load(folder, 'transcript-workbench')
  const logs = join(repository, 'tests/imports/fixtures')
  const written = []
  const write = ({ transcript }) => {
    const file = join(folder, `log-${written.length}.json`)
    writeFileSync(file, exportTranscript(JSON.stringify(transcript), { to: 'atif' }).text)
    written.push(file)
  }
  for (const entry of readdirSync(logs, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const sources = [{ text: readFileSync(join(entry.parentPath, entry.name), 'utf8'), file: entry.name }]
    const { transcript, sessions } = importLog(sources)
    if (transcript) write({ transcript })
    else for (const session of sessions ?? []) write(importLog(sources, { session }))
  }
  assert.ok(written.length > 90, String(written.length))
  validated(written)
})
