// Handlers in code, as data: what is made here prints as a document unless there is a function in it.
import type {
  ConditionInput,
  ConditionalHandler as PublicConditionalHandler,
  HandlerInput,
  Mock,
  MockModel,
  ResponseInput,
  RuleInput,
  Source,
} from '../types/index.ts'
import { FunctionCollector, isFunctionHandler, isMap, rejectModel } from './functions.ts'
import { misuse } from './misuse.ts'
import { mockModel } from './mock.ts'
import { kindOf } from './options.ts'
import { closest } from './suggest.ts'

const STRATEGIES = ['first_match', 'in_order', 'round_robin']

/** Whether something is a handler: data with a type, a function, or an object with the method `handle`. */
const isHandler = (value: unknown): value is HandlerInput => isFunctionHandler(value) || (isMap(value) && typeof value.type === 'string')

const isResponse = (value: unknown): value is ResponseInput =>
  typeof value === 'function' || typeof value === 'string' || (isMap(value) && !isHandler(value))

/** The keys of a response. */
const KEYS = [
  'role',
  'content',
  'tool_calls',
  'refusal',
  'reasoning',
  'citations',
  'annotations',
  'usage',
  'metadata',
  'parsed',
  'chunks',
  'finish_reason',
  'model',
]

/** Describes an object without the keys of a response; undefined for a response. */
const describeForeign = (value: unknown) => {
  if (!isMap(value)) return undefined
  const keys = Object.keys(value)
  if (keys.some((key) => KEYS.includes(key))) return undefined
  const prototype = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (!isPlain) return `an object of the class ${prototype.constructor?.name}, which is neither a response nor has a method \`handle\``
  if (keys.length === 0) return undefined
  return `an object with \`${keys.slice(0, 3).join('`, `')}\`, which is no response: a response has \`content\` or \`tool_calls\``
}

const response = (call: string, value: unknown) => {
  rejectModel(value, '')
  if (isResponse(value)) {
    const foreign = describeForeign(value)
    if (foreign === undefined) return value
    throw misuse(`mock.${call}() got ${foreign}`)
  }
  const got = isHandler(value) ? 'a handler' : kindOf(value)
  throw misuse(`mock.${call}() takes a response, which is a string, {content, tool_calls} or a function, but got ${got}`)
}

const handler = (call: string, value: unknown) => {
  rejectModel(value, '')
  if (isHandler(value)) return value
  throw misuse(`mock.${call}() takes handlers, each with a \`type\`, with a method \`handle\` or a function, but got ${kindOf(value)}`)
}

const checkOptionNames = <Given extends object>(call: string, options: Given, names: readonly string[]) => {
  if (!isMap(options)) throw misuse(`mock.${call}() takes an object, but got ${kindOf(options)}`)
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = closest(name, names)
    throw misuse(`mock.${call}() has no option \`${name}\`; ${near ? `did you mean \`${near}\`?` : `there are: ${names.join(', ')}`}`)
  }
  return options
}

const times = (call: string, value: number | undefined) => {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw misuse(`the option \`times\` of mock.${call}() is an integer, but got ${typeof value === 'number' ? value : kindOf(value)}`)
}

/** Data without entries that are undefined. */
const omitUndefined = <Entries extends object>(entries: Entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Entries

/** Rules in the order in which they are tried. Each call makes a new one, so that a beginning can be shared. */
class ConditionalHandler implements PublicConditionalHandler {
  type = 'conditional' as const
  rules: PublicConditionalHandler['rules'];
  [key: string]: unknown

  constructor(rules: PublicConditionalHandler['rules'], ...otherwise: ResponseInput[]) {
    this.rules = rules
    // As data, `default` is a response in the place of the method.
    if (otherwise.length > 0) [(this as { default: unknown }).default] = otherwise
  }

  when(test: ConditionInput, respond: ResponseInput) {
    const isTest = typeof test === 'function' || typeof test === 'string' || isMap(test)
    if (!isTest) throw misuse(`when() takes a map of tests, an expression or a function, but got ${kindOf(test)}`)
    return this.#with([...this.rules, { when: test, respond: response('conditional().when', respond) }])
  }

  default(respond: ResponseInput) {
    return new ConditionalHandler(this.rules, response('conditional().default', respond))
  }

  #with(rules: PublicConditionalHandler['rules']) {
    return Object.hasOwn(this, 'default')
      ? new ConditionalHandler(rules, (this as { default: unknown }).default as ResponseInput)
      : new ConditionalHandler(rules)
  }
}

