// Simulations: the core goes on until code of the caller has to answer or a tool of the caller has to run.
import { History, createContext } from '../api/context.ts'
import { toData, toJsonText } from '../api/data.ts'
import { FunctionCollector, type HostFunction, toFunction, isFunctionHandler, isMap, rejectModel } from '../api/functions.ts'
import { misuse, outOfRange } from '../api/misuse.ts'
import { checkOptions, kindOf, openingOf } from '../api/options.ts'
import { checkNoFileName, sourceOf } from '../api/source.ts'
import { closest } from '../api/suggest.ts'
import { isAbortSignal, raceAbort, errorData } from '../api/abort.ts'
import type {
  MockContext,
  Options,
  SimulateOptions,
  SimulatedCall,
  SimulatedError,
  SimulationResult,
  SimulationWarning,
  Source,
} from '../types/index.ts'
import type { SimulatedContextDelta, SimulatedRosterEntry, SimulationNeed } from './answers.ts'
import { type SimulationModule, beginSimulation } from './wasm-module.ts'

const OWN = ['tools', 'handlers', 'signal', 'maxSteps', 'onEvent', 'user', 'agent', 'color']
const decoder = new TextDecoder()

/** Functions of the caller by the names of what they replace. */
type FunctionsByName<Function> = { [name: string]: Function }

type ToolFunction = NonNullable<SimulateOptions['tools']>[string]

/** Functions for tools and for agents. */
interface CallerFunctions {
  tools: FunctionsByName<ToolFunction>
  handlers: FunctionsByName<HostFunction>
}

/** Data of the caller. */
type Data = { [key: string]: unknown }

/** An agent in it: without a name it has no key. */
interface AgentData extends Data {
  key?: string
  name?: string
}

const checkFunctions = (name: keyof CallerFunctions, value: unknown = {}) => {
  const isInvalid = ([, entry]: [string, unknown]) => !(name === 'handlers' ? isFunctionHandler(entry) : typeof entry === 'function')
  const wrong = isMap(value) ? Object.entries(value).find(isInvalid) : (['', value] as const)
  // Each of them was found to be one.
  if (wrong === undefined)
    return Object.fromEntries(Object.entries(value as FunctionsByName<HostFunction>).map(([key, entry]) => [key, toFunction(entry)]))
  const place = wrong[0] === '' ? `\`${name}\`` : `\`${name}.${wrong[0]}\``
  throw misuse(
    `the option ${place} of simulate() is ${wrong[0] === '' ? 'an object of functions' : 'a function'}, but got ${kindOf(wrong[1])}`,
  )
}

const checkOwnOptions = ({ signal, maxSteps, onEvent, user, agent, color, rules, files }: SimulateOptions & Options) => {
  if (rules !== undefined) throw misuse('simulate() takes no `rules`: it runs its input and reports only what prevents that')
  if (files !== undefined) throw misuse('simulate() takes no `files`: its input cannot name other files')
  const wrong = (name: string, wanted: string, value: unknown) =>
    misuse(`the option \`${name}\` of simulate() is ${wanted}, but got ${kindOf(value)}`)
  if (signal !== undefined && !isAbortSignal(signal)) throw wrong('signal', 'an AbortSignal', signal)
  if (maxSteps !== undefined && (!Number.isSafeInteger(maxSteps) || maxSteps < 0)) throw wrong('maxSteps', 'an integer', maxSteps)
  if (onEvent !== undefined && typeof onEvent !== 'function') throw wrong('onEvent', 'a function', onEvent)
  if (agent !== undefined && typeof agent !== 'string') throw wrong('agent', 'a string', agent)
  if (color !== undefined && typeof color !== 'boolean') throw wrong('color', 'a boolean', color)
  if (user === undefined) {
    if (agent !== undefined) throw misuse('the option `agent` of simulate() is the agent that `user` talks to, so it needs `user`')
    return []
  }
  const texts = Array.isArray(user) ? user : [user]
  if (texts.some((text) => typeof text !== 'string')) throw wrong('user', 'a string, or a list of strings', user)
  if (texts.length === 0) throw misuse('the option `user` of simulate() is an empty list: pass at least one message')
  return texts
}

const has = (value: Data, names: readonly string[]) => names.some((name) => value[name] !== undefined)

/** Handlers are data as in a document: a handler, or the arguments of `agent.mock(...)`. */
const HANDLERS = ['queue', 'conditional', 'transcript', 'state_machine', 'composite', 'tool_sequence', 'repeat', 'fail', 'recording']
const isHandler = (value: unknown) => isMap(value) && HANDLERS.includes(value.type as string)

/**
 * A simulation as data without the functions in it: an agent without a handler is left to its function
 * in `handlers`, and a tool without results to that in `tools`. A function in place of a whole
 * handler also answers for its agent.
 */
