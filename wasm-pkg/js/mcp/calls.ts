// Matches calls of MCP tools with tool calls of models. MCP does not know the id of a model's tool call: a call belongs to the
// first open one with the same tool and arguments, whoever recorded that. What MCP and the framework report about it is one
// fact.
import { ADD_FACT_LISTENER, type FactListener } from '../api/fact-listeners.ts'
import type { Fields } from '../api/fields.ts'
import { REPORT_UNRECORDED, type UnrecordedReporter } from '../api/report-unrecorded.ts'
import type { Fact, FactFields, Recorder } from '../types/index.ts'
import { escapeToolError } from './errors.ts'
import { matchScore, fullName } from './names.ts'
import { type ToolAnswer, isSame, isPlainText, resultFromAnswer, errorTextOf } from './results.ts'

/** A recorder, with what it has for other modules of the package. */
export type ObservedRecorder = Recorder & Required<UnrecordedReporter> & { [ADD_FACT_LISTENER](listener: FactListener): void }

/** The answer of a tool, or an error instead. */
export type Outcome = { answer: ToolAnswer; error?: undefined } | { answer?: undefined; error: string }

/** A tool call of a model, or one that no model made. */
interface ToolCall {
  run?: string | undefined
  id: string
  name: string
  /** An open call has its arguments. */
  args?: unknown
  isDone?: boolean
  isCalled?: boolean
  isOwn?: boolean
  mcp?: McpCall | undefined
  /** What the framework made of the answer. */
  frameworkResult?: unknown
}

/** A call of a server, and the tool call that it is. */
export interface McpCall {
  name: string
  args: unknown
  server: string | undefined
  outcome: Outcome | undefined
  call: ToolCall | undefined
}

/** The definition of a tool as a server lists it. */
type Definition = { readonly name: string; readonly description?: unknown; readonly inputSchema?: unknown }

type FactMethod = 'toolCalled' | 'toolReturned' | 'toolFailed' | 'toolsListed' | 'agentEntered'

const keyOf = (run: unknown, id?: unknown) => JSON.stringify([run ?? '', id])

const parseArguments = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The tool calls in an answer or a message. */
const callsInFact = (fact: Fact) =>
  (listOf(fact.tool_calls ?? fact.toolCalls) as readonly Fields[]).map((call) => ({
    id: call?.id ?? call?.tool_call_id ?? call?.toolCallId ?? call?.call_id,
    name: (call?.function as Fields)?.name ?? call?.name ?? call?.tool_name ?? call?.toolName,
    args: parseArguments((call?.function as Fields)?.arguments ?? call?.arguments),
  }))

/** The facts that both report. */
const SHARED_FACTS = ['tool_called', 'tool_returned', 'tool_failed']

export class McpCalls {
  #recorder: ObservedRecorder
  /** Every tool call of a model, by run and id; finished calls have no arguments any more. */
  #calls = new Map<string, ToolCall>()
  /** The active model calls. */
  #activeModelCalls = new Set<string>()
  /** MCP calls that arrived during a model call; its answer may still contain them. */
  #unmatched = new Set<McpCall>()
  /** MCP calls of a model whose end the framework has not reported. */
  #unreported = new Set<ToolCall>()
  /** Calls whose server requested input from the client before it answers. */
  #awaitingInput: McpCall[] = []
  /** The recorded definitions as JSON, by the names of the tools. */
  #listedTools = new Map<string, string>()
  /** The name of the client. */
  #client: string | undefined
  #hasModel = false
  #isNamed = false
  #count = 0
  /** Whether this class is reporting. */
  #isReporting = false

  constructor(recorder: ObservedRecorder) {
    this.#recorder = recorder
    recorder[ADD_FACT_LISTENER]({
      merge: (fact) => {
        if (this.#isReporting) return fact
        const answers = fact.tool_call_id ?? fact.toolCallId
        if (fact.fact === 'message_appended' && fact.role === 'tool' && answers !== undefined) return this.#withContent(fact, answers)
        if (!SHARED_FACTS.includes(fact.fact)) return fact
        const call = this.#calls.get(keyOf(fact.run, fact.id))
        if (call?.mcp === undefined) return fact
        // A fact is recorded only once.
        if (fact.fact === 'tool_called') return call.isCalled ? undefined : fact
        return call.isDone ? undefined : this.#mergeEnd(fact, call)
      },
      received: (fact) => this.#received(fact),
      finishing: () => this.#finishing(),
    })
  }

  #report(method: FactMethod, fields: FactFields) {
    this.#isReporting = true
    try {
      this.#recorder[method](fields)
    } finally {
      this.#isReporting = false
    }
  }

