// Projects with tests that a test runner runs, as a user has them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { install } from './tarball.mjs'

/** A project with the package and, from `modules`, the packages `names`. */
export const project = (modules, names, manifest) => {
  const folder = install(manifest)
  for (const name of names) symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  return {
    folder,
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    /** Runs a program: exit code and all that it wrote. */
    run: (program, args, env = {}) => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '', ...env },
      })
      return { status, out: `${stdout}${stderr}` }
    },
  }
}

/** The recording that tests of matchers follow. */
export const recording = `# How we answer about the weather.
name: weather
messages:
  # What our agents are told.
  - "system: You are helpful"
  - "user: What's the weather?"   # as users ask
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 21}"
  - "assistant: It's 21°C in Rome."
assertions:
  - {type: tool_called, tool: weather}   # of our own
`

/** The same run, as a host that speaks with OpenAI has it. */
export const messages = [
  { role: 'system', content: 'You are helpful' },
  { role: 'user', content: "What's the weather?" },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"temp":21}' },
  { role: 'assistant', content: "It's 21°C in Rome." },
]
