// What the traces of the Agents SDK tell, told to a recorder: beside wrapped models what those do not see, and alone whatever
// the spans carry. A call that others tell of is theirs.
import { HEARD } from '../api/fact-listeners.js'
import { UNRECORDED } from '../api/report-unrecorded.js'
import { dataOf, tellLeftOut, tellingOf, watching } from '../adapters/run-recorder.js'
import { historiesOf } from './history.js'
import { entriesOf, failuresOf } from './from-sdk.js'
import { hasHooks } from './recorder.js'
import { isModelSpan, modelSpan } from './spans.js'

/** The facts that have a time. */
const TIMED = ['model_called', 'model_answered', 'model_failed', 'tool_called', 'tool_returned', 'tool_failed']

const errorOf = ({ message, data }) => {
  const words = data?.error ?? message
  return typeof words === 'string' ? words : String(words?.message ?? message)
}

class Tracing {
  #recorder
  #telling
  #histories
  /** The spans that are not over, by their ids. */
  #spans = new Map()
  #traces = new Set()
  /** The calls of models that others tell of, and that are under way. */
  #speaking = new Set()
  /** Whether it is this that tells, and the time that it tells of. */
  #tells = false
  #at
  /** Who speaks in the outermost run, and who spoke first. */
  #first
  #speaker
  #guardrails = {}
  #errors = []
  #hasNoData = false
  #isFailure

  constructor(recorder, { isFailure } = {}) {
    this.#recorder = recorder
    this.#isFailure = failuresOf('agentsTracing', isFailure)
    this.#telling = tellingOf('agentsTracing', recorder)
    this.#histories = historiesOf(recorder)
    recorder[HEARD]({ merge: (fact) => this.#merged(fact), heard: (fact) => this.#heard(fact), ending: () => {} })
  }

  #safely(work) {
    return watching(this.#recorder, work)
  }

  /** A fact with its time, and an answer with who gave it. */
  #merged(fact) {
    if (this.#traces.size === 0 || !TIMED.includes(fact.fact)) return fact
    const at = fact.at ?? (this.#tells ? this.#at : new Date().toISOString())
    const told = at === undefined ? fact : { ...fact, at }
    const isOuter = fact.run === undefined || fact.run === ''
    if (fact.fact !== 'model_answered' || !isOuter || fact.metadata !== undefined || this.#speaker === this.#first) return told
    return { ...told, metadata: { agent: this.#speaker } }
  }

  #heard({ fact, run, call }) {
    if (this.#tells) return
    const key = JSON.stringify([run ?? '', call])
    if (fact === 'model_called') this.#speaking.add(key)
    if (fact === 'model_answered' || fact === 'model_failed') this.#speaking.delete(key)
  }

  #tell(at, work) {
    this.#tells = true
    this.#at = at ?? undefined
    try {
      return work()
    } finally {
      this.#tells = false
    }
  }

  /** The nearest span around one that `is` so. */
  #around(node, is) {
    for (let at = node.outer; at !== undefined; at = at.outer) if (is(at)) return at
    return undefined
  }

  #toolAround(node) {
    return this.#around(node, ({ data }) => data.type === 'function')
  }

  /** The name of the run that a span is of; the outermost has none. The first model call inside of a tool begins one. */
  #runOf(node) {
    const tool = this.#toolAround(node)
    if (tool === undefined) return undefined
    if (tool.inner === undefined) {
      const parentRun = this.#runOf(tool)
      const call = this.#callOf(tool, parentRun)
      if (call === undefined) return parentRun
      const agent = this.#around(node, ({ data }) => data.type === 'agent')?.data.name ?? tool.data.name
      this.#telling.run(parentRun).toolCalled(call)
      tool.inner = this.#telling.enter({ agent, parentRun, parentCall: call })
    }
    return tool.inner
  }

  /** The call of a model that a tool carries out: the first with its name and arguments that no other one does. */
  #callOf(tool, run) {
    tool.call ??= this.#telling.run(run).take(tool.data.name, dataOf(tool.data.input))
    return tool.call
  }

  #noData() {
    if (this.#hasNoData) return
    this.#hasNoData = true
    this.#recorder[UNRECORDED]?.(
      'spans of this trace carry no data, and what they are of is not recorded',
      'set `traceIncludeSensitiveData: true` for the Runner, or wrap its models with recordAgents()',
    )
  }

