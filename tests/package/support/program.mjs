// The command line, as a shell runs it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The program of the package that is installed in `folder`, with the files next to it. */
export const programIn = (folder) => {
  /** Runs it: exit code, output, errors. */
  const run = (args, { input = '', cwd = '.', env = {} } = {}) => {
    const { status, stdout, stderr } = spawnSync(join(folder, 'node_modules/.bin/transcript'), args, {
      cwd: join(folder, cwd),
      encoding: 'utf8',
      input,
      env: { ...process.env, NO_COLOR: '', ...env },
      maxBuffer: 1 << 28,
    })
    return { status, stdout, stderr }
  }
  let known
  return {
    run,
    /** The names of all commands, as the help lists them. */
    commands: () => (known ??= [...run(['--help']).stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name)),
    /** Writes a file, its folders with it, and returns its path. */
    write: (name, content) => {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    bytes: (name) => readFileSync(join(folder, name)),
  }
}
