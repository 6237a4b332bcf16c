// Checks a run against the assertions of a recording, whatever framework the run comes from.
import type {
  ActualRun,
  AssertionType,
  Check,
  CheckOutcome,
  Evidence,
  TranscriptDocument as OpenTranscript,
  PropertyTape as PublicPropertyTape,
  Recorder,
  RunCall,
  RunError,
  RunFacts,
  RunMessage,
} from '../types/index.ts'
import { checkRun } from './check.ts'
import { toData } from './data.ts'
import { type TranscriptDocument, handleOf } from './document.ts'
import { TranscriptAssertionError } from './errors.ts'
import { disposable } from './disposable.ts'
import { invalidState, misuse } from './misuse.ts'
import { kindOf } from './options.ts'

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The methods that check one assertion against the run, each with the names of its arguments. */
const ASSERTION_METHODS: { readonly [method: string]: readonly [type: AssertionType, ...names: string[]] } = {
  assertContains: ['contains', 'pattern'],
  assertNotContains: ['not_contains', 'pattern'],
  assertMatches: ['matches', 'pattern'],
  assertEquals: ['equals', 'value'],
  assertFinalResponseContains: ['final_response_contains', 'pattern'],
  assertToolCalled: ['tool_called', 'tool', 'parameters'],
  assertToolParamsInclude: ['tool_called', 'tool', 'parameters'],
  assertToolNotCalled: ['tool_not_called', 'tool', 'parameters'],
  assertToolCallCount: ['tool_call_count', 'value', 'tool'],
  assertToolSequence: ['tool_sequence', 'tools'],
  assertContextValue: ['context_value', 'key', 'value'],
  assertMessageCount: ['message_count', 'value', 'role'],
  assertVisible: ['visible', 'message', 'value'],
  assertMaxTokens: ['max_tokens', 'value'],
  assertMaxTurns: ['max_turns', 'value'],
  assertNoErrors: ['no_errors'],
  assertJsonPath: ['json_path', 'path', 'value'],
  assertExpr: ['expr', 'expr'],
}

const formatEvidence = ({ step, message, path, ...values }: Evidence) => {
  const place = [step && `step ${step}`, message, path].filter(Boolean).join(', ')
  const details = (['expected', 'actual'] as const)
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => `${name === 'actual' ? 'found' : name} ${JSON.stringify(values[name])}`)
  return `  = ${[place, ...details].filter(Boolean).join(': ')}`
}

/** The expression that holds if the arguments at `place` include all wanted ones. */
const includesExpression = (place: string, wanted: object): string => {
  const each = ([key, value]: [string, unknown]) => {
    const below = `${place}.${JSON.stringify(key)}`
    return isMap(value) ? includesExpression(below, value) : `${below} == \`${JSON.stringify(value ?? null).replaceAll('`', '\\`')}\``
  }
  return Object.entries(wanted).map(each).join(' && ') || place
}

/** A single assertion, as a document. */
const assertionDocument = (assertion: { type: string }) => ({
  text: JSON.stringify({ messages: ['user: x'], assertions: [assertion] }),
  file: `${assertion.type}`,
})

type Assert<Method extends keyof PublicPropertyTape> = PublicPropertyTape[Method]

/** A reported run: data, or an object that has it. */
type ReportedRun = PublicPropertyTape['run']