/** A conditional handler: from rules, `{when, respond}` each, from a single condition with its response, or empty. */
const conditional = (...all: unknown[]) => {
  const start = new ConditionalHandler([])
  const [first] = all
  const isRule = Array.isArray(first) || (isMap(first) && (all.length === 1 || 'when' in first || 'respond' in first))
  if (all.length > 0 && !isRule) return start.when(...(all as [ConditionInput, ResponseInput]))
  return (all.flat() as RuleInput[]).reduce((handler, rule) => {
    const { when, respond } = checkOptionNames('conditional', rule, ['when', 'respond'])
    return handler.when(when, respond)
  }, start)
}

/** One response. Its `tool_calls` may contain calls that `mock.toolCall` made. */
const create: Mock['create'] = (fields) => {
  if (typeof fields === 'string') return { content: fields }
  const out: { [key: string]: unknown } = omitUndefined({ ...checkOptionNames('create', fields, KEYS) })
  if (Array.isArray(out.tool_calls)) {
    out.tool_calls = out.tool_calls.flatMap((call) => (isMap(call) && Array.isArray(call.tool_calls) ? call.tool_calls : [call]))
  }
  return out
}

/** A response that calls one tool, and may specify what the tool returns without running. */
const toolCall: Mock['toolCall'] = (name, args = {}, options = {}) => {
  if (typeof name !== 'string' || name === '') throw misuse(`mock.toolCall() takes the name of a tool, but got ${kindOf(name)}`)
  if (!isMap(args)) throw misuse(`the arguments that mock.toolCall() takes are an object, but got ${kindOf(args)}`)
  const { id, result, error, content } = checkOptionNames('toolCall', options, ['id', 'result', 'error', 'content'])
  if (result !== undefined && error !== undefined) throw misuse('mock.toolCall() takes a `result` or an `error`, not both')
  return { content: content ?? null, tool_calls: [omitUndefined({ id, name, arguments: args, result, error })] }
}

const transcriptEntry = (one: unknown) => {
  if (!Array.isArray(one)) return response('transcript', one)
  const [role, content, more = {}] = one
  return { role, content, ...more }
}

/** Follows a conversation: its entries, or the transcript of a file. */
const transcript: Mock['transcript'] = (entries) => {
  if (typeof entries === 'string') return { type: 'transcript', source: entries }
  if (!Array.isArray(entries)) throw misuse(`mock.transcript() takes a list of messages or the path of a file, but got ${kindOf(entries)}`)
  return { type: 'transcript', entries: entries.map(transcriptEntry) }
}

/** The transitions of a state; those of a map, `{state: condition}`, are tried in its order. */
const transitionsOf = (transitions: unknown) =>
  isMap(transitions) ? Object.entries(transitions).map(([to, when]) => ({ to, when })) : transitions

const stateFields = (state: unknown) => {
  if (!isMap(state)) return typeof state === 'string' || typeof state === 'function' ? { respond: state } : state
  const { default_next, next = default_next, ...rest } = state
  return omitUndefined({ ...rest, transitions: transitionsOf(state.transitions), next })
}