const extractFunctions = (input: Data, { handlers, tools }: CallerFunctions) => {
  const functions = new FunctionCollector()
  const agentFunctions: FunctionsByName<HostFunction> = {}
  if (!Array.isArray(input.agents)) return { data: input, functions, agentFunctions }
  const toolOf = (tool: unknown) => {
    const named = typeof tool === 'string' ? { name: tool } : tool
    const isOurs = isMap(named) && Object.hasOwn(tools, (named.name ?? '') as string)
    return isOurs && !has(named, ['results', 'live', 'agent']) ? { ...named, live: true } : tool
  }
  const answering = (agent: AgentData, key: 'handler' | 'mock', path: string): AgentData => {
    const { [key]: value, ...rest } = agent
    if (isFunctionHandler(value)) {
      agentFunctions[agent.key ?? agent.name ?? ''] = toFunction(value)
      return { ...rest, external: true }
    }
    if (key === 'handler') return { ...rest, handler: functions.handler(value, `${path}.handler`) }
    if (isHandler(value)) return { ...rest, mock: functions.handler(value, `${path}.mock`) }
    const list = Array.isArray(value) ? value : [value]
    list.forEach((one) => rejectModel(one, `${path}.mock`))
    if (list.length === 1 && isFunctionHandler(list[0])) return answering({ ...rest, mock: list[0] }, 'mock', path)
    if (list.length === 1 && isHandler(list[0])) return { ...rest, mock: [functions.handler(list[0], `${path}.mock[0]`)] }
    return { ...rest, mock: functions.responses(list, `${path}.mock`) }
  }
  const usedHandlers = new Set<unknown>()
  const agents = input.agents.map((agentInput, at) => {
    if (!isMap(agentInput)) return agentInput
    let agent: AgentData = Array.isArray(agentInput.tools) ? { ...agentInput, tools: agentInput.tools.map(toolOf) } : agentInput
    for (const key of ['handler', 'mock'] as const) if (agent[key] !== undefined) agent = answering(agent, key, `agents[${at}]`)
    const name = agent.key ?? agent.name ?? ''
    const inMap = isMap(input.handlers)
      ? [agent.key, agent.name].find((one) => one !== undefined && Object.hasOwn(input.handlers as Data, one))
      : undefined
    const answers = inMap === undefined ? undefined : (input.handlers as Data)[inMap]
    if (isFunctionHandler(answers) && !has(agent, ['handler', 'mock', 'external'])) {
      agentFunctions[name] = toFunction(answers)
      usedHandlers.add(answers)
      return { ...agent, external: true }
    }
    const isOurs = Object.hasOwn(handlers, name) && answers === undefined
    return isOurs && !has(agent, ['handler', 'mock', 'external']) ? { ...agent, external: true } : agent
  })
  if (!isMap(input.handlers)) return { data: { ...input, agents }, functions, agentFunctions }
  const rest = Object.entries(input.handlers).filter(([, handler]) => !usedHandlers.has(handler))
  const inner = Object.fromEntries(
    rest.map(([name, handler]) => [name, typeof handler === 'function' ? handler : functions.handler(handler, `handlers.${name}`)]),
  )
  return { data: { ...input, agents, handlers: inner }, functions, agentFunctions }
}

/** What `simulate` takes: a source, or data with functions in it. */
type SimulationInput = Source | Data

/** The text of a simulation, the name of its file, and the functions in it. */
const simulationText = (input: SimulationInput, functionsByName: CallerFunctions, options: SimulateOptions, user: readonly string[]) => {
  checkNoFileName('simulate', input)
  const isData = isMap(input) && (input as Data).text === undefined && (input as Data).bytes === undefined
  if (!isData) {
    const { text, bytes, file } = sourceOf('simulate', input as Source, options)
    return { text: text ?? decoder.decode(bytes), file, functions: new FunctionCollector(), agentFunctions: {} }
  }
  if (user.length > 0) {
    const help =
      (input as Data).handlers === undefined
        ? 'put the messages in its `steps`'
        : 'pass the handlers to agents, and put the messages in `steps`'
    throw misuse(`the option \`user\` of simulate() is for a document with handlers, but got data: ${help}`)
  }
  const { data, functions, agentFunctions } = extractFunctions(input, functionsByName)
  return { text: JSON.stringify(toData(data, 'the simulation'), null, 2), file: '<simulation>', functions, agentFunctions }
}

const missingFunction = (kind: keyof CallerFunctions, name: string, functionsByName: object) => {
  const near = closest(name, Object.keys(functionsByName))
  const help = near ? `; did you mean \`${near}\`?` : ''
  const what = kind === 'tools' ? `runs the tool \`${name}\`` : `asks for the agent \`${name}\``
  return misuse(`the simulation ${what}, for which there is no function in the option \`${kind}\` of simulate()${help}`)
}

