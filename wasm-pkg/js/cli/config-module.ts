// Settings that are a module: its default export, as the JSON that they could have been. It is evaluated in a program
// of its own, since what reads settings does not wait, and so that it can neither write to the output nor stay.
import { pathToFileURL } from 'node:url'
import { builtin } from './builtin.ts'
import { ConfigError } from './failure.ts'

const MOST_MS = 30_000

/** Standard output is what the module writes; the settings go through a channel of their own. */
const READER = `
import { writeSync } from 'node:fs'
const { default: settings } = await import(process.argv[1])
const value = typeof settings === 'function' ? await settings() : await settings
if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('its default export is not an object')
writeSync(3, JSON.stringify(value, null, 2))
process.exit()
`

/** The module at `path` as JSON text. */
export const evaluateConfigModule = (path: string) => {
  const { spawnSync } = builtin('node:child_process')
  const args = ['--input-type=module', '--eval', READER, pathToFileURL(path).href]
  const { status, error, output } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: MOST_MS,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, , errorOutput, text] = output ?? []
  if (status === 0 && text) return text
  const reason =
    (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
      ? `it took longer than ${MOST_MS / 1000} s`
      : /^\w*Error.*/m.exec(errorOutput ?? '')?.[0]
  const [, line] = /^file:.*?:(\d+)$/m.exec(errorOutput ?? '') ?? []
  const place = line ? `${path}:${line}` : path
  throw new ConfigError(`the settings in \`${place}\` cannot be used: ${reason ?? 'it ended without settings'}`)
}