export class PropertyTape implements PublicPropertyTape {
  declare readonly assertContains: Assert<'assertContains'>
  declare readonly assertNotContains: Assert<'assertNotContains'>
  declare readonly assertMatches: Assert<'assertMatches'>
  declare readonly assertEquals: Assert<'assertEquals'>
  declare readonly assertFinalResponseContains: Assert<'assertFinalResponseContains'>
  declare readonly assertToolCalled: Assert<'assertToolCalled'>
  declare readonly assertToolParamsInclude: Assert<'assertToolParamsInclude'>
  declare readonly assertToolNotCalled: Assert<'assertToolNotCalled'>
  declare readonly assertToolCallCount: Assert<'assertToolCallCount'>
  declare readonly assertToolSequence: Assert<'assertToolSequence'>
  declare readonly assertContextValue: Assert<'assertContextValue'>
  declare readonly assertMessageCount: Assert<'assertMessageCount'>
  declare readonly assertVisible: Assert<'assertVisible'>
  declare readonly assertMaxTokens: Assert<'assertMaxTokens'>
  declare readonly assertMaxTurns: Assert<'assertMaxTurns'>
  declare readonly assertNoErrors: Assert<'assertNoErrors'>
  declare readonly assertJsonPath: Assert<'assertJsonPath'>
  declare readonly assertExpr: Assert<'assertExpr'>
  declare readonly [Symbol.dispose]: () => void
  readonly #document: TranscriptDocument
  readonly #file: string
  #run: ReportedRun = {}
  #isReported = false
  /** Whether the run was reported as a whole, so that nothing can be added. */
  #isWhole = false
  #hasAsserted = false
  #isFreed = false

  constructor(document: TranscriptDocument, file: string) {
    disposable(this)
    this.#document = document
    this.#file = file
  }

  static {
    for (const [method, [type, ...names]] of Object.entries(ASSERTION_METHODS)) {
      Object.defineProperty(this.prototype, method, {
        value(this: PropertyTape, ...args: unknown[]) {
          if (args.length > names.length + 1) {
            throw misuse(`${method}() takes ${names.join(', ')} and perhaps further fields, but got ${args.length} arguments`)
          }
          // Parameters without a tool are looked for in the calls of all tools.
          if (method === 'assertToolParamsInclude' && isMap(args[0])) {
            if (args.length > 1)
              throw misuse(`${method}() takes a tool and parameters, or parameters alone, but got ${args.length} arguments`)
            this.assertExpr(`length(calls[?${includesExpression('arguments', toData(args[0], 'the parameters'))}]) > \`0\``)
            return
          }
          const fields = Object.fromEntries(names.map((name, at) => [name, args[at]]))
          const options = args[names.length]
          if (options !== undefined && !isMap(options)) throw misuse(`${method}() takes an object of options, but got ${kindOf(options)}`)
          const { ignoreCase, ...others } = options ?? {}
          // A count may be bounds: `{min, max}`.
          const bounds = names[0] === 'value' && isMap(args[0]) && type.endsWith('_count') ? { ...args[0], value: undefined } : {}
          this.assert(type, { ...fields, ...bounds, ...others, ...(ignoreCase !== undefined && { ignore_case: ignoreCase }) })
        },
        configurable: true,
        writable: true,
      })
    }
  }

  #live() {
    if (this.#isFreed) throw invalidState('this tape has been freed')
    return this.#document
  }

  get file() {
    return this.#file
  }

  get expectedConfig() {
    return this.#live().expectations.config
  }

  get initialContext() {
    return this.#live().expectations.context
  }

  get expectedToolCalls() {
    return this.#live().expectations.toolCalls
  }

  get run() {
    return this.#run
  }

  /** Takes the whole run at once: plain data, a document, a recorder. It replaces everything that was reported before. */
  report(run: ActualRun | OpenTranscript | Recorder | { text: string; file?: string }) {
    this.#live()
    if (!isMap(run as unknown)) throw misuse(`report() takes a run, such as {messages: [...]}, but got ${kindOf(run)}`)
    const recorded =
      typeof (run as Recorder).finish === 'function'
        ? { text: (run as Recorder).finish().text, file: 'the recording' }
        : (run as ReportedRun)
    const isData =
      recorded === run &&
      handleOf(run) === undefined &&
      (run as { format?: unknown }).format === undefined &&
      typeof (run as { text?: unknown }).text !== 'string'
    // A run that goes on must not change what was reported of it.
    this.#run = isData ? toData(run as ActualRun, 'the run') : recorded
    this.#isWhole = !isData
    this.#isReported = true
    return this
  }

