// What unknown commands and options may mean: misspellings, beginnings of names, and the words of other tools.
import { closest } from '../api/suggest.ts'
import type { Options } from './command.ts'

type Synonyms = { readonly [word: string]: readonly string[] }

const COMMANDS: Synonyms = {
  analyze: ['show', 'coverage'],
  anonymize: ['redact'],
  assert: ['check'],
  branch: ['fork'],
  capture: ['record'],
  cat: ['show'],
  compare: ['diff'],
  create: ['record', 'generate'],
  docs: ['help'],
  edit: ['open'],
  eval: ['check', 'test'],
  export: ['convert'],
  format: ['fmt'],
  import: ['convert'],
  init: ['record', 'generate'],
  inspect: ['show', 'state'],
  lint: ['validate'],
  list: ['show'],
  man: ['help'],
  mask: ['redact'],
  merge: ['nest-events'],
  minify: ['compact'],
  mock: ['simulate', 'serve'],
  new: ['record', 'generate'],
  play: ['replay', 'simulate'],
  prettier: ['fmt'],
  proxy: ['record'],
  restore: ['recover'],
  resume: ['recover', 'fork'],
  rewind: ['fork', 'state'],
  run: ['replay', 'test', 'simulate'],
  sanitize: ['redact'],
  server: ['serve'],
  sort: ['order'],
  start: ['serve', 'open'],
  stats: ['show', 'coverage'],
  travel: ['fork', 'state'],
  ui: ['open'],
  verify: ['verify-determinism', 'validate'],
  version: ['--version'],
  view: ['show', 'open'],
  watch: ['test --watch'],
}

/** The first that the command has is meant. */
const OPTIONS: Synonyms = {
  'base-url': ['upstream', 'endpoint'],
  'dry-run': ['check', 'prompt'],
  file: ['output'],
  format: ['to'],
  host: ['listen'],
  id: ['session', 'recording'],
  key: ['api-key-env'],
  'list-different': ['check'],
  message: ['user'],
  'no-open': ['no-browser'],
  only: ['session', 'kinds'],
  out: ['output'],
  reporter: ['format', 'junit'],
  reply: ['response'],
  target: ['to', 'upstream'],
  to: ['format', 'output'],
  type: ['format', 'to', 'from'],
  url: ['upstream', 'endpoint'],
}

/** `did you mean ...?`, or undefined without names. */
const didYouMean = (names: readonly string[]) =>
  names.length === 0 ? undefined : `did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`

/** The one name that begins with `word`, if it says enough. */
const beginningWith = (word: string, names: readonly string[]) => {
  const found = names.filter((name) => name.startsWith(word))
  return word.length >= 3 && found.length === 1 ? found[0] : undefined
}

const similar = (word: string, names: readonly string[]) => closest(word, names) ?? beginningWith(word, names)

const synonymsOf = (word: string, table: Synonyms) => (Object.hasOwn(table, word) ? table[word]! : [])

/** What `word` may mean where a command belongs, as a question. */
export const suggestCommand = (word: string, names: readonly string[]) => {
  const lower = word.toLowerCase()
  const known = synonymsOf(lower, COMMANDS)
  if (known.length > 0) return didYouMean(known)
  const near = similar(lower, [...names, 'help'])
  // A misspelling of a synonym, such as `fromat`.
  return didYouMean(near === undefined ? synonymsOf(similar(lower, Object.keys(COMMANDS)) ?? '', COMMANDS) : [near])
}

/** What `--word` may mean for a command with `options`, as a question. */
export const suggestOption = (word: string, options: Options) => {
  const names = Object.keys(options)
  const known = synonymsOf(word, OPTIONS).find((name) => Object.hasOwn(options, name))
  const near = known ?? similar(word, names)
  if (near !== undefined) return didYouMean([`--${near}`])
  const withValue = names.find((name) => options[name]!.values?.includes(word))
  return didYouMean(withValue === undefined ? [] : [`--${withValue} ${word}`])
}
