// Time travel as an object: it collects changes, returns their effects, and plays the run on.
import type { MockFailureError } from '../api/errors.ts'
import { History, createContext } from '../api/context.ts'
import { toData, toJsonText } from '../api/data.ts'
import { errorMark } from '../api/error-mark.ts'
import { disposable } from '../api/disposable.ts'
import { type HostFunction, toFunction, isFunctionHandler, isMap } from '../api/functions.ts'
import { MISUSE, invalidState, misuse } from '../api/misuse.ts'
import { checkOptions, kindOf, openingOf } from '../api/options.ts'
import { sourceOf } from '../api/source.ts'
import { closest } from '../api/suggest.ts'
import { isAbortSignal, raceAbort, errorData } from '../api/abort.ts'
import type { Fields } from '../api/fields.ts'
import type {
  CanonicalMessage,
  Json,
  MockContext,
  MockFunction,
  MockModel,
  Options,
  TimeTravel as PublicTimeTravel,
  RecomputeOptions,
  Rerun as PublicRerun,
  RerunNeeds,
  RerunOptions,
  Source,
  TravelChange,
  TravelResult,
  TravelStep,
} from '../types/index.ts'
import type { RerunAnswers } from './answers.ts'
import { type RerunModule, beginRerun, call } from './wasm-module.ts'

const VALID_STATUSES = ['kept', 'changed', 'recomputed']
const RERUN_OPTIONS = ['maxSteps', 'continuePastEnd']

const checkNames = <Given extends RerunOptions>(call: string, options: Given, names: readonly string[]) => {
  if (!isMap(options)) throw misuse(`${call}() takes an object of options, but got ${kindOf(options)}`)
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = closest(name, names)
    throw misuse(`${call}() has no option \`${name}\`; ${near ? `did you mean \`${near}\`?` : `there are: ${names.join(', ')}`}`)
  }
  const { maxSteps, continuePastEnd } = options
  if (maxSteps !== undefined && (!Number.isSafeInteger(maxSteps) || maxSteps < 0)) {
    throw misuse(
      `the option \`maxSteps\` of ${call}() is an integer, but got ${typeof maxSteps === 'number' ? maxSteps : kindOf(maxSteps)}`,
    )
  }
  if (continuePastEnd !== undefined && typeof continuePastEnd !== 'boolean')
    throw misuse(`the option \`continuePastEnd\` of ${call}() is a boolean, but got ${kindOf(continuePastEnd)}`)
  return options
}

/** The history that a rerun has received; the core sends only new messages. */
const HISTORY = Symbol('history')

/** A changed run that continues step by step: it returns what it needs next, and takes that. */
class Rerun implements PublicRerun {
  #handle: RerunModule | undefined
  #isFinished = false;
  [HISTORY] = new History()

  declare readonly [Symbol.dispose]: () => void

  constructor(rerun: RerunModule) {
    disposable(this)
    this.#handle = rerun
  }

  #call<Method extends keyof RerunAnswers>(method: Method, argument?: string) {
    if (this.#handle === undefined) throw invalidState(this.#isFinished ? 'this rerun has finished' : 'this rerun has been freed')
    return this.#handle.call(method, argument)
  }

  /** What it needs next; calling it again returns the same. */
  needs(): RerunNeeds {
    const { same, messages, ...need } = this.#call('needs')
    if (need.kind === 'tool') return { ...need, call: { ...need.call, id: need.call.id || null } }
    if (need.kind !== 'response') return need
    // A request has both, and its list is the caller's own.
    const read = this[HISTORY].update(same!, messages!).reader()
    return { ...need, messages: read() as CanonicalMessage[] }
  }

  respond(response: unknown) {
    this.#call('respond', toJsonText(response, 'the answer'))
  }

  fail(error: unknown) {
    this.#call('fail', toJsonText(error, 'the error'))
  }

  toolResult(result: unknown) {
    this.#call('toolResult', toJsonText(result, 'the result'))
  }

  toolError(error: unknown) {
    this.#call('toolError', toJsonText(error, 'the error'))
  }

  /** The run as far as it has come. */
  finish() {
    const result = this.#call('finish')
    this.#isFinished = true
    this.free()
    return result
  }

  free() {
    this.#handle?.free()
    this.#handle = undefined
  }
}

