// The proof that a log replays the same each time.
//
// A run is compared by the fingerprints of its trace, and keeps what its tools gave. Where two fingerprints differ, the lines
// around are made again out of that, so that no trace is ever held whole.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { closest } from '../api/suggest.ts'
import { isAbortSignal, raceAbort } from '../api/abort.ts'
import type { Source } from '../types/index.ts'
import type { EventHandler, EventTool, TraceDivergence, Verification, VerifyDeterminism } from '../types/experimental.ts'
import type { ModuleName, OpenedLog, Proof, ProofRun, ReplayOptions, ThreadResult } from './proof.ts'
import { loadErrorText } from './load-error.ts'

const OPTIONS = ['order', 'maxBytes', 'runs', 'seed', 'tools', 'handlers', 'timeout', 'isolate', 'signal', 'onProgress']

/** Lines before the first difference, and lines after the block it is in, which a diff shows. */
const BEFORE = 3
const AFTER = 400

/** The warning about a log that proves nothing. */
const NOTHING = 'the log has no events, so there is nothing to verify'

const ordinal = (run: number) => ['first', 'second', 'third'][run - 1] ?? `${run}th`

/** What was opened once may be some bytes longer in another order of lines. */
const NO_LIMIT = 0xffffffff

const isModule = (value: unknown): value is string | URL => typeof value === 'string' || value instanceof URL

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Warnings about names that the log does not have: about all of them, or about one that is similar to another. */
const unknownNameWarnings = (names: readonly string[], known: readonly string[], what: ModuleName, who: string) => {
  const unknown = names.filter((name) => !known.includes(name))
  const free = known.filter((name) => !names.includes(name))
  if (known.length === 0)
    return names.length === 0
      ? []
      : [`the log has no ${who}, so that ${list(names)} of the ${what} ${names.length === 1 ? 'does' : 'do'} nothing`]
  const suggestions = unknown.flatMap((name) => {
    const near = closest(name, free)
    return near ? [`the log has no ${who} \`${name}\`; did you mean \`${near}\`?`] : []
  })
  if (suggestions.length > 0 || names.length === 0 || unknown.length < names.length) return suggestions
  return [`none of the ${what} (${list(names)}) is a ${who} of the log, which has ${list(known.slice(0, 20))}`]
}

const checkListeners = (signal: unknown, onProgress: unknown) => {
  const wrong = (name: string, wanted: string, value: unknown) =>
    misuse(`the option \`${name}\` of verifyDeterminism() is ${wanted}, but got ${kindOf(value)}`)
  if (signal !== undefined && !isAbortSignal(signal)) throw wrong('signal', 'an AbortSignal', signal)
  if (typeof onProgress !== 'function') throw wrong('onProgress', 'a function', onProgress)
}

/** What verifies is made of. */
interface VerifyParts {
  opened(name: string, source: Source, options: { maxBytes: number | undefined }): OpenedLog
  compareTraces(first: string, second: string): TraceDivergence | null
  optionsOf<Given extends object>(name: string, options: Given | undefined, names: readonly string[]): Given
  toolsOf(name: string, tools: unknown): { [name: string]: EventTool }
  handlersOf(name: string, handlers: unknown): Map<string, EventHandler>
  /** What a platform with threads does; undefined on others. */
  proof(): Proof | undefined
  /** How many lines of a trace have one fingerprint. */
  block(): number
}

/** How the traces of the runs compare. */
type Verdict = Pick<Verification, 'identical' | 'runs'> & Partial<Pick<Verification, 'divergence' | 'differingRun'>>

type VerifyOptions = NonNullable<Parameters<VerifyDeterminism>[1]>

