// Commands that listen, as a shell starts them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'

const running = new Set()
after(() => running.forEach((child) => child.kill('SIGKILL')))

/** Starts a command of the package in `folder` that listens, and waits until it says where. */
export const startIn =
  (folder) =>
  async (...args) => {
    const child = spawn(join(folder, 'node_modules/.bin/transcript'), args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
    running.add(child)
    const ended = once(child, 'exit')
    const output = { out: '', err: '' }
    child.stdout.on('data', (text) => (output.out += text))
    child.stderr.on('data', (text) => (output.err += text))
    while (!output.out.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended.then(() => assert.fail(output.err))])
    return {
      output,
      url: /http:\S+?(?=[:,]?\s)/.exec(output.out)[0],
      stop: async (signal = 'SIGINT') => {
        child.kill(signal)
        const [code] = await ended
        running.delete(child)
        return { code, ...output }
      },
    }
  }
