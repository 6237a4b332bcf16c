import type {
  Diagnostic,
  Options,
  PropertyTape as PublicPropertyTape,
  ReplayMode,
  ReplaySettings,
  Source,
  Tape as PublicTape,
  ToolTape as PublicToolTape,
} from '../types/index.ts'
import { openDocument } from './document.ts'
import { TranscriptError } from './errors.ts'
import { decompressedLater } from './gzip.ts'
import { misuse } from './misuse.ts'
import { checkOptions, kindOf, openingOf, oneOf } from './options.ts'
import { PropertyTape } from './property.ts'
import { type LoadedSource, sourceOf } from './source.ts'
import { Tape } from './tape.ts'
import { ToolTape } from './tools.ts'
import { isAbortSignal, raceAbort } from './abort.ts'

const MODES = ['strict', 'mocked-tools', 'property'] as const

type ReadFile = (path: string | URL) => Promise<Uint8Array>

let readFile: ReadFile | undefined

/** Lets `replay` take names of files; the entry for Node calls it. `read` gives the bytes of a path or URL. @internal */
export const useFiles = (read: ReadFile) => {
  readFile = read
}

const isFileName = (source: unknown): source is string => typeof source === 'string' && !/[\r\n]/.test(source)

/** Whether a name of a file begins at a root: of POSIX, a drive, or a network share. */
const isAbsolute = (name: string) => /^([/\\]|[a-z]:[/\\])/i.test(name)

/** How to get a file that is not there. */
const helpOfMissing = (source: string | URL) =>
  source instanceof URL || isAbsolute(source)
    ? 'record the run first, or write the file'
    : 'a name is relative to the current folder: pass new URL(name, import.meta.url), or {text} for a transcript on one line'

/** The name of a file in messages: that of a URL is its path. */
const nameOf = (source: string | URL) =>
  source instanceof URL && source.protocol === 'file:'
    ? decodeURIComponent(source.pathname).replace(/^\/(?=[a-z]:\/)/i, '')
    : String(source)

/** Why a file cannot be read, and what to do about it. */
const unreadableText = (source: string | URL, code: string | undefined, message: string) => {
  if (code === 'ENOENT') return `there is no file \`${nameOf(source)}\`; ${helpOfMissing(source)}`
  if (code === 'ENAMETOOLONG') return 'this text is too long for the name of a file; pass a transcript on one line as {text}'
  return `replay() cannot read the file \`${nameOf(source)}\`: ${message}`
}

const load = async (source: Source | URL, { maxBytes }: Options): Promise<LoadedSource> => {
  if (readFile !== undefined && (isFileName(source) || source instanceof URL)) {
    try {
      return sourceOf('replay', { bytes: await readFile(source), file: nameOf(source) }, { maxBytes })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      throw Object.assign(new Error(unreadableText(source, code, message), { cause: error }), { code })
    }
  }
  if (source instanceof URL || (isFileName(source) && /\.(ya?ml|json)$/i.test(source))) {
    throw misuse('replay() takes text here, not the name of a file: fetch the file and pass its text')
  }
  const loaded = sourceOf('replay', source, { maxBytes })
  return loaded.bytes ? { ...loaded, bytes: await decompressedLater(loaded.bytes, maxBytes) } : loaded
}

const OWN = ['mode', 'ignore', 'compare', 'order', 'leftover', 'unrecorded', 'match', 'signal']

/** Options with an effect in one mode only. */
const MODES_OF_OPTION: { readonly [name: string]: readonly ReplayMode[] } = {
  ignore: ['strict', 'mocked-tools'],
  compare: ['strict'],
  order: ['strict'],
  leftover: ['strict', 'mocked-tools'],
  unrecorded: ['strict'],
  match: ['mocked-tools'],
}

/** All options of a replay but the mode. */
type AllSettings = ReplaySettings & { match?: string }

/** Rejects options without an effect, or with two at once. */
const checkEffective = (mode: ReplayMode, options: AllSettings) => {
  for (const [name, modes] of Object.entries(MODES_OF_OPTION)) {
    if (options[name as keyof AllSettings] === undefined || modes.includes(mode)) continue
    throw misuse(`the option \`${name}\` of replay() has no effect in the mode \`${mode}\`; it is one of ${modes.join(' and ')}`)
  }
  const both = options.compare?.find((name) => options.ignore?.includes(name))
  if (both !== undefined) throw misuse(`replay() cannot both compare and ignore \`${both}\``)
}

