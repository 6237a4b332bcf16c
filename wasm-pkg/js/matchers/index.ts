// What tests expect of runs, in Vitest and in Jest.
import {
  type Source,
  type Tape,
  type TranscriptDocument,
  TranscriptDivergenceError,
  TranscriptError,
  compact,
  expand,
  parse,
} from 'transcript-workbench'
import { misuse } from '../api/misuse.ts'
import type { CountOrBounds } from '../types/index.ts'
import type { ExpectMatchers, MatchTranscriptOptions, Run } from '../types/matchers.ts'
import { type MatcherContext, pathOf, sourceAt, textAt, snapshotUpdate, writeText } from './files.ts'
import { checkCompared, findDifference } from './compare-run.ts'
import { type Assertion, checkAssertion, checkAssertions } from './check-assertion.ts'
import { rewrite } from './rewrite.ts'
import { messagesOf, transcriptOf } from './subject.ts'

/** Arguments that are patterns are texts. */
const checkText = (name: string, pattern: unknown) => {
  if (pattern instanceof RegExp) throw misuse(`${name}() takes a string; for a pattern there is toSatisfyAssertion('matches', { pattern })`)
}

/** A matcher of one assertion; `assertion` is made of its arguments. */
const createMatcher =
  <Args extends readonly unknown[]>(name: string, assertion: (...args: Args) => Assertion) =>
  (run: Run, ...args: Args) => {
    checkText(name, args[0])
    const { pass, words } = checkAssertion(run, assertion(...args))
    return { pass, message: () => `${pass ? 'not.' : ''}${name}: ${words}` }
  }

/** The options of a matcher over their defaults; an option that it does not have is misuse. */
const optionsOf = <Options extends object>(name: string, options: Partial<Options> | undefined, defaults: Options): Options => {
  if (options !== undefined && (typeof options !== 'object' || options === null)) throw misuse(`${name}() takes an object of options`)
  const unknown = Object.keys(options ?? {}).find((option) => !Object.hasOwn(defaults, option))
  if (unknown !== undefined) throw misuse(`${name}() has no option \`${unknown}\`; there is: ${Object.keys(defaults).join(', ')}`)
  return { ...defaults, ...options }
}

const isBounds = (value: unknown): value is Exclude<CountOrBounds, number> => typeof value === 'object' && value !== null

const countOf = (count: CountOrBounds) => (isBounds(count) ? count : { value: count })

const isJson = (path: string) => /\.json(\.gz)?$/i.test(path)

/** A new recording: in the short form where it can express all of the run. */
const writeNew = (path: string, run: string) => {
  writeText(path, isJson(path) ? expand(run, { format: 'json' }).text! : (compact(run).text ?? run))
  return { pass: true, message: () => `${path} was written` }
}

const HELP_NO_CALLS =
  'it never calls a model. If it is a recorder, your agent has to use the model that it records, such as `recordAiSdk(run).model(model)`'

/** What keeps a run from being written down. */
const unwritableReason = (run: string) => {
  const document = parse(run)
  try {
    const wrong = document.diagnostics.find(({ severity }) => severity === 'error')
    if (wrong !== undefined) return `the run has an error: ${wrong.message}`
    return document.steps.some(({ kind }) => kind === 'llm_call') ? undefined : HELP_NO_CALLS
  } finally {
    document.free()
  }
}

/** What to do about a run that a replay has stopped: its last answers are missing. */
const HELP_STOPPED =
  "a replay stopped the run, so its answers are missing: pass `ignore: ['messages[*]']` to replay(), and only this matcher compares"

const isStopped = (run: string) =>
  ((expand(run).transcript?.execution ?? []) as { readonly llm_error?: { readonly type?: string } }[]).some(
    ({ llm_error: error }) => error?.type === 'TranscriptDivergenceError',
  )

const updateRecording = (path: string, old: string, run: string, isWhole: boolean) => {
  const { text, problem } = rewrite(old, run, isWhole)
  if (text === null) return { pass: false, message: () => `${path} is not changed: ${problem}` }
  if (text !== old) writeText(path, text)
  return { pass: true, message: () => `${path} was changed` }
}

