// The functions that write, change and compare documents.
import { toData } from '../api/data.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import { createBuilder } from './builder.js'
import { createCaller, initAuthoring, initAuthoringSync } from './wasm-module.js'
import { eventOperations } from './events.js'
import { createExport } from './export.js'
import { createGenerate } from './generate.js'
import { createImport } from './import.js'
import { createSimulate } from './simulate.js'
import { createTimeTravel } from './travel.js'

export { initAuthoring, initAuthoringSync }
export { useGunzip } from '../api/gzip.ts'
export { useWriting } from './builder.js'
export { useNode } from './events.js'

const unstarted = () => {
  throw new Error('authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first')
}

const TEXTS = 'a list of texts'
const REDACTING = { kinds: TEXTS, also: TEXTS, keys: TEXTS }
const COMPARING = { ignore: TEXTS, literalIds: 'true or false', color: 'true or false' }

/** What an answer has when there was nothing to answer about, so that all answers of a call have one shape. */
const EMPTY = {
  format: { changed: false },
  fix: { applied: [], left: 0 },
  edit: { edits: [], notes: [], problem: null },
  diff: { summary: null, changes: [], ignored: [] },
  drift: { requests: [] },
  redact: { count: 0, items: [], staleBlobs: [], formChanged: false },
}

const decoder = new TextDecoder()

const checkSeen = (name, value) => {
  if (value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))) return value
  throw misuse(`\`${name}\` of what coverage() gets is ${TEXTS}, but it is ${kindOf(value)}`)
}

const readUsed = (used, options) => {
  const list = Array.isArray(used) ? used : [used]
  return list.map((one) => {
    const { text, bytes, file } = sourceOf('coverage', one, options)
    const [consumed, fired] = ['consumed', 'fired'].map((name) => checkSeen(name, one[name]))
    return { text: text ?? decoder.decode(bytes), file, consumed, fired }
  })
}

/** The functions of `transcript-workbench/experimental`. */
export const experimental = (start = unstarted) => eventOperations(start)

/** All functions. `start` starts the module at the first call; without it that is the caller's task. */
export const operations = (start = unstarted) => {
  const callModule = createCaller(start)
  const call = (name, ...rest) => {
    const answer = callModule(name, ...rest)
    const empty = EMPTY[name]
    return empty === undefined ? answer : { ...empty, diagnostics: [], ...answer }
  }
  const atOffset = (name) => (source, offset, options) => {
    if (!Number.isSafeInteger(offset) || offset < 0) {
      const got = typeof offset === 'number' ? `\`${offset}\`` : kindOf(offset)
      throw misuse(`${name}() takes an offset in bytes, a whole number from 0, but got ${got}`)
    }
    return call(name, { ...options, offset }, { offset: 'a whole number' }, [source])
  }
  return {
    compact: (source, options) => call('compact', options, { force: 'true or false' }, [source]),
    format: (source, options) => call('format', options, {}, [source]),
    fix: (source, options) => call('fix', options, {}, [source]),
    edit: (source, change, options) =>
      call('edit', { ...options, change: toData(change, 'the change') }, { change: 'an object or a list' }, [source]),
    complete: atOffset('complete'),
    hover: atOffset('hover'),
    diff: (left, right, options) => call('diff', options, COMPARING, [left, right]),
    coverage: (used, options) =>
      call('coverage', { ...options, documents: readUsed(used, options ?? {}) }, { documents: 'an object or a list' }, []),
    redact: (source, options) => call('redact', options, REDACTING, [source]),
    travel: (source, changes, options) =>
      call('travel', { ...options, changes: toData(changes, 'the changes') }, { changes: 'an object or a list' }, [source]),
    runTwice: (source, options) => call('runTwice', options, { seed: 'a whole number' }, [source], 'twice'),
    ...createExport(call),
    ...createImport(call),
    simulate: createSimulate(start),
    timeTravel: createTimeTravel(start, call),
    ...createGenerate(call),
    ...createBuilder(call),
  }
}