const modelFunction = (model: MockFunction | Pick<MockModel, 'call'>): HostFunction => {
  if (isFunctionHandler(model)) return toFunction(model)
  if (typeof model?.call !== 'function') {
    const help = typeof (model as Fields)?.type === 'string' ? 'a handler: give it to mock(…)' : kindOf(model)
    throw misuse(`the option \`model\` of recompute() is a mock or a function, but got ${help}`)
  }
  return ({ agent, messages, iteration, model: name, tools, context, kwargs }, { signal }) =>
    model.call({ ...kwargs, messages, agent: agent ?? undefined, iteration, model: name ?? undefined, tools, context }, { signal })
}

const checkTools = (tools: NonNullable<RecomputeOptions['tools']> = {}) => {
  const wrong = isMap(tools) ? Object.entries(tools).find(([, tool]) => typeof tool !== 'function') : ['', tools]
  if (wrong === undefined) return tools
  const place = wrong[0] === '' ? '`tools`' : `\`tools.${wrong[0]}\``
  throw misuse(
    `the option ${place} of recompute() is ${wrong[0] === '' ? 'an object of functions' : 'a function'}, but got ${kindOf(wrong[1])}`,
  )
}

const MARKS = [errorMark('MockError', 'ERR_MOCK'), errorMark('InvalidResponseError', 'ERR_MOCK_INVALID_RESPONSE')]

/** An `InvalidResponseError`, which is known by its marks: the classes of mocks are those of the core. */
const invalidResponseError = (message: string, call: number) => {
  const error = new Error(message)
  for (const mark of MARKS) mark.give(error)
  return Object.assign(error, { call, path: 'model', place: null })
}

/** Plays a rerun to its end. */
const playToEnd = async (rerun: Rerun, { model, tools, signal }: RecomputeOptions & Required<Pick<RecomputeOptions, 'tools'>>) => {
  // What a function of the caller gets has the step as well.
  const respond = model === undefined ? undefined : modelFunction(model as MockFunction | Pick<MockModel, 'call'>)
  let callCount = 0
  for (;;) {
    signal?.throwIfAborted()
    const need = rerun.needs()
    if (need.kind === 'nothing') return need.ended
    if (need.kind === 'response') {
      if (respond === undefined) throw misuse(`the model has to answer again at step ${need.step}: pass a \`model\` to recompute()`)
      callCount += 1
      const { kind: _, messages: __, config, ...rest } = need
      // The messages are those of the history.
      const context = createContext({ ...rest, kwargs: config, callCount } as Omit<MockContext, 'messages'> as MockContext, rerun[HISTORY])
      let response: unknown
      try {
        response = await raceAbort((async () => respond(context, { signal }))(), signal)
      } catch (error) {
        // What a handler brings about on purpose is a failed call of the run.
        if ((error as Fields)?.name !== 'MockFailureError') throw error
        rerun.fail((error as MockFailureError).error)
        continue
      }
      toJsonText(response, 'the answer')
      try {
        rerun.respond(response)
      } catch (error) {
        if ((error as Fields)?.code !== MISUSE) throw error
        throw invalidResponseError((error as Error).message, callCount)
      }
      continue
    }
    const { call, agent, step } = need
    const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined
    if (tool === undefined) {
      const near = closest(call.name, Object.keys(tools))
      throw misuse(
        `the tool \`${call.name}\` has to run at step ${step}: give recompute() a function for it among its \`tools\`${near ? `; did you mean \`${near}\`?` : ''}`,
      )
    }
    let result: unknown
    try {
      const value = await raceAbort((async () => tool(call.arguments, { agent, call, step, signal }))(), signal)
      if (value instanceof Error) throw value
      result = toData(value, `the result of the tool \`${call.name}\``)
    } catch (thrown) {
      signal?.throwIfAborted()
      rerun.toolError(errorData(thrown).message)
      continue
    }
    rerun.toolResult(result)
  }
}

/** What the module does for a run with changes. */
interface TravelModule {
  resultOf(changes: readonly TravelChange[]): TravelResult
  begin(changes: readonly TravelChange[], options: RerunOptions): RerunModule
}