  /** Merges the end of a call that the framework reports with what MCP knows better. */
  #mergeEnd(fact: Fact, call: ToolCall): Fact {
    const { outcome } = call.mcp!
    this.#unreported.delete(call)
    if (outcome === undefined) return fact
    const { run, at, id } = fact
    const base = { ...(run === undefined ? {} : { run }), ...(at === undefined ? {} : { at }), id }
    // A framework may pass a failure on as an answer; then the model receives that.
    if (fact.fact === 'tool_returned') {
      if (outcome.answer === undefined) return fact
      const result = resultFromAnswer(outcome.answer)
      if (!isSame(result, fact.result)) call.frameworkResult = fact.result
      return { ...base, fact: 'tool_returned', result }
    }
    const errorText = outcome.error ?? (outcome.answer.isError === true ? escapeToolError(errorTextOf(outcome.answer)) : undefined)
    return errorText === undefined ? fact : { ...base, fact: 'tool_failed', error: errorText }
  }

  /** A framework that omits the content of a message means the result that it reported. */
  #withContent(fact: Fact, id: unknown) {
    const call = this.#calls.get(keyOf(fact.run, id))
    if (call?.frameworkResult === undefined || (fact.content !== undefined && fact.content !== null)) return fact
    return { ...fact, content: typeof call.frameworkResult === 'string' ? call.frameworkResult : JSON.stringify(call.frameworkResult) }
  }

  #open(run: string | undefined, { id, name, args }: { id: unknown; name: unknown; args: unknown }) {
    if (typeof id !== 'string' || typeof name !== 'string') return
    const key = keyOf(run, id)
    const call = this.#calls.get(key)
    if (call === undefined) this.#calls.set(key, { run, id, name, args, isDone: false, isCalled: false })
    else if (call.args === undefined && !call.isDone) call.args = args
  }

  #close(run: string | undefined, id: unknown) {
    const call = this.#calls.get(keyOf(run, id))
    if (call === undefined) return
    call.isDone = true
    call.args = undefined
    this.#unreported.delete(call)
  }

  #received(fact: Fact) {
    const { run, id } = fact
    switch (fact.fact) {
      case 'model_called':
        this.#hasModel ||= run === undefined || run === ''
        // By now the framework has reported everything about earlier tools.
        this.#reportEnds(run)
        this.#activeModelCalls.add(keyOf(run, fact.call))
        break
      case 'model_responded':
      case 'model_failed':
        for (const call of callsInFact(fact)) this.#open(run, call)
        this.#activeModelCalls.delete(keyOf(run, fact.call))
        this.#matchPending()
        break
      case 'message_appended': {
        for (const call of callsInFact(fact)) this.#open(run, call)
        const answers = fact.tool_call_id ?? fact.toolCallId
        if (answers !== undefined) this.#resultAppended(run, answers)
        break
      }
      case 'tool_called':
        this.#open(run, { id, name: fact.name, args: fact.arguments === undefined ? undefined : parseArguments(fact.arguments) })
        this.#markCalled(run, id)
        this.#matchPending()
        break
      case 'tool_returned':
      case 'tool_failed':
        this.#close(run, id)
        break
      case 'agent_entered':
        this.#isNamed ||= run === undefined || run === ''
        break
      default:
    }
  }

  #markCalled(run: string | undefined, id: unknown) {
    const call = this.#calls.get(keyOf(run, id))
    if (call !== undefined) call.isCalled = true
  }

  /** A message with the result of a call was appended: its end will not be reported any more. */
  #resultAppended(run: string | undefined, id: unknown) {
    const call = this.#calls.get(keyOf(run, id))
    if (call !== undefined && this.#unreported.has(call)) this.#reportPendingEnd(call)
    this.#close(run, id)
  }

  /** Reports the ends of calls that the framework did not report. */
  #reportEnds(run: string | undefined) {
    for (const call of [...this.#unreported]) if (keyOf(call.run) === keyOf(run)) this.#reportPendingEnd(call)
  }

  #reportPendingEnd(call: ToolCall) {
    this.#unreported.delete(call)
    if (call.mcp!.outcome !== undefined && !call.isDone) this.#reportEnd(call, call.mcp!.outcome)
  }

  #reportEnd({ run, id, name }: ToolCall, { answer, error }: Outcome) {
    const base = { ...(run === undefined ? {} : { run }), id }
    if (error !== undefined) this.#report('toolFailed', { ...base, error })
    else if (answer.isError !== true) this.#report('toolReturned', { ...base, result: resultFromAnswer(answer) })
    else {
      if (!isPlainText(answer))
        this.#recorder[REPORT_UNRECORDED](
          `the tool \`${name}\` failed with more than one text, and only its words are recorded, as one text`,
        )
      this.#report('toolFailed', { ...base, error: escapeToolError(errorTextOf(answer)) })
    }
  }

  /** Finds the open tool call of a model that matches. */
  #find({ name, server, args }: McpCall) {
    let best: ToolCall | undefined
    let most = 0
    for (const call of this.#calls.values()) {
      if (call.isDone || call.mcp !== undefined || call.isOwn) continue
      const found = matchScore(call.name, name, server)
      if (found > most && isSame(call.args ?? {}, args)) [best, most] = [call, found]
    }
    return best
  }

  #match(mcp: McpCall) {
    const call = this.#find(mcp)
    if (call === undefined) return false
    call.mcp = mcp
    mcp.call = call
    if (!call.isCalled)
      this.#report('toolCalled', {
        ...(call.run === undefined ? {} : { run: call.run }),
        id: call.id,
        name: call.name,
        arguments: mcp.args,
      })
    if (mcp.outcome !== undefined) this.#unreported.add(call)
    return true
  }

  /** Records a call that no model made. */
  #recordUnmatched(mcp: McpCall) {
    this.#count += 1
    const id = `mcp_${String(this.#count).padStart(3, '0')}`
    const name = fullName(mcp.name, mcp.server)
    mcp.call = { id, name, isOwn: true }
    this.#calls.set(keyOf(undefined, id), { ...mcp.call, isDone: true })
    this.#report('toolCalled', { id, name, arguments: mcp.args })
    if (mcp.outcome !== undefined) this.#reportEnd(mcp.call, mcp.outcome)
  }

  /** Matches waiting calls with calls of a model; once no model call is active, unmatched ones are recorded on their own. */
  #matchPending() {
    if (this.#isReporting) return
    for (const mcp of [...this.#unmatched]) {
      if (!this.#match(mcp)) {
        if (this.#activeModelCalls.size > 0) continue
        this.#recordUnmatched(mcp)
      }
      this.#unmatched.delete(mcp)
    }
  }

  /** Starts a call of a tool; returns the object for `end`. */
  begin(name: string, args: unknown, server: string | undefined): McpCall {
    const resumed = this.#awaitingInput.findIndex((mcp) => mcp.name === name && mcp.server === server && isSame(mcp.args, args))
    if (resumed >= 0) return this.#awaitingInput.splice(resumed, 1)[0]!
    const mcp: McpCall = { name, args, server, outcome: undefined, call: undefined }
    if (!this.#match(mcp)) {
      if (this.#activeModelCalls.size > 0) this.#unmatched.add(mcp)
      else this.#recordUnmatched(mcp)
    }
    return mcp
  }

  /** Ends a call, with the `answer` of the tool or an `error`. */
  end(mcp: McpCall, outcome: Outcome) {
    if (mcp.outcome !== undefined) return
    mcp.outcome = outcome
    const { call } = mcp
    if (call === undefined) return
    if (call.isOwn) this.#reportEnd(call, outcome)
    else if (!call.isDone) this.#unreported.add(call)
  }

  /** The client or the connection gave up: a framework reports that itself. */
  giveUp(mcp: McpCall, error: string) {
    if (mcp.outcome !== undefined) return
    if (mcp.call === undefined || mcp.call.isOwn) this.end(mcp, { error })
    else {
      mcp.outcome = { error }
      mcp.call.mcp = undefined
    }
  }

  /** The client has to provide input, and calls the tool again when it has it. */
  awaitInput(mcp: McpCall) {
    this.#awaitingInput.push(mcp)
  }

  /** Sets the name of the client. */
  setClientName(client: unknown) {
    if (typeof client === 'string' && client !== '') this.#client ??= client
  }

  /** Records the tool definitions of a server. */
  defineTools(tools: readonly unknown[], server: string | undefined) {
    const definitions = tools
      .filter((tool): tool is Definition => typeof (tool as Fields)?.name === 'string')
      .map(({ name, description, inputSchema: parameters }) => ({
        name: fullName(name, server),
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters }),
      }))
    // Clients list tools before every model call; a definition is recorded only once.
    const fresh = definitions.filter((tool) => this.#listedTools.get(tool.name) !== JSON.stringify(tool))
    for (const tool of fresh) this.#listedTools.set(tool.name, JSON.stringify(tool))
    // Recorded at once, so that an interrupted journal contains them.
    if (fresh.length > 0) this.#report('toolsListed', { tools: fresh })
  }

  #finishing() {
    for (const mcp of this.#unmatched) this.#recordUnmatched(mcp)
    this.#unmatched.clear()
    for (const call of [...this.#unreported]) this.#reportPendingEnd(call)
    if (this.#hasModel || this.#isNamed || this.#listedTools.size === 0) return
    this.#isNamed = true
    this.#report('agentEntered', { run: '', agent: this.#client ?? 'agent' })
  }
}

const callsByRecorder = new WeakMap<ObservedRecorder, McpCalls>()

/** The calls of a recorder, whichever of its servers they are of. */
export const mcpCallsOf = (recorder: ObservedRecorder) => {
  if (!callsByRecorder.has(recorder)) callsByRecorder.set(recorder, new McpCalls(recorder))
  return callsByRecorder.get(recorder)!
}
