// The functions that write, change and compare documents.
import { toData } from '../api/data.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import type {
  Change,
  Compaction,
  Completion,
  Coverage,
  CoverageSource,
  DeterminismReport,
  Difference,
  EditResult,
  FixResult,
  FormatResult,
  Hover,
  Options,
  Redaction,
  RunTwiceOptions,
  Source,
  TravelChange,
  TravelResult,
} from '../types/index.ts'
import { call } from './wasm-module.ts'

const TEXTS = 'a list of strings'
const REDACTING = { kinds: TEXTS, literals: TEXTS, keys: TEXTS } as const
const COMPARING = { ignore: TEXTS, literalIds: 'a boolean', color: 'a boolean' } as const

const decoder = new TextDecoder()

const checkSeen = (name: string, value: unknown) => {
  if (value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))) return value
  throw misuse(`\`${name}\` of a source of coverage() is ${TEXTS}, but got ${kindOf(value)}`)
}

const readUsed = (used: CoverageSource | CoverageSource[], options: Options) => {
  const list = Array.isArray(used) ? used : [used]
  return list.map((one) => {
    const { text, bytes, file } = sourceOf('coverage', one, options)
    const [consumed, fired] = ['consumed', 'fired'].map((name) => checkSeen(name, (one as { [name: string]: unknown })[name]))
    return { text: text ?? decoder.decode(bytes), file, consumed, fired }
  })
}

const atOffset = <Name extends 'complete' | 'hover'>(name: Name, source: Source, offset: number, options: Options | undefined) => {
  if (!Number.isSafeInteger(offset) || offset < 0) {
    const got = typeof offset === 'number' ? `\`${offset}\`` : kindOf(offset)
    throw misuse(`${name}() takes an offset in bytes, an integer from 0, but got ${got}`)
  }
  return call(name, { ...options, offset }, { offset: 'an integer' }, [source])
}

/**
 * Writes a transcript in the compact form, if that loses nothing.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @param options.force Writes the text despite losses.
 * @returns The compact text, null if it would lose something; and what it would lose.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, losses } = compact(full)
 */
export const compact = (source: Source, options?: Options & { force?: boolean }): Compaction =>
  call('compact', options, { force: 'a boolean' }, [source])

/**
 * Formats a document in canonical order and style; data and comments stay.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns The formatted text, null if the document cannot be read.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * format('name:   run\n').text // 'name: run\n'
 */
export const format = (source: Source, options?: Options): FormatResult => call('format', options, {}, [source])

/**
 * Applies the fixes that are certain, and leaves everything else unchanged.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns The text after all safe fixes, the fixes, and the problems that remain.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * fix('version: 1.0 # ours\nexecution: []\n').text // 'version: "1.0" # ours\nexecution: []\n'
 */
export const fix = (source: Source, options?: Options): FixResult => call('fix', options, {}, [source])

/**
 * Makes one change with the smallest edits: the rest stays, byte for byte.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @param change One change; `Change` lists them.
 * @returns The new text and its edits, or the `problem` that prevents the change.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, notes } = edit(source, { set_text: { message: 'msg_001', text: 'Good day' } })
 */
export const edit = (source: Source, change: Change, options?: Options): EditResult =>
  call('edit', { ...options, change: toData(change, 'the change') }, { change: 'an object or an array' }, [source])

/**
 * Lists completions at an offset, the most likely first.
 *
 * @param offset In bytes of UTF-8.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * complete('execution:\n  - type: ', 21).map(({ label }) => label) // ['llm_call', 'tool_call', 'message']
 */
export const complete = (source: Source, offset: number, options?: Options): Completion[] => atOffset('complete', source, offset, options)

/**
 * Describes the text at an offset; null where nothing is known.
 *
 * @param offset In bytes of UTF-8.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * hover("messages: ['user: Hi']", 2)?.text
 */
export const hover = (source: Source, offset: number, options?: Options): Hover | null => atOffset('hover', source, offset, options)

/**
 * Compares two transcripts, turns aligned, field by field.
 *
 * @param options.ignore `timestamps`, `usage`, `ulids`, `ids`, `metadata`, and paths such as `execution.*.llm_config`.
 * @param options.literalIds Compares ids as text, instead of by what they refer to.
 * @param options.color Renders in color.
 * @returns Whether they are equal, the differences, and text for people.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { equal, rendered } = diff(before, after, { ignore: ['timestamps', 'usage'] })
 */
export const diff = (
  left: Source,
  right: Source,
  options?: Options & { ignore?: string[]; literalIds?: boolean; color?: boolean },
): Difference => call('diff', options, COMPARING, [left, right])

/**
 * Reports the unused parts of documents.
 *
 * @param used One document or several, each with the steps that a run used.
 * @returns Counts, and everything unused.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { unused } = coverage([{ text, file: 'run.yaml', consumed: tape.calls.map(({ step }) => step) }])
 */
export const coverage = (used: CoverageSource | CoverageSource[], options?: Options): Coverage =>
  call('coverage', { ...options, documents: readUsed(used, options ?? {}) }, { documents: 'an object or an array' }, [])

/**
 * Replaces secrets by placeholders, each by the same one everywhere, also in text that cannot be parsed.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @param options.kinds The kinds to look for; by default, the usual ones. `default` and `all` mean several.
 * @param options.literals Other texts to replace.
 * @param options.keys Further keys to replace the values of.
 * @returns The text without secrets, and a list of what was replaced, without the secrets.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * redact("messages: ['user: I am ann@acme.io']", { kinds: ['email'] }).text // "messages: ['user: I am <email-1>']"
 */
export const redact = (source: Source, options?: Options & { kinds?: string[]; literals?: string[]; keys?: string[] }): Redaction =>
  call('redact', options, REDACTING, [source])

/**
 * Changes a run at some steps, computes the effects, and marks what is no longer valid.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @param changes The changes; `TravelChange` lists them.
 * @returns The changed run, and for each step whether it still holds.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text, marks } = travel(source, [{ skip: { step: 2 } }])
 */
export const travel = (source: Source, changes: TravelChange | readonly TravelChange[], options?: Options): TravelResult =>
  call('travel', { ...options, changes: toData(changes, 'the changes') }, { changes: 'an object or an array' }, [source])

/**
 * Runs a document twice, the second time with the keys of every map reversed and the lines of a log of events
 * shuffled, and compares the results. A recording is replayed strictly, the steps of a scenario are simulated without
 * your functions. If a document has errors, `reason` is why it was not run, and `validate` reports them.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns Whether both runs are the same, and the first difference.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { ok, firstDifference } = runTwice(document)
 * if (!ok) console.log(firstDifference?.step, firstDifference?.path, firstDifference?.first, firstDifference?.second)
 */
export const runTwice = (source: Source, options?: RunTwiceOptions): DeterminismReport =>
  call('runTwice', options, { seed: 'an integer' }, [source], 'twice')
