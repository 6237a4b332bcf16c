// The pages about diagnostics, which are in the package.
import { readFileSync, readdirSync } from 'node:fs'

/** A page about a diagnostic. */
export interface DiagnosticPage {
  code: string
  slug: string
  summary: string
  text: string
}

const FOLDER = new URL('../docs/diagnostics/', import.meta.url)

/** Every code with its name, its sentence and its page, in order. */
export const diagnosticPages = (): DiagnosticPage[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8')
      const [, code, slug, summary] = /^# (\w+): ([\w-]+)\s+(.+)/.exec(text)!
      return { code: code!, slug: slug!, summary: summary!, text }
    })