async function toMatchTranscript(this: MatcherContext, run: Run, file: string | URL, options?: MatchTranscriptOptions) {
  const path = pathOf(file, this.testPath)
  checkCompared(options)
  const messages = messagesOf(run)
  const update = snapshotUpdate(this)
  const recording = textAt(path)
  const isMissing = recording === undefined
  if (isMissing && (this.isNot || update === 'none')) {
    return { pass: this.isNot, message: () => `there is no recording ${path}; run the test with -u to write it` }
  }
  const { text, isWhole } = transcriptOf(run)
  const reason = unwritableReason(text)
  if (reason !== undefined) throw misuse(`toMatchTranscript() cannot use this run: ${reason}`)
  if (isMissing) return isStopped(text) ? { pass: false, message: () => `${path} is not written: ${HELP_STOPPED}` } : writeNew(path, text)
  let found: string | undefined
  try {
    found = await findDifference({ text: recording, file: path }, messages ?? { text, file: 'the run' }, options)
  } catch (error) {
    if (error instanceof TranscriptDivergenceError || !(error instanceof TranscriptError)) throw error
    // A recording that cannot be replayed proves nothing, for or against.
    throw misuse(`${path} cannot be replayed, and is not changed: ${error.message}`, { cause: error })
  }
  if (found === undefined) return { pass: true, message: () => `the run matches ${path}, but the test expects a difference` }
  if (isStopped(text)) return { pass: false, message: () => `${found}\n\n${path} is not changed: ${HELP_STOPPED}` }
  if (update === 'all' && !this.isNot) return updateRecording(path, recording, text, isWhole)
  return { pass: false, message: () => `${found}\n\nto record the run again, run the test with -u: it updates ${path}` }
}

function toBeComplete(tape: Pick<Tape, 'assertComplete'> | undefined) {
  if (typeof tape?.assertComplete !== 'function') throw misuse('toBeComplete() takes a tape: pass that of `await replay(file)`')
  try {
    tape.assertComplete()
    return { pass: true, message: () => 'the whole recording was played, but the test expects that it is not' }
  } catch (error) {
    return { pass: false, message: () => (error as Error).message }
  }
}

function toSatisfyAssertions(this: MatcherContext, run: Run, source?: Source | URL | TranscriptDocument) {
  const { pass, words } = checkAssertions(run, sourceAt(source, this.testPath))
  return { pass, message: () => `${pass ? 'not.' : ''}toSatisfyAssertions: ${pass ? 'all assertions hold\n' : ''}${words}` }
}

/** All matchers, for `expect.extend()`. */
export const matchers: ExpectMatchers = {
  toMatchTranscript,
  toBeComplete,
  toHaveCalledTool: createMatcher('toHaveCalledTool', (tool: string, args?: object) => ({
    type: 'tool_called',
    tool,
    ...(args && { parameters: args }),
  })),
  toHaveCalledToolTimes: createMatcher('toHaveCalledToolTimes', (tool: string, count: CountOrBounds) => ({
    type: 'tool_call_count',
    tool,
    ...countOf(count),
  })),
  toHaveCalledTools: createMatcher('toHaveCalledTools', (tools: string[], options?: { mode?: string }) => ({
    type: 'tool_sequence',
    tools,
    ...optionsOf('toHaveCalledTools', options, { mode: 'strict' }),
  })),
  toHaveFinalResponse: createMatcher('toHaveFinalResponse', (pattern: string, options?: { ignoreCase?: boolean }) => {
    const { ignoreCase } = optionsOf('toHaveFinalResponse', options, { ignoreCase: false })
    return { type: 'final_response_contains', pattern, ignore_case: ignoreCase }
  }),
  toHaveContext: createMatcher('toHaveContext', (key: string, value: unknown) => ({ type: 'context_value', key, value })),
  toStayWithinTurns: createMatcher('toStayWithinTurns', (max: number) => ({ type: 'max_turns', value: max })),
  toStayWithinTokens: createMatcher('toStayWithinTokens', (max: number) => ({ type: 'max_tokens', value: max })),
  toRunWithoutErrors: createMatcher('toRunWithoutErrors', () => ({ type: 'no_errors' })),
  toSatisfyAssertions,
  toSatisfyAssertion: createMatcher('toSatisfyAssertion', (type: string, fields?: object) => ({ type, ...fields })),
}