  #model(node, span) {
    if (node.isTold || this.#speaking.size > 0) return
    const { startedAt, endedAt, error } = span
    const found = modelSpan(span.spanData)
    if (found === undefined) {
      this.#noData()
      return
    }
    const { asked, output, about, answer, leftOut } = found
    let { request, entries } = found
    if (asked !== undefined) {
      const input = this.#histories.whole(asked)
      const whole = { ...(asked.systemInstructions === undefined ? {} : { systemInstructions: asked.systemInstructions }), input }
      request = { format: 'openai-agents', ...whole }
      entries = entriesOf(whole, this.#isFailure)
      this.#histories.keep(asked, input, answer?.id, output)
    }
    const run = this.#telling.run(this.#tell(startedAt, () => this.#runOf(node)))
    const call = this.#tell(startedAt, () => run.asked(request, entries, about))
    tellLeftOut(this.#recorder, leftOut)
    this.#tell(endedAt, () => {
      if (error !== null && error !== undefined) run.failed(call, errorOf(error))
      else if (answer === undefined) run.failed(call, 'the trace has no answer')
      else run.answered(call, answer)
    })
  }

  #tool(node, span) {
    if (node.inner !== undefined) this.#tell(span.endedAt, () => this.#telling.leave(node.inner))
    // Hooks know the id of the call, and told of it.
    if (hasHooks(this.#recorder)) return
    const { input, output, name } = span.spanData
    if (input === undefined && output === undefined) {
      this.#noData()
      return
    }
    const run = this.#runOf(node)
    const id = this.#tell(span.startedAt, () => this.#callOf(node, run))
    // What no model asked for is the work of the host.
    if (id === undefined) return
    const teller = this.#telling.run(run)
    this.#tell(span.startedAt, () => teller.toolCalled(id, name, input))
    this.#tell(span.endedAt, () => {
      const { error } = span
      if (typeof output === 'string' && this.#isFailure(output, { name })) teller.toolFailed(id, output)
      else if (error !== null && error !== undefined) teller.toolFailed(id, errorOf(error))
      else teller.toolReturned(id, dataOf(output))
    })
  }

  #guardrail({ name, triggered }) {
    this.#guardrails = { ...this.#guardrails, [name]: triggered === true }
    this.#recorder.contextChanged({ key: 'guardrails', value: this.#guardrails })
  }

  #failed({ name }, { message, data }) {
    this.#errors = [...this.#errors, { agent: name, message, ...(data === undefined ? {} : { data }) }]
    this.#recorder.contextChanged({ key: 'errors', value: this.#errors })
  }

  traceStarts(trace) {
    this.#safely(() => this.#traces.add(trace.traceId))
  }

  traceEnds(trace) {
    this.#safely(() => this.#traces.delete(trace.traceId))
  }

  starts(span) {
    this.#safely(() => {
      const { spanId, parentId, spanData: data } = span
      const node = { data, outer: this.#spans.get(parentId) }
      this.#spans.set(spanId, node)
      if (isModelSpan(data)) node.isTold = this.#speaking.size > 0
      if (data.type === 'agent' && this.#toolAround(node) === undefined) {
        this.#first ??= data.name
        this.#speaker = data.name
      }
    })
  }

  ends(span) {
    this.#safely(() => {
      const { spanId, spanData: data, error } = span
      const node = this.#spans.get(spanId)
      this.#spans.delete(spanId)
      if (node === undefined) return
      if (isModelSpan(data)) this.#model(node, span)
      if (data.type === 'function') this.#tool(node, span)
      if (data.type === 'guardrail') this.#guardrail(data)
      if (data.type === 'agent' && error !== null && error !== undefined) this.#failed(data, error)
    })
  }
}

/**
 * A processor for `addTraceProcessor()`: beside what `recordAgents()` records it adds times, who speaks, guardrails and errors
 * of agents, and the tools where no hooks are attached. Alone it records what the spans of models and tools carry.
 */
export const agentsTracing = (recorder, options) => {
  const tracing = new Tracing(recorder, options)
  return {
    onTraceStart: async (trace) => tracing.traceStarts(trace),
    onTraceEnd: async (trace) => tracing.traceEnds(trace),
    onSpanStart: async (span) => tracing.starts(span),
    onSpanEnd: async (span) => tracing.ends(span),
    shutdown: async () => {},
    forceFlush: async () => {},
  }
}