/** Warnings about functions that are never called, each with the likeliest reason. */
const unusedFunctionWarnings = (roster: readonly SimulatedRosterEntry[], { handlers, tools }: CallerFunctions) => {
  const warnings: SimulationWarning[] = []
  const warn = (kind: keyof CallerFunctions, name: string, message: string, names?: readonly string[]) => {
    const near = names && closest(name, names)
    warnings.push({ path: `${kind}.${name}`, message, help: near ? `did you mean \`${near}\`?` : null })
  }
  const agents = roster.flatMap(({ key, name }) => [key, name]).filter((name) => name !== null)
  for (const name of Object.keys(handlers)) {
    const agent = roster.find(({ key }) => key === name)
    if (agent === undefined) warn('handlers', name, `there is no agent \`${name}\``, agents)
    else if (!agent.external) warn('handlers', name, `the agent \`${name}\` has a handler of its own, so that its function is not asked`)
  }
  const all = roster.flatMap(({ tools: list }) => list)
  for (const name of Object.keys(tools)) {
    const found = all.filter(([tool]) => tool === name)
    if (found.length === 0)
      warn(
        'tools',
        name,
        `no agent has a tool \`${name}\``,
        all.map(([tool]) => tool),
      )
    else if (!found.some(([, isLive]) => isLive))
      warn('tools', name, `the tool \`${name}\` has results of its own, so that its function is not run`)
  }
  return warnings
}

type Need<Kind> = Extract<SimulationNeed, { kind: Kind }>

type Failure = SimulationResult['failures'][number]

/** The code of the caller, and a function that counts its calls. */
interface Callbacks extends CallerFunctions {
  functions: readonly HostFunction[]
  signal: AbortSignal | undefined
  count(): void
}

/** The outcome of a call of the caller's code: JSON text, a failure by its number, or aborted. */
interface CallbackOutcome {
  text?: string
  thrown?: { type: string; name: string; message: string; failure: number }
  aborted?: true
}

/** Calls code of the caller, which may be asynchronous; `failures` gets what it throws. */
const createCallbacks = (simulation: SimulationModule, { tools, handlers, functions, signal, count }: Callbacks, failures: Failure[]) => {
  /** The result of `callback` as JSON text by `toJson`; or the number of its failure, with the thrown value. */
  const runCallback = async (
    names: Omit<Failure, 'error'>,
    callback: () => unknown,
    toJson: (value: unknown) => string,
  ): Promise<CallbackOutcome> => {
    try {
      return { text: toJson(await raceAbort((async () => callback())(), signal)) }
    } catch (error) {
      // Its caller gives up; a call that ran ahead may have no caller.
      if (signal?.aborted) return { aborted: true }
      failures.push({ ...names, error })
      const { name, message } = errorData(error)
      return { thrown: { type: name, name, message, failure: failures.length - 1 } }
    }
  }
  const sendOutcome = <Method extends 'response' | 'functionResult' | 'toolResult'>(
    { text, thrown, aborted }: CallbackOutcome,
    method: Method,
    failed: Method extends `${infer Kind}Result` ? `${Kind}Error` : `${Method}Error`,
  ) => {
    if (aborted) throw signal!.reason
    return thrown === undefined ? simulation.call(method, text) : simulation.call(failed, JSON.stringify(thrown))
  }
  /** The runs of tools that were begun, by the ids of their calls. */
  const running = new Map<string, Promise<CallbackOutcome>>()
  const startTool = (agent: string, call: SimulatedCall) => {
    const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined
    if (tool === undefined) throw missingFunction('tools', call.name, tools)
    count()
    const toJson = (value: unknown) => {
      // An error that is returned instead of thrown is one all the same.
      if (value instanceof Error) throw value
      return toJsonText(value, `the result of the tool \`${call.name}\``)
    }
    running.set(
      call.id,
      runCallback({ agent, tool: call.name }, () => tool(call.arguments, { agent, call, signal }), toJson),
    )
  }
  /** The histories that code of the caller has received; the core sends only new messages. */
  const histories = new Map<number, History>()
  const currentContext = ({ history: number, same, otherwise, ...fields }: SimulatedContextDelta) => {
    const history = histories.get(number) ?? new History()
    histories.set(number, history)
    return createContext(fields, history.update(same, fields.messages, otherwise))
  }
  let context: MockContext
  return {
    needsResponse: async ({ agent, context: contextData }: Need<'needsResponse'>) => {
      const handler = Object.hasOwn(handlers, agent) ? handlers[agent] : undefined
      if (handler === undefined) throw missingFunction('handlers', agent, handlers)
      count()
      const context = currentContext(contextData)
      const toJson = (value: unknown) => toJsonText(value, `what the handler of \`${agent}\` answered`)
      sendOutcome(await runCallback({ agent, tool: null }, () => handler(context, { signal }), toJson), 'response', 'responseError')
    },
    needsFunction: async ({ agent, question, context: contextData }: Need<'needsFunction'>) => {
      count()
      context = contextData === null ? context : currentContext(contextData)
      const toJson = (value: unknown) =>
        question.wants === 'condition' ? String(Boolean(value)) : toJsonText(value, `what \`${question.path}\` answered`)
      const outcome = await runCallback({ agent, tool: null }, () => functions[question.function]!(context, { signal }), toJson)
      sendOutcome(outcome, 'functionResult', 'functionError')
    },
    needsTool: async ({ agent, call, ahead }: Need<'needsTool'>) => {
      // The others begin as well; what they give is taken when their turn comes.
      for (const one of [call, ...ahead]) if (!running.has(one.id)) startTool(agent, one)
      const outcome = await running.get(call.id)!
      running.delete(call.id)
      sendOutcome(outcome, 'toolResult', 'toolError')
    },
  }
}

