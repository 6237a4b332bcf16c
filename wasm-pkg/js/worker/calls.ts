// The calls that a worker offers; both sides of the port use this list.

/** By name, the number of arguments before the options. */
type Arities = { [name: string]: number }

/** The calls, by the number of arguments before their options. */
export const CALLS: Arities = {
  validate: 1,
  expand: 1,
  detect: 1,
  check: 1,
  checkRun: 2,
  compact: 1,
  format: 1,
  fix: 1,
  edit: 2,
  diff: 2,
  coverage: 1,
  redact: 1,
  runTwice: 1,
  travel: 2,
  importLog: 1,
  exportTranscript: 1,
  drift: 2,
  recover: 1,
  simulate: 1,
  orderEvents: 1,
  verifyDeterminism: 1,
}

/** The parts of calls that need no other function, by the call. */
export const PARTS: { [call: string]: Arities } = { generate: { prompt: 1, assess: 1, repair: 2 } }

/** The calls that report their progress themselves, with the option `onProgress`. */
export const REPORTS_PROGRESS = new Set(['verifyDeterminism'])

/**
 * What stays open in the worker, by the call that opens it: its methods and properties, each with its number of arguments
 * before the options.
 */
export const HANDLES: { [Call in 'parse' | 'readEvents']: Arities } = {
  parse: {
    ok: 0,
    readable: 0,
    diagnostics: 0,
    overview: 0,
    steps: 0,
    step: 1,
    state: 1,
    changes: 2,
    expectations: 0,
    references: 0,
    check: 0,
    checkRun: 1,
    expand: 1,
    render: 0,
    renderExpandProblem: 0,
  },
  readEvents: {
    ok: 0,
    diagnostics: 0,
    overview: 0,
    tools: 0,
    agents: 0,
    render: 0,
    order: 0,
    layers: 0,
    rows: 0,
    event: 1,
    past: 1,
    future: 1,
    explain: 1,
    between: 2,
    shuffled: 1,
    replay: 0,
  },
}
