// The calls of MCP tools among those of models. MCP knows no id of a model's call: one belongs to the first open call with the
// same tool and arguments, whoever told of that. What MCP and the framework say of it is one fact.
import { HEARD } from '../api/fact-listeners.js'
import { UNRECORDED } from '../api/report-unrecorded.js'
import { ofTool } from './errors.js'
import { fit, fullName } from './names.js'
import { isSame, isWords, resultOf, wordsOf } from './results.js'

const keyOf = (run, id) => JSON.stringify([run ?? '', id])

const dataOf = (given) => {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

const listOf = (value) => (Array.isArray(value) ? value : [])

/** The calls that an answer or a message tells of. */
const callsOf = (fact) => listOf(fact.tool_calls ?? fact.toolCalls).map((call) => ({
  id: call?.id ?? call?.tool_call_id ?? call?.toolCallId ?? call?.call_id,
  name: call?.function?.name ?? call?.name ?? call?.tool_name ?? call?.toolName,
  args: dataOf(call?.function?.arguments ?? call?.arguments),
}))

/** What is told of calls by both. */
const TOLD = ['tool_called', 'tool_returned', 'tool_failed']

class Calls {
  #recorder
  /** Every call of a model, by run and id; those that are done have no arguments any more. */
  #known = new Map()
  /** The model calls that are under way. */
  #speaking = new Set()
  /** Calls of MCP that came while a model spoke, whose answer may yet tell of them. */
  #held = new Set()
  /** Calls of MCP that a model made, of which the framework has not told the end. */
  #untold = new Set()
  /** Calls whose server asked the client for something before it answers. */
  #asking = []
  /** The definitions that were told, as JSON, by the names of the tools. */
  #tools = new Map()
  /** The name of whoever calls. */
  #client
  #hasModel = false
  #isNamed = false
  #count = 0
  /** Whether it is this that tells. */
  #tells = false

  constructor(recorder) {
    this.#recorder = recorder
    recorder[HEARD]({
      merge: (fact) => {
        if (this.#tells) return fact
        const answers = fact.tool_call_id ?? fact.toolCallId
        if (fact.fact === 'message_appended' && fact.role === 'tool' && answers !== undefined) return this.#worded(fact, answers)
        if (!TOLD.includes(fact.fact)) return fact
        const call = this.#known.get(keyOf(fact.run, fact.id))
        if (call?.mcp === undefined) return fact
        // What was told once is not told again.
        if (fact.fact === 'tool_called') return call.isCalled ? undefined : fact
        return call.isDone ? undefined : this.#merged(fact, call)
      },
      heard: (fact) => this.#heard(fact),
      ending: () => this.#ending(),
    })
  }

  #tell(method, fields) {
    this.#tells = true
    try {
      this.#recorder[method](fields)
    } finally {
      this.#tells = false
    }
  }

  /** What the framework says of the end of a call, with what MCP knows better. */
  #merged(fact, call) {
    const { outcome } = call.mcp
    this.#untold.delete(call)
    if (outcome === undefined) return fact
    const { run, at, id } = fact
    const own = { ...(run === undefined ? {} : { run }), ...(at === undefined ? {} : { at }), id }
    // A framework may pass a failure on as an answer, and then that is what its model is told of.
    if (fact.fact === 'tool_returned') {
      if (outcome.answer === undefined) return fact
      const result = resultOf(outcome.answer)
      if (!isSame(result, fact.result)) call.said = fact.result
      return { ...own, fact: 'tool_returned', result }
    }
    const words = outcome.error ?? (outcome.answer.isError === true ? ofTool(wordsOf(outcome.answer)) : undefined)
    return words === undefined ? fact : { ...own, fact: 'tool_failed', error: words }
  }

  /** A framework that leaves the words of a message out means the result that it told. */
  #worded(fact, id) {
    const call = this.#known.get(keyOf(fact.run, id))
    if (call?.said === undefined || (fact.content !== undefined && fact.content !== null)) return fact
    return { ...fact, content: typeof call.said === 'string' ? call.said : JSON.stringify(call.said) }
  }

  #open(run, { id, name, args }) {
    if (typeof id !== 'string' || typeof name !== 'string') return
    const key = keyOf(run, id)
    const known = this.#known.get(key)
    if (known === undefined) this.#known.set(key, { run, id, name, args, isDone: false, isCalled: false })
    else if (known.args === undefined && !known.isDone) known.args = args
  }

  #close(run, id) {
    const call = this.#known.get(keyOf(run, id))
    if (call === undefined) return
    call.isDone = true
    call.args = undefined
    this.#untold.delete(call)
  }

  #heard(fact) {
    const { run, id } = fact
    switch (fact.fact) {
      case 'model_called':
        this.#hasModel ||= run === undefined || run === ''
        // Whatever the framework had to say of the tools before was said by now.
        this.#release(run)
        this.#speaking.add(keyOf(run, fact.call))
        break
      case 'model_answered':
      case 'model_failed':
        for (const call of callsOf(fact)) this.#open(run, call)
        this.#speaking.delete(keyOf(run, fact.call))
        this.#settle()
        break
      case 'message_appended': {
        for (const call of callsOf(fact)) this.#open(run, call)
        const answers = fact.tool_call_id ?? fact.toolCallId
        if (answers !== undefined) this.#answered(run, answers)
        break
      }
      case 'tool_called':
        this.#open(run, { id, name: fact.name, args: fact.arguments === undefined ? undefined : dataOf(fact.arguments) })
        this.#called(run, id)
        this.#settle()
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

  #called(run, id) {
    const call = this.#known.get(keyOf(run, id))
    if (call !== undefined) call.isCalled = true
  }

  /** A message with the result of a call: nobody tells its end any more. */
  #answered(run, id) {
    const call = this.#known.get(keyOf(run, id))
    if (call !== undefined && this.#untold.has(call)) this.#end(call)
    this.#close(run, id)
  }

  /** Tells the ends of calls that the framework did not tell. */
  #release(run) {
    for (const call of [...this.#untold]) if (keyOf(call.run) === keyOf(run)) this.#end(call)
  }

  #end(call) {
    this.#untold.delete(call)
    if (call.mcp.outcome !== undefined && !call.isDone) this.#tellEnd(call, call.mcp.outcome)
  }

  #tellEnd({ run, id, name }, { answer, error }) {
    const own = { ...(run === undefined ? {} : { run }), id }
    if (error !== undefined) this.#tell('toolFailed', { ...own, error })
    else if (answer.isError !== true) this.#tell('toolReturned', { ...own, result: resultOf(answer) })
    else {
      if (!isWords(answer)) this.#recorder[UNRECORDED](`the tool \`${name}\` failed with more than one text, and only its words are recorded, as one text`)
      this.#tell('toolFailed', { ...own, error: ofTool(wordsOf(answer)) })
    }
  }

  /** The open call of a model that this may be. */
  #find({ name, server, args }) {
    let best
    let most = 0
    for (const call of this.#known.values()) {
      if (call.isDone || call.mcp !== undefined || call.isOwn) continue
      const found = fit(call.name, name, server)
      if (found > most && isSame(call.args ?? {}, args)) [best, most] = [call, found]
    }
    return best
  }

  #claim(mcp) {
    const call = this.#find(mcp)
    if (call === undefined) return false
    call.mcp = mcp
    mcp.call = call
    if (!call.isCalled) this.#tell('toolCalled', { ...(call.run === undefined ? {} : { run: call.run }), id: call.id, name: call.name, arguments: mcp.args })
    if (mcp.outcome !== undefined) this.#untold.add(call)
    return true
  }

  /** A call that no model made. */
  #own(mcp) {
    this.#count += 1
    const id = `mcp_${String(this.#count).padStart(3, '0')}`
    const name = fullName(mcp.name, mcp.server)
    mcp.call = { id, name, isOwn: true }
    this.#known.set(keyOf(undefined, id), { ...mcp.call, isDone: true })
    this.#tell('toolCalled', { id, name, arguments: mcp.args })
    if (mcp.outcome !== undefined) this.#tellEnd(mcp.call, mcp.outcome)
  }

  /** Finds what is held a call of a model; once no model speaks, what has none is its own. */
  #settle() {
    if (this.#tells) return
    for (const mcp of [...this.#held]) {
      if (!this.#claim(mcp)) {
        if (this.#speaking.size > 0) continue
        this.#own(mcp)
      }
      this.#held.delete(mcp)
    }
  }

  /** A call of a tool begins; gives what its end is told with. */
  begin(name, args, server) {
    const again = this.#asking.findIndex((mcp) => mcp.name === name && mcp.server === server && isSame(mcp.args, args))
    if (again >= 0) return this.#asking.splice(again, 1)[0]
    const mcp = { name, args, server, outcome: undefined, call: undefined }
    if (!this.#claim(mcp)) {
      if (this.#speaking.size > 0) this.#held.add(mcp)
      else this.#own(mcp)
    }
    return mcp
  }

  /** It ended, with the `answer` of the tool or an `error`. */
  end(mcp, outcome) {
    if (mcp.outcome !== undefined) return
    mcp.outcome = outcome
    const { call } = mcp
    if (call === undefined) return
    if (call.isOwn) this.#tellEnd(call, outcome)
    else if (!call.isDone) this.#untold.add(call)
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
  ask(mcp) {
    this.#asking.push(mcp)
  }

  /** A client says its name. */
  named(client) {
    if (typeof client === 'string' && client !== '') this.#client ??= client
  }

  /** The definitions of the tools of a server. */
  define(tools, server) {
    const told = tools.filter((tool) => typeof tool?.name === 'string').map(({ name, description, inputSchema: parameters }) =>
      ({ name: fullName(name, server), ...(description === undefined ? {} : { description }), ...(parameters === undefined ? {} : { parameters }) }))
    // Clients ask before every call of a model; what was told is not told again.
    const fresh = told.filter((tool) => this.#tools.get(tool.name) !== JSON.stringify(tool))
    for (const tool of fresh) this.#tools.set(tool.name, JSON.stringify(tool))
    // Told at once, so that a journal which breaks off has them.
    if (fresh.length > 0) this.#tell('toolsListed', { tools: fresh })
  }

  #ending() {
    for (const mcp of this.#held) this.#own(mcp)
    this.#held.clear()
    for (const call of [...this.#untold]) this.#end(call)
    if (this.#hasModel || this.#isNamed || this.#tools.size === 0) return
    this.#isNamed = true
    this.#tell('agentEntered', { run: '', agent: this.#client ?? 'agent' })
  }
}

const all = new WeakMap()

/** The calls of a recorder, whichever of its servers they are of. */
export const callsIn = (recorder) => {
  if (!all.has(recorder)) all.set(recorder, new Calls(recorder))
  return all.get(recorder)
}