/** A state machine. It begins in its first state unless `initial` names another. */
const stateMachine: Mock['stateMachine'] = (machine) => {
  const { states, initial } = checkOptionNames('stateMachine', machine, ['initial', 'states'])
  if (!isMap(states)) throw misuse(`the \`states\` of mock.stateMachine() are an object, but got ${kindOf(states)}`)
  const stateMap = Object.fromEntries(Object.entries(states).map(([name, state]) => [name, stateFields(state)]))
  return omitUndefined({ type: 'state_machine', initial: initial ?? Object.keys(stateMap)[0], states: stateMap })
}

/** Delegates to other handlers, with a strategy that is named first, or with `first_match`. */
const composite: Mock['composite'] = (...all) => {
  const [first] = all
  const isNamed = typeof first === 'string'
  if (isNamed && !STRATEGIES.includes(first)) {
    const near = closest(first, STRATEGIES)
    throw misuse(
      `mock.composite() has no strategy \`${first}\`; ${near ? `did you mean \`${near}\`?` : `there are: ${STRATEGIES.join(', ')}`}`,
    )
  }
  const handlers = (isNamed ? all.slice(1) : all).flat().map((one) => handler('composite', one))
  return omitUndefined({ type: 'composite', strategy: isNamed ? first : undefined, handlers })
}

const queue: Mock['queue'] = (...responses) => ({ type: 'queue', responses: responses.flat().map((one) => response('queue', one)) })

const repeat: Mock['repeat'] = (respond, options = {}) =>
  omitUndefined({
    type: 'repeat',
    respond: response('repeat', respond),
    times: times('repeat', checkOptionNames('repeat', options, ['times']).times),
  })

const fail: Mock['fail'] = (error, options = {}) => {
  const { times: count, then } = checkOptionNames('fail', options, ['times', 'then'])
  return omitUndefined({ type: 'fail', times: times('fail', count), error, then: then === undefined ? undefined : handler('fail', then) })
}

const toolSequence: Mock['toolSequence'] = (calls, options = {}) => {
  if (!Array.isArray(calls)) throw misuse(`mock.toolSequence() takes a list of calls, but got ${kindOf(calls)}`)
  const { then } = checkOptionNames('toolSequence', options, ['then'])
  const flat = calls.flatMap((call) => (isMap(call) && Array.isArray(call.tool_calls) ? call.tool_calls : [call]))
  return omitUndefined({ type: 'tool_sequence', calls: flat, then: then === undefined ? undefined : response('toolSequence', then) })
}

const recording: Mock['recording'] = (inner, options = {}) => {
  const { saveAs } = checkOptionNames('recording', options, ['saveAs'])
  return omitUndefined({ type: 'recording', handler: handler('recording', inner), save_as: saveAs })
}

/** Whether something is a source of a document, and no response. */
const isSource = (value: unknown): value is Source =>
  value instanceof Uint8Array || (isMap(value) && (typeof value.text === 'string' || value.bytes instanceof Uint8Array))

const isHandlerMap = (value: unknown): value is HandlerMap => isMap(value) && isMap(value.handlers)

/** Handlers by agent. */
type HandlerMap = { handlers: { [agent: string]: HandlerInput } }

/** A model that gives these responses one after the other, or answers according to a handler. */
const model = (...all: unknown[]): MockModel => {
  const [only] = all
  if (all.length === 1 && (isHandler(only) || isHandlerMap(only) || isSource(only))) return mockModel(only)
  return mockModel(queue(...(all as ResponseInput[])))
}

/** Mock models, and the handlers to make them of. */
export const mock: Mock = /* @__PURE__ */ Object.assign(model, {
  conditional,
  transcript,
  stateMachine,
  create,
  toolCall,
  composite,
  queue,
  repeat,
  fail,
  toolSequence,
  recording,
  /** Whether a handler prints as a document: whether there is no function in it. */
  isData: (value: HandlerInput) => {
    const functions = new FunctionCollector()
    functions.handler(value, '')
    return functions.list.length === 0
  },
})
