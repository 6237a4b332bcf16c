// The functions that write, change and compare documents.
import { toData } from '../api/data.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import type { Change, CoverageSource, Options, RunTwiceOptions, Source, TravelChange, compact, diff, redact } from '../types/index.ts'
import { createBuilder } from './builder.ts'
import { type CallModule, type Start, createCaller, initAuthoring, initAuthoringSync } from './wasm-module.ts'
import { eventOperations } from './events.ts'
import { createExport } from './export.ts'
import { createGenerate } from './generate.ts'
import { createImport } from './import.ts'
import { createSimulate } from './simulate.ts'
import { createTimeTravel } from './travel.ts'

export { initAuthoring, initAuthoringSync }
export { useGunzip } from '../api/gzip.ts'
export { useWriting } from './builder.ts'
export { useNode } from './events.ts'

const unstarted = () => {
  throw new Error('authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first')
}

const TEXTS = 'a list of texts'
const REDACTING = { kinds: TEXTS, also: TEXTS, keys: TEXTS } as const
const COMPARING = { ignore: TEXTS, literalIds: 'true or false', color: 'true or false' } as const

/** What an answer has when there was nothing to answer about, so that all answers of a call have one shape. */
const EMPTY: { [operation: string]: object } = {
  format: { changed: false },
  fix: { applied: [], left: 0 },
  edit: { edits: [], notes: [], problem: null },
  diff: { summary: null, changes: [], ignored: [] },
  drift: { requests: [] },
  redact: { count: 0, items: [], staleBlobs: [], formChanged: false },
}

const decoder = new TextDecoder()

const checkSeen = (name: string, value: unknown) => {
  if (value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))) return value
  throw misuse(`\`${name}\` of what coverage() gets is ${TEXTS}, but it is ${kindOf(value)}`)
}

const readUsed = (used: CoverageSource | CoverageSource[], options: Options) => {
  const list = Array.isArray(used) ? used : [used]
  return list.map((one) => {
    const { text, bytes, file } = sourceOf('coverage', one, options)
    const [consumed, fired] = ['consumed', 'fired'].map((name) => checkSeen(name, (one as { [name: string]: unknown })[name]))
    return { text: text ?? decoder.decode(bytes), file, consumed, fired }
  })
}

/** The functions of `transcript-workbench/experimental`. */
export const experimental = (start: Start = unstarted) => eventOperations(start)

/** All functions. `start` starts the module at the first call; without it that is the caller's task. */
export const operations = (start: Start = unstarted) => {
  const callModule = createCaller(start)
  const call: CallModule = (name, ...rest) => {
    const answer = callModule(name, ...rest)
    const empty = EMPTY[name]
    // What is added has the form that the answer has where it is present.
    return empty === undefined ? answer : ({ ...empty, diagnostics: [], ...answer } as typeof answer)
  }
  const atOffset =
    <Name extends 'complete' | 'hover'>(name: Name) =>
    (source: Source, offset: number, options?: Options) => {
      if (!Number.isSafeInteger(offset) || offset < 0) {
        const got = typeof offset === 'number' ? `\`${offset}\`` : kindOf(offset)
        throw misuse(`${name}() takes an offset in bytes, a whole number from 0, but got ${got}`)
      }
      return call(name, { ...options, offset }, { offset: 'a whole number' }, [source])
    }
  return {
    compact: (source: Source, options?: Parameters<typeof compact>[1]) => call('compact', options, { force: 'true or false' }, [source]),
    format: (source: Source, options?: Options) => call('format', options, {}, [source]),
    fix: (source: Source, options?: Options) => call('fix', options, {}, [source]),
    edit: (source: Source, change: Change, options?: Options) =>
      call('edit', { ...options, change: toData(change, 'the change') }, { change: 'an object or a list' }, [source]),
    complete: atOffset('complete'),
    hover: atOffset('hover'),
    diff: (left: Source, right: Source, options?: Parameters<typeof diff>[2]) => call('diff', options, COMPARING, [left, right]),
    coverage: (used: CoverageSource | CoverageSource[], options?: Options) =>
      call('coverage', { ...options, documents: readUsed(used, options ?? {}) }, { documents: 'an object or a list' }, []),
    redact: (source: Source, options?: Parameters<typeof redact>[1]) => call('redact', options, REDACTING, [source]),
    travel: (source: Source, changes: TravelChange | readonly TravelChange[], options?: Options) =>
      call('travel', { ...options, changes: toData(changes, 'the changes') }, { changes: 'an object or a list' }, [source]),
    runTwice: (source: Source, options?: RunTwiceOptions) => call('runTwice', options, { seed: 'a whole number' }, [source], 'twice'),
    ...createExport(call),
    ...createImport(call),
    simulate: createSimulate(start),
    timeTravel: createTimeTravel(start, call),
    ...createGenerate(call),
    ...createBuilder(call),
  }
}