  #checkCanAdd(method: string) {
    this.#live()
    if (this.#isWhole) throw misuse(`${method}() cannot add to a run that was reported whole`)
    this.#isReported = true
  }

  #add(key: 'messages' | 'calls' | 'errors', value: unknown, what: string) {
    const list = ((this.#run as RunFacts & { messages?: readonly RunMessage[] })[key] ?? []) as readonly unknown[]
    this.#run = { ...this.#run, [key]: [...list, toData(value, what)] }
    return this
  }

  /** What cannot be read must not stay in the run, where every later check would meet it. */
  #checkReadable(method: string, key: string, value: unknown, what: string) {
    if (!isMap(value)) throw misuse(`${method}() takes ${what} as an object, but got ${kindOf(value)}`)
    const run = { [key]: [toData(value, what)] }
    try {
      checkRun(assertionDocument({ type: 'no_errors' }), run)
    } catch (error) {
      throw misuse(`${method}() cannot read ${what}: ${(error as Error).message.replace(`${key}[0]`, 'it')}`, { cause: error })
    }
  }

  addMessage(message: RunMessage) {
    this.#checkReadable('addMessage', 'messages', message, 'the message')
    this.#checkCanAdd('addMessage')
    return this.#add('messages', message, 'the message')
  }

  addToolCall(call: RunCall) {
    this.#checkReadable('addToolCall', 'calls', call, 'the tool call')
    this.#checkCanAdd('addToolCall')
    return this.#add('calls', call, 'the tool call')
  }

  addError(error: RunError | Error) {
    this.#checkCanAdd('addError')
    return this.#add('errors', error instanceof Error ? { message: error.message } : error, 'the error')
  }

  setContext(context: { [key: string]: unknown }) {
    if (!isMap(context)) throw misuse(`setContext() takes an object, but got ${kindOf(context)}`)
    this.#checkCanAdd('setContext')
    this.#run = { ...this.#run, context: toData(context, 'the context') }
    return this
  }

  #reportedRun(method: string) {
    this.#live()
    if (!this.#isReported) throw misuse(`${method}() has no run to check: report it first, with report() or addMessage()`)
    return this.#run
  }

  check(options?: { color?: boolean }): Check {
    return checkRun(this.#document, this.#reportedRun('check'), options)
  }

  /** Checks one assertion against the run. */
  assert(type: AssertionType, fields?: { [field: string]: unknown }) {
    if (typeof type !== 'string') throw misuse(`assert() takes the type of an assertion, but got ${kindOf(type)}`)
    this.#hasAsserted = true
    const assertion = toData({ type, ...fields }, 'the assertion')
    const { outcomes, diagnostics } = checkRun(assertionDocument(assertion), this.#reportedRun('assert'))
    const unusable = diagnostics.find(({ severity, code }) => severity === 'error' && code.startsWith('T5'))
    if (unusable !== undefined) throw misuse(`assert() cannot use this assertion: ${unusable.message}`)
    const [outcome] = outcomes as [CheckOutcome]
    if (outcome.status === 'passed') return
    const pieces = [outcome.help && `  = help: ${outcome.help}`, ...outcome.evidence.map(formatEvidence)].filter(Boolean)
    throw TranscriptAssertionError.create(
      `${this.#file}: ${type}: ${outcome.message}${pieces.map((piece) => `\n${piece}`).join('')}`,
      outcomes,
      '',
    )
  }

  assertComplete() {
    const { outcomes, passed, rendered } = this.check()
    if (outcomes.length === 0 && !this.#hasAsserted) {
      throw misuse(`${this.#file} has no assertions to check: add \`assertions\` to it`)
    }
    const left = outcomes.length - passed
    if (left === 0) return
    const phrase = left === 1 ? 'assertion does not hold' : 'assertions do not hold'
    throw TranscriptAssertionError.create(`${this.#file}: ${left} of ${outcomes.length} ${phrase}`, outcomes, rendered.trimEnd())
  }

  free() {
    this.#isFreed = true
    this.#document.free()
  }
}