/** The settings of a replay among its options, for the core. */
const settingsOf = ({ ignore, compare, order, leftover, unrecorded }: ReplaySettings): ReplaySettings => {
  for (const [name, value] of Object.entries({ ignore, compare })) {
    if (value !== undefined && !Array.isArray(value)) {
      throw misuse(`the option \`${name}\` of replay() takes a list, but got ${kindOf(value)}`)
    }
  }
  return {
    ...(ignore && { ignore }),
    ...(compare && { compare }),
    order: oneOf('replay', 'order', order, ['sequence', 'any']),
    leftover: oneOf('replay', 'leftover', leftover, ['fail', 'allow']),
    unrecorded: oneOf('replay', 'unrecorded', unrecorded, ['fail', 'allow']),
  }
}

/** Whether it prevents a replay: an invalid assertion affects only itself. */
const preventsReplay = ({ severity, code }: Diagnostic) => severity === 'error' && !/^T50\d$/.test(code)

/**
 * Starts a replay of a recording: the agent must send the recorded requests, and gets the recorded answers.
 *
 * In Node a string without a line break, or a `URL`, names a file. A page accepts only texts.
 *
 * @throws {TranscriptError} when the transcript has errors. One that records no model call is complete at once.
 * @example
 * const tape = await replay('run.yaml')
 * await generateText({ model: aiSdkModel(tape), prompt, tools, stopWhen: isStepCount(9) })
 * tape.assertComplete()
 */
export function replay(
  source: Source | URL,
  options?: Options &
    ReplaySettings & {
      mode?: 'strict'
    },
): Promise<PublicTape>
/**
 * Starts a replay of the tools of a recording, for a live model.
 *
 * @example
 * const tools = await replay('run.yaml', { mode: 'mocked-tools' })
 * const weather = tool({ inputSchema, execute: tools.tool('weather') })
 */
export function replay(
  source: Source | URL,
  options: Options &
    ReplaySettings & {
      mode: 'mocked-tools'
      /** How to find the result of a call: by tool and arguments, by the call's id, or by the order of a tool's calls. */
      match?: 'arguments' | 'id' | 'order'
    },
): Promise<PublicToolTape>
/**
 * Starts a run to check against the recording's assertions, whatever its own text.
 *
 * @example
 * const tape = await replay('run.yaml', { mode: 'property' })
 * tape.report({ format: 'ai-sdk', messages: [...prompt, ...result.responseMessages] })
 * tape.assertToolCalled('weather', { city: 'Rome' })
 * tape.assertComplete()
 */
export function replay(source: Source | URL, options: Options & { mode: 'property'; signal?: AbortSignal }): Promise<PublicPropertyTape>
export async function replay(
  source: Source | URL,
  options?: Options & AllSettings & { mode?: ReplayMode },
): Promise<PublicTape | PublicToolTape | PublicPropertyTape> {
  const checked = checkOptions('replay', options, OWN)
  const mode = oneOf('replay', 'mode', checked.mode, MODES)
  const settings = settingsOf(checked)
  const match = oneOf('replay', 'match', checked.match, ['arguments', 'id', 'order'])
  checkEffective(mode, checked)
  const { signal } = checked
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw misuse(`the option \`signal\` of replay() is an AbortSignal, but got ${kindOf(signal)}`)
  }
  signal?.throwIfAborted()
  // Wrong limits are rejected before anything is read, in the name of this call.
  openingOf('replay', checked)
  const limits = Object.fromEntries(Object.entries(checked).filter(([name]) => !OWN.includes(name)))
  const loaded = await raceAbort(load(source, limits), signal)
  const document = openDocument(loaded, limits)
  const errors = document.diagnostics.filter(preventsReplay).length
  if (errors > 0) {
    const message = `${loaded.file} cannot be replayed: it has ${errors} ${errors === 1 ? 'error' : 'errors'}`
    throw TranscriptError.create(message, document.diagnostics, document.render())
  }
  if (document.overview.form === 'handlers') {
    document.free()
    throw misuse(`${loaded.file} has handlers and no run: pass its text to mockModel()`)
  }
  if (mode === 'property') return new PropertyTape(document, loaded.file)
  if (mode === 'mocked-tools') return new ToolTape(document, loaded.file, match, settings)
  return new Tape(document, loaded.file, settings)
}
