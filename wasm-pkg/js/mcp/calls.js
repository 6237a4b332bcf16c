// The calls of MCP tools among those of models. MCP knows no id of a model's call: one belongs to the first open call with the
// same tool and arguments, whoever told of that. What MCP and the framework say of it is one fact.
import { ADD_FACT_LISTENER } from '../api/fact-listeners.js'
import { REPORT_UNRECORDED } from '../api/report-unrecorded.js'
import { escapeToolError } from './errors.js'
import { matchScore, fullName } from './names.js'
import { isSame, isPlainText, resultFromAnswer, errorTextOf } from './results.js'

const keyOf = (run, id) => JSON.stringify([run ?? '', id])

const parseArguments = (value) => {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const listOf = (value) => (Array.isArray(value) ? value : [])

/** The calls that an answer or a message tells of. */
const callsInFact = (fact) => listOf(fact.tool_calls ?? fact.toolCalls).map((call) => ({
  id: call?.id ?? call?.tool_call_id ?? call?.toolCallId ?? call?.call_id,
  name: call?.function?.name ?? call?.name ?? call?.tool_name ?? call?.toolName,
  args: parseArguments(call?.function?.arguments ?? call?.arguments),
}))

/** What is told of calls by both. */
const SHARED_FACTS = ['tool_called', 'tool_returned', 'tool_failed']

class McpCalls {
  #recorder
  /** Every call of a model, by run and id; those that are done have no arguments any more. */
  #calls = new Map()
  /** The model calls that are under way. */
  #activeModelCalls = new Set()
  /** Calls of MCP that came while a model spoke, whose answer may yet tell of them. */
  #unmatched = new Set()
  /** Calls of MCP that a model made, of which the framework has not told the end. */
  #unreported = new Set()
  /** Calls whose server asked the client for something before it answers. */
  #awaitingInput = []
  /** The definitions that were told, as JSON, by the names of the tools. */
  #listedTools = new Map()
  /** The name of whoever calls. */
  #client
  #hasModel = false
  #isNamed = false
  #count = 0
  /** Whether it is this that tells. */
  #isReporting = false

  constructor(recorder) {
    this.#recorder = recorder
    recorder[ADD_FACT_LISTENER]({
      merge: (fact) => {
        if (this.#isReporting) return fact
        const answers = fact.tool_call_id ?? fact.toolCallId
        if (fact.fact === 'message_appended' && fact.role === 'tool' && answers !== undefined) return this.#withContent(fact, answers)
        if (!SHARED_FACTS.includes(fact.fact)) return fact
        const call = this.#calls.get(keyOf(fact.run, fact.id))
        if (call?.mcp === undefined) return fact
        // What was told once is not told again.
        if (fact.fact === 'tool_called') return call.isCalled ? undefined : fact
        return call.isDone ? undefined : this.#mergeEnd(fact, call)
      },
      received: (fact) => this.#received(fact),
      finishing: () => this.#finishing(),
    })
  }

  #report(method, fields) {
    this.#isReporting = true
    try {
      this.#recorder[method](fields)
    } finally {
      this.#isReporting = false
    }
  }

  /** What the framework says of the end of a call, with what MCP knows better. */
  #mergeEnd(fact, call) {
    const { outcome } = call.mcp
    this.#unreported.delete(call)
    if (outcome === undefined) return fact
    const { run, at, id } = fact
    const base = { ...(run === undefined ? {} : { run }), ...(at === undefined ? {} : { at }), id }
    // A framework may pass a failure on as an answer, and then that is what its model is told of.
    if (fact.fact === 'tool_returned') {
      if (outcome.answer === undefined) return fact
      const result = resultFromAnswer(outcome.answer)
      if (!isSame(result, fact.result)) call.frameworkResult = fact.result
      return { ...base, fact: 'tool_returned', result }
    }
    const errorText = outcome.error ?? (outcome.answer.isError === true ? escapeToolError(errorTextOf(outcome.answer)) : undefined)
    return errorText === undefined ? fact : { ...base, fact: 'tool_failed', error: errorText }
  }

  /** A framework that leaves the words of a message out means the result that it told. */
  #withContent(fact, id) {
    const call = this.#calls.get(keyOf(fact.run, id))
    if (call?.frameworkResult === undefined || (fact.content !== undefined && fact.content !== null)) return fact
    return { ...fact, content: typeof call.frameworkResult === 'string' ? call.frameworkResult : JSON.stringify(call.frameworkResult) }
  }

  #open(run, { id, name, args }) {
    if (typeof id !== 'string' || typeof name !== 'string') return
    const key = keyOf(run, id)
    const call = this.#calls.get(key)
    if (call === undefined) this.#calls.set(key, { run, id, name, args, isDone: false, isCalled: false })
    else if (call.args === undefined && !call.isDone) call.args = args
  }

  #close(run, id) {
    const call = this.#calls.get(keyOf(run, id))
    if (call === undefined) return
    call.isDone = true
    call.args = undefined
    this.#unreported.delete(call)
  }

  #received(fact) {
    const { run, id } = fact
    switch (fact.fact) {
      case 'model_called':
        this.#hasModel ||= run === undefined || run === ''
        // Whatever the framework had to say of the tools before was said by now.
        this.#reportEnds(run)
        this.#activeModelCalls.add(keyOf(run, fact.call))
        break
      case 'model_answered':
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

  #markCalled(run, id) {
    const call = this.#calls.get(keyOf(run, id))
    if (call !== undefined) call.isCalled = true
  }

  /** A message with the result of a call: nobody tells its end any more. */
  #resultAppended(run, id) {
    const call = this.#calls.get(keyOf(run, id))
    if (call !== undefined && this.#unreported.has(call)) this.#reportPendingEnd(call)
    this.#close(run, id)
  }

  /** Tells the ends of calls that the framework did not tell. */
  #reportEnds(run) {
    for (const call of [...this.#unreported]) if (keyOf(call.run) === keyOf(run)) this.#reportPendingEnd(call)
  }

  #reportPendingEnd(call) {
    this.#unreported.delete(call)
    if (call.mcp.outcome !== undefined && !call.isDone) this.#reportEnd(call, call.mcp.outcome)
  }

  #reportEnd({ run, id, name }, { answer, error }) {
    const base = { ...(run === undefined ? {} : { run }), id }
    if (error !== undefined) this.#report('toolFailed', { ...base, error })
    else if (answer.isError !== true) this.#report('toolReturned', { ...base, result: resultFromAnswer(answer) })
    else {
      if (!isPlainText(answer)) this.#recorder[REPORT_UNRECORDED](`the tool \`${name}\` failed with more than one text, and only its words are recorded, as one text`)
      this.#report('toolFailed', { ...base, error: escapeToolError(errorTextOf(answer)) })
    }
  }

  /** The open call of a model that this may be. */
  #find({ name, server, args }) {
    let best
    let most = 0
    for (const call of this.#calls.values()) {
      if (call.isDone || call.mcp !== undefined || call.isOwn) continue
      const found = matchScore(call.name, name, server)
      if (found > most && isSame(call.args ?? {}, args)) [best, most] = [call, found]
    }
    return best
  }

  #match(mcp) {
    const call = this.#find(mcp)
    if (call === undefined) return false
    call.mcp = mcp
    mcp.call = call
    if (!call.isCalled) this.#report('toolCalled', { ...(call.run === undefined ? {} : { run: call.run }), id: call.id, name: call.name, arguments: mcp.args })
    if (mcp.outcome !== undefined) this.#unreported.add(call)
    return true
  }

  /** A call that no model made. */
  #recordUnmatched(mcp) {
    this.#count += 1
    const id = `mcp_${String(this.#count).padStart(3, '0')}`
    const name = fullName(mcp.name, mcp.server)
    mcp.call = { id, name, isOwn: true }
    this.#calls.set(keyOf(undefined, id), { ...mcp.call, isDone: true })
    this.#report('toolCalled', { id, name, arguments: mcp.args })
    if (mcp.outcome !== undefined) this.#reportEnd(mcp.call, mcp.outcome)
  }

  /** Finds what is held a call of a model; once no model speaks, what has none is its own. */
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

  /** A call of a tool begins; gives what its end is told with. */
  begin(name, args, server) {
    const resumed = this.#awaitingInput.findIndex((mcp) => mcp.name === name && mcp.server === server && isSame(mcp.args, args))
    if (resumed >= 0) return this.#awaitingInput.splice(resumed, 1)[0]
    const mcp = { name, args, server, outcome: undefined, call: undefined }
    if (!this.#match(mcp)) {
      if (this.#activeModelCalls.size > 0) this.#unmatched.add(mcp)
      else this.#recordUnmatched(mcp)
    }
    return mcp
  }

  /** It ended, with the `answer` of the tool or an `error`. */
  end(mcp, outcome) {
    if (mcp.outcome !== undefined) return
    mcp.outcome = outcome
    const { call } = mcp
    if (call === undefined) return
    if (call.isOwn) this.#reportEnd(call, outcome)
    else if (!call.isDone) this.#unreported.add(call)
  }

  /** The client or the connection gave it up: a framework tells of that itself. */
  giveUp(mcp, error) {
    if (mcp.outcome !== undefined) return
    if (mcp.call === undefined || mcp.call.isOwn) this.end(mcp, { error })
    else {
      mcp.outcome = { error }
      mcp.call.mcp = undefined
    }
  }

  /** The client is asked for something, and calls the tool once more when it has it. */
  awaitInput(mcp) {
    this.#awaitingInput.push(mcp)
  }

  /** A client says its name. */
  setClientName(client) {
    if (typeof client === 'string' && client !== '') this.#client ??= client
  }

  /** The definitions of the tools of a server. */
  defineTools(tools, server) {
    const definitions = tools.filter((tool) => typeof tool?.name === 'string').map(({ name, description, inputSchema: parameters }) =>
      ({ name: fullName(name, server), ...(description === undefined ? {} : { description }), ...(parameters === undefined ? {} : { parameters }) }))
    // Clients ask before every call of a model; what was told is not told again.
    const fresh = definitions.filter((tool) => this.#listedTools.get(tool.name) !== JSON.stringify(tool))
    for (const tool of fresh) this.#listedTools.set(tool.name, JSON.stringify(tool))
    // Told at once, so that a journal which breaks off has them.
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

const callsByRecorder = new WeakMap()

/** The calls of a recorder, whichever of its servers they are of. */
export const mcpCallsOf = (recorder) => {
  if (!callsByRecorder.has(recorder)) callsByRecorder.set(recorder, new McpCalls(recorder))
  return callsByRecorder.get(recorder)
}
