// The pages about diagnostics, which lie in the package.
import { readFileSync, readdirSync } from 'node:fs'

const FOLDER = new URL('../docs/diagnostics/', import.meta.url)

/** Every code with its name, its sentence and its page, in order. */
export const diagnosticPages = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8')
      const [, code, slug, summary] = /^# (\w+): ([\w-]+)\s+(.+)/.exec(text)
      return { code, slug, summary, text }
    })