/** Sets what was thrown as the cause of an error of the core, by the number in the error. */
const addCause = (error: (SimulatedError & { failure?: number }) | undefined, failures: readonly Failure[]) => {
  if (error?.failure === undefined) return
  const { failure } = error
  delete error.failure
  Object.defineProperty(error, 'cause', { value: failures[failure]?.error, enumerable: false, configurable: true })
}

const EMPTY: Omit<SimulationResult, 'ok' | 'file' | 'problems' | 'failures'> = {
  profile: null,
  done: false,
  steps: [],
  agents: [],
  toolExecutions: [],
  transcript: null,
  text: null,
  warnings: [],
}

/**
 * Runs agents on handlers: no model is called and nothing is sent. `docs/simulate.md` describes the input: plain
 * data, or its text in YAML or JSON. With `user`, the input is a document with handlers. In data, functions may replace
 * conditions, responses and handlers, as in `mock`.
 *
 * @returns What each agent answered and was sent, and a transcript of all. `ok` is false when a step failed.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { steps, text } = await simulate(
 *   { agents: [{ name: 'bot', mock: ['Hello!'] }], steps: [{ op: 'call', content: 'Hi' }] },
 * )
 */
export const simulate = async (
  input: Source | { agents: unknown[]; steps: unknown[]; [key: string]: unknown },
  options?: SimulateOptions,
): Promise<SimulationResult> => {
  const checked = checkOptions('simulate', options, OWN)
  const tools = checkFunctions('tools', checked.tools)
  const functionsByName = { tools, handlers: checkFunctions('handlers', checked.handlers) }
  const user = checkOwnOptions(checked)
  const { signal, maxSteps = Infinity, onEvent, agent, color } = checked
  signal?.throwIfAborted()
  const { text, file, functions, agentFunctions } = simulationText(input, functionsByName, checked, user)
  const userOptions = { ...(user.length > 0 && { user }), ...(agent && { agent }) }
  const opening = { ...openingOf('simulate', checked), ...userOptions, file, color, code: functions.paths }
  const simulation = beginSimulation(text, JSON.stringify(opening))
  const failures: Failure[] = []
  try {
    const { problems } = simulation
    if (problems.length > 0) return { ok: false, file, problems, ...EMPTY, failures }
    const warnings = [...simulation.warnings, ...unusedFunctionWarnings(simulation.call('roster'), functionsByName)]
    let callbackCount = 0
    const count = () => {
      if (callbackCount >= maxSteps)
        throw outOfRange(`the simulation called functions ${callbackCount} times, the maximum that \`maxSteps\` allows`)
      callbackCount += 1
    }
    const handlers = { ...functionsByName.handlers, ...agentFunctions }
    const answer = createCallbacks(simulation, { tools, handlers, functions: functions.list, signal, count }, failures)
    for (;;) {
      signal?.throwIfAborted()
      const next = simulation.call(onEvent ? 'poll' : 'run')
      if (next.kind === 'done') break
      if (next.kind === 'event') onEvent!(next.event)
      // Each takes the need of its kind.
      else await (answer[next.kind] as (need: SimulationNeed) => Promise<void>)(next)
    }
    const report = simulation.call('report')
    const errors = [...report.steps, ...report.agents.flatMap(({ calls }) => calls)].map(({ error }) => error)
    for (const error of errors) addCause(error, failures)
    const ok = report.steps.every(({ error }) => error === undefined)
    return { ok, file, problems: [], warnings, ...report, text: simulation.call('text'), failures }
  } finally {
    simulation.free()
  }
}