/** A run with changes. Each change makes a new one, so one beginning can have many ends. */
class TimeTravel implements PublicTimeTravel {
  #core: TravelModule
  #changes: readonly TravelChange[]
  #result: TravelResult | undefined

  constructor(make: TravelModule, changes: readonly TravelChange[]) {
    this.#core = make
    this.#changes = changes
  }

  get changes() {
    return structuredClone(this.#changes) as TravelChange[]
  }

  change(change: TravelChange | readonly TravelChange[]) {
    const data = toData(change, 'the change')
    return new TimeTravel(this.#core, [...this.#changes, ...(Array.isArray(data) ? data : [data])])
  }

  edit(step: TravelStep, content: Json, { message }: { message?: string } = {}) {
    return this.change({ edit_message: { step, content, ...(message !== undefined && { message }) } })
  }

  skip(step: TravelStep) {
    return this.change({ skip: { step } })
  }

  move(step: TravelStep, to: TravelStep) {
    return this.change({ move: { step, to } })
  }

  replace(step: TravelStep, replacement: { response: unknown } | { result: unknown } | { error: unknown }) {
    const [kind, ...more] = isMap(replacement) ? ['response', 'result', 'error'].filter((key) => Object.hasOwn(replacement, key)) : []
    if (kind === undefined || more.length > 0) {
      throw misuse(
        `replace() takes a step and one of {response}, {result} and {error}, but got ${more.length > 0 ? 'several' : kindOf(replacement)}`,
      )
    }
    const { [kind]: value } = replacement as { readonly [kind: string]: unknown }
    // Each kind belongs to one of the two changes.
    return this.change({ [kind === 'response' ? 'replace_response' : 'replace_result']: { step, [kind]: value ?? null } } as TravelChange)
  }

  setContext(step: TravelStep, key: string, value?: Json) {
    return this.change({ set_context: { step, key, ...(value === undefined ? { unset: true } : { value }) } })
  }

  insert(after: TravelStep, turn: Json) {
    return this.change({ insert: { after, turn } })
  }

  fork(at: TravelStep) {
    return this.change({ fork: { at } })
  }

  /** The new run, the status of each step, and the fate of the old steps. */
  result() {
    this.#result ??= this.#core.resultOf(this.#changes)
    return structuredClone(this.#result)
  }

  get diverged() {
    return this.result().marks.filter(({ status }) => !VALID_STATUSES.includes(status))
  }

  rerun(options: RerunOptions = {}) {
    return new Rerun(this.#core.begin(this.#changes, checkNames('rerun', options, RERUN_OPTIONS)))
  }

  async recompute(options: RecomputeOptions = {}) {
    const { model, tools, signal, ...rest } = checkNames('recompute', options, ['model', 'tools', 'signal', ...RERUN_OPTIONS])
    if (signal !== undefined && !isAbortSignal(signal))
      throw misuse(`the option \`signal\` of recompute() is an AbortSignal, but got ${kindOf(signal)}`)
    signal?.throwIfAborted()
    const functions = checkTools(tools)
    const changed = this.result()
    if (!changed.ok) return { ...changed, ended: null }
    const rerun = this.rerun(rest)
    try {
      const ended = await playToEnd(rerun, { model, tools: functions, signal })
      return { ...rerun.finish(), ended }
    } finally {
      rerun.free()
    }
  }
}

/**
 * Changes a recorded run at some steps, reports what is no longer valid, and continues it.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @returns The run with its changes. Each change returns a new one.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const trip = timeTravel(source).replace(2, { result: { temp: 10 } })
 * trip.diverged // [{ step: '3', status: 'diverged', … }]
 * const { text, holds } = await trip.recompute({ model: mock("It's cold") })
 */
export const timeTravel = (source: Source, options?: Options): PublicTimeTravel => {
  const checked = checkOptions('timeTravel', options, [])
  const opening = openingOf('timeTravel', checked)
  const found = sourceOf('timeTravel', source, checked)
  const resultOf = (changes: readonly TravelChange[]) =>
    call('travel', { ...checked, changes }, { changes: 'an object or an array' }, [found])
  const begin = (changes: readonly TravelChange[], rerunOptions: RerunOptions) =>
    beginRerun(found, JSON.stringify({ ...opening, file: found.file, changes, ...rerunOptions }))
  return new TimeTravel({ resultOf, begin }, [])
}