export const createVerify = ({ opened: openLog, compareTraces, optionsOf, toolsOf, handlersOf, proof, block }: VerifyParts) => {
  /** The first difference of two runs; `again` ran with the lines in another order, which `bytes` has. */
  const firstDifference = (first: ProofRun, again: ProofRun, run: number, source: Source, bytes: Source, maxBytes: number | undefined) => {
    const length = Math.max(first.fingerprints.length, again.fingerprints.length)
    const at = Array.from({ length }).findIndex((_, at) => first.fingerprints[at] !== again.fingerprints[at])
    if (at < 0) return null
    const from = Math.max(0, at * block() - BEFORE)
    const traceLines = (source: Source, run: ProofRun, maxBytes: number | undefined) => {
      const { traceLines, free } = openLog('verifyDeterminism', source, { maxBytes })
      try {
        return traceLines(run, from, block() + BEFORE + AFTER)
      } finally {
        free()
      }
    }
    const found = compareTraces(traceLines(source, first, maxBytes), traceLines(bytes, again, NO_LIMIT))
    const nothing: TraceDivergence = { line: 1, event: null, field: '', first: null, second: null, diff: '' }
    const { line, diff, ...rest } = found ?? nothing
    // It is made of two texts, and takes the other for that of the second run.
    return { ...rest, line: line + from, diff: diff.replace('\n+++ second run\n', `\n+++ ${ordinal(run)} run\n`) }
  }

  /**
   * Replays a log several times, each time with its lines in another order, and compares the traces byte by byte. Tools
   * in a module run a second time in a thread with its own wasm and another clock; functions
   * run in this program each time.
   */
  const verifyDeterminism = async (source: Source, options?: VerifyOptions): Promise<Verification> => {
    const {
      order = 'kahn',
      maxBytes,
      seed = 1,
      tools: toolsOption,
      handlers: models,
      timeout,
      signal,
      onProgress = () => {},
      ...rest
    } = optionsOf('verifyDeterminism', options, OPTIONS)
    checkListeners(signal, onProgress)
    signal?.throwIfAborted()
    const modules = { tools: toolsOption, handlers: models }
    const named = (Object.keys(modules) as ModuleName[]).filter((name) => isModule(modules[name]))
    const isIsolated = rest.isolate === true || named.length > 0
    const host = proof()
    if (isIsolated && host === undefined) {
      throw misuse('verifyDeterminism() can isolate a run only in Node: pass `tools` and `handlers` as functions')
    }
    const withFunctions = (Object.keys(modules) as ModuleName[]).find(
      (name) => isIsolated && modules[name] !== undefined && !isModule(modules[name]),
    )
    if (withFunctions !== undefined) {
      throw misuse(`verifyDeterminism() cannot isolate the \`${withFunctions}\` of this program: pass modules, by path or URL`)
    }
    const runs = rest.runs ?? (named.length > 0 ? 3 : 2)
    if (runs < 2) throw misuse('the option `runs` of verifyDeterminism() is 2 or more')

    let open = openLog('verifyDeterminism', source, { maxBytes })
    const { ok: readable, diagnostics } = open.log
    const warnings: string[] = []
    const answer = (first: Partial<ProofRun>, verdict: Verdict) => {
      const { events = 0, failed = 0, failures = [], changedResults = 0, toolCallCount = 0, answered = 0, timedOut = false } = first
      const ok = readable && verdict.identical && failed === 0
      return {
        ok,
        readable,
        divergence: null,
        differingRun: null,
        ...verdict,
        isolated: isIsolated,
        events,
        failed,
        failures,
        timedOut,
        changedResults,
        toolCallCount,
        answered,
        warnings,
        diagnostics,
      }
    }
    try {
      const { tools: toolNames, agents } = open.log
      const addresses = Object.fromEntries(named.map((name) => [name, host!.addressOf(modules[name] as string | URL)]))
      const unloadable = (name: ModuleName, reason: string, where = '') =>
        misuse(`cannot load the ${name} of \`${modules[name]}\`${where}: ${reason}`)
      const loaded = async (name: ModuleName) => {
        if (!named.includes(name)) return modules[name]
        try {
          return await raceAbort<unknown>(host![`${name}In` as const](addresses[name]!, agents), signal)
        } catch (error) {
          signal?.throwIfAborted()
          throw unloadable(name, loadErrorText(error))
        }
      }
      const tools = toolsOf('verifyDeterminism', await loaded('tools'))
      // Others are rejected at once.
      const handlers = (await loaded('handlers')) as ReplayOptions['handlers']
      const answering = [...handlersOf('verifyDeterminism', handlers).keys()]
      if (!readable) return answer({}, { identical: false, runs: 0 })
      if (open.log.overview.events === 0) {
        warnings.push(NOTHING)
        return answer({}, { identical: false, runs: 0 })
      }
      warnings.push(
        ...unknownNameWarnings(Object.keys(tools), toolNames, 'tools', 'tool'),
        ...unknownNameWarnings(answering, agents, 'handlers', 'agent'),
      )

      const playing = { order, tools, handlers, timeout }
      const done = async (run: number) => {
        onProgress({ phase: 'run', done: run, total: runs })
        if (signal === undefined || run === runs) return
        // A run that never waits blocks all other events.
        await new Promise((go) => setTimeout(go))
        signal.throwIfAborted()
      }
      // An aborted run ends at its next step: its log is freed then.
      const proofRun = () => raceAbort(open.proofRun(playing), signal)
      await done(0)
      const first = await proofRun()
      await done(1)
      if (first.timedOut) return answer(first, { identical: false, runs: 1 })
      for (let run = 2; run <= runs; run += 1) {
        const lines = () => open.shuffled((seed + run - 2) % 0xffffffff)
        let again: ThreadResult
        let bytes: () => Uint8Array
        if (isIsolated && run === 2) {
          again = await host!.runInThread(lines(), { order, timeout, agents, ...addresses }, signal)
          if (again.unloaded !== undefined) throw unloadable(again.unloaded, again.reason, ' in a thread of its own')
          if (again.ended !== undefined) throw misuse(again.ended)
          bytes = lines
        } else {
          const text = lines()
          // One log is held at a time: a long one takes more than its text.
          open.free()
          open = openLog('verifyDeterminism', text, { maxBytes: NO_LIMIT })
          again = await proofRun()
          bytes = () => text
        }
        if (again.timedOut) return answer(again, { identical: false, runs: run, differingRun: run })
        const divergence = firstDifference(first, again, run, source, bytes(), maxBytes)
        if (divergence !== null) return answer(first, { identical: false, divergence, differingRun: run, runs: run })
        await done(run)
      }
      return answer(first, { identical: true, runs })
    } finally {
      open.free()
    }
  }

  return verifyDeterminism
}
