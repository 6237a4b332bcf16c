// Records the traces of the Agents SDK: in addition to wrapped models what those do not see, and alone whatever the spans
// contain. A call that others record is not recorded again.
import type { Fields } from '../api/fields.ts'
import { type FactListener, ADD_FACT_LISTENER } from '../api/fact-listeners.ts'
import { type UnrecordedReporter, REPORT_UNRECORDED } from '../api/report-unrecorded.ts'
import { type RecordedRuns, parseData, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import type { IsFailure, OpenAIAgentsTracing } from '../types/openai-agents.ts'
import type { Fact, Recorder } from '../types/index.ts'
import { historiesOf } from './history.ts'
import { requestMessages, failureDetector } from './from-sdk.ts'
import { hasHooks } from './recorder.ts'
import type { FailureDetector, FailureOptions } from './protocol.ts'
import { type SpanData, isModelSpan, readModelSpan } from './spans.ts'

/** A recorder, with what it has for other modules of the package. */
type ObservedRecorder = Recorder & UnrecordedReporter & { [ADD_FACT_LISTENER](listener: FactListener): void }

interface Trace {
  traceId: string
}

interface SpanError {
  message: string
  data?: { error?: unknown }
}

interface Span {
  spanId: string
  parentId?: string | null
  spanData: SpanData
  startedAt?: string | null
  endedAt?: string | null
  error?: SpanError | null
}

/** A span that is not over. */
interface OpenSpan {
  data: SpanData
  /** The span that it is inside of. */
  outer: OpenSpan | undefined
  /** Whether others record its model call. */
  isReported?: boolean
  /** Of a tool, the run of the agent that it runs. */
  inner?: string
  /** Of a tool, the call of a model that it carries out. */
  call?: string | undefined
}

/** The facts that have a time. */
const TIMED_FACTS = ['model_called', 'model_responded', 'model_failed', 'tool_called', 'tool_returned', 'tool_failed']

const errorText = ({ message, data }: SpanError) => {
  const error = data?.error ?? message
  return typeof error === 'string' ? error : String((error as Fields)?.message ?? message)
}

class Tracing {
  readonly #recorder: ObservedRecorder
  readonly #runs: RecordedRuns
  readonly #histories: ReturnType<typeof historiesOf>
  /** The spans that are not over, by their ids. */
  #spans = new Map<string | null | undefined, OpenSpan>()
  #traces = new Set<string>()
  /** The active model calls that others record. */
  #activeModelCalls = new Set<string>()
  /** Whether this class is reporting, and the time of what it reports. */
  #isReporting = false
  #reportTime: string | undefined
  /** The current agent of the outermost run, and the first one. */
  #firstAgent: string | undefined
  #currentAgent: string | undefined
  #guardrails: { [name: string]: boolean } = {}
  #errors: object[] = []
  #hasReportedNoData = false
  readonly #isFailure: FailureDetector

  constructor(recorder: ObservedRecorder, { isFailure }: FailureOptions = {}) {
    this.#recorder = recorder
    this.#isFailure = failureDetector('openAIAgentsTracing', isFailure)
    this.#runs = runsOf('openAIAgentsTracing', recorder)
    this.#histories = historiesOf(recorder)
    recorder[ADD_FACT_LISTENER]({ merge: (fact) => this.#mergeFact(fact), received: (fact) => this.#received(fact), finishing: () => {} })
  }

  #safely<Result>(work: () => Result) {
    return guardRecording(this.#recorder, work)
  }

  /** A fact with its time, and an answer with who gave it. */
  #mergeFact(fact: Fact): Fact {
    if (this.#traces.size === 0 || !TIMED_FACTS.includes(fact.fact)) return fact
    const at = fact.at ?? (this.#isReporting ? this.#reportTime : new Date().toISOString())
    const timed = at === undefined ? fact : { ...fact, at }
    const isOuter = fact.run === undefined || fact.run === ''
    if (fact.fact !== 'model_responded' || !isOuter || fact.metadata !== undefined || this.#currentAgent === this.#firstAgent) return timed
    return { ...timed, metadata: { agent: this.#currentAgent } }
  }

  #received({ fact, run, call }: Fact) {
    if (this.#isReporting) return
    const key = JSON.stringify([run ?? '', call])
    if (fact === 'model_called') this.#activeModelCalls.add(key)
    if (fact === 'model_responded' || fact === 'model_failed') this.#activeModelCalls.delete(key)
  }

  #reportAt<Result>(at: string | null | undefined, work: () => Result) {
    this.#isReporting = true
    this.#reportTime = at ?? undefined
    try {
      return work()
    } finally {
      this.#isReporting = false
    }
  }

  /** The nearest enclosing span that `matches`. */
  #enclosing(node: OpenSpan, matches: (outer: OpenSpan) => boolean) {
    for (let at = node.outer; at !== undefined; at = at.outer) if (matches(at)) return at
    return undefined
  }

  #enclosingTool(node: OpenSpan) {
    return this.#enclosing(node, ({ data }) => data.type === 'function')
  }

  /** The name of the run of a span; the outermost has none. The first model call in a tool starts one. */
  #runIdOf(node: OpenSpan): string | undefined {
    const tool = this.#enclosingTool(node)
    if (tool === undefined) return undefined
    if (tool.inner === undefined) {
      const parentRun = this.#runIdOf(tool)
      const call = this.#callIdOf(tool, parentRun)
      if (call === undefined) return parentRun
      const agent = this.#enclosing(node, ({ data }) => data.type === 'agent')?.data.name ?? tool.data.name
      this.#runs.run(parentRun).toolCalled(call)
      tool.inner = this.#runs.enter({ agent, parentRun, parentCall: call })
    }
    return tool.inner
  }

  /** The call of a model that a tool carries out: the first with its name and arguments that no other one does. */
  #callIdOf(tool: OpenSpan, run: string | undefined) {
    tool.call ??= this.#runs.run(run).claimCall(tool.data.name, parseData(tool.data.input))
    return tool.call
  }

  #reportNoData() {
    if (this.#hasReportedNoData) return
    this.#hasReportedNoData = true
    this.#recorder[REPORT_UNRECORDED]?.(
      'spans of this trace carry no data, and what they are of is not recorded',
      'set `traceIncludeSensitiveData: true` for the Runner, or wrap its models with recordOpenAIAgents()',
    )
  }

  #recordModelSpan(node: OpenSpan, span: Span) {
    if (node.isReported || this.#activeModelCalls.size > 0) return
    const { startedAt, endedAt, error } = span
    const found = readModelSpan(span.spanData)
    if (found === undefined) {
      this.#reportNoData()
      return
    }
    const { historyRequest, output, about, answer, leftOut } = found
    let { request, entries } = found
    if (historyRequest !== undefined) {
      const input = this.#histories.fullInput(historyRequest)
      const fullRequest = {
        ...(historyRequest.systemInstructions === undefined ? {} : { systemInstructions: historyRequest.systemInstructions }),
        input,
      }
      request = { format: 'openai-agents', ...fullRequest }
      entries = requestMessages(fullRequest, this.#isFailure)
      this.#histories.keep(historyRequest, input, answer?.id, output)
    }
    const run = this.#runs.run(this.#reportAt(startedAt, () => this.#runIdOf(node)))
    // What the span does not have itself follows from the history.
    const call = this.#reportAt(startedAt, () => run.modelCalled(request!, entries!, about))
    reportUnsupportedParts(this.#recorder, leftOut)
    this.#reportAt(endedAt, () => {
      if (error !== null && error !== undefined) run.modelFailed(call, errorText(error))
      else if (answer === undefined) run.modelFailed(call, 'the trace has no answer')
      else run.modelResponded(call, answer)
    })
  }

  #recordToolSpan(node: OpenSpan, span: Span) {
    if (node.inner !== undefined) this.#reportAt(span.endedAt, () => this.#runs.leave(node.inner!))
    // Hooks know the id of the call, and have recorded it.
    if (hasHooks(this.#recorder)) return
    const { input, output, name } = span.spanData
    if (input === undefined && output === undefined) {
      this.#reportNoData()
      return
    }
    const run = this.#runIdOf(node)
    const id = this.#reportAt(span.startedAt, () => this.#callIdOf(node, run))
    // Work that no model requested belongs to the host.
    if (id === undefined) return
    const runRecorder = this.#runs.run(run)
    this.#reportAt(span.startedAt, () => runRecorder.toolCalled(id, name, input))
    this.#reportAt(span.endedAt, () => {
      const { error } = span
      if (typeof output === 'string' && this.#isFailure(output, { name })) runRecorder.toolFailed(id, output)
      else if (error !== null && error !== undefined) runRecorder.toolFailed(id, errorText(error))
      else runRecorder.toolReturned(id, parseData(output))
    })
  }

  #recordGuardrail({ name, triggered }: SpanData) {
    this.#guardrails = { ...this.#guardrails, [name]: triggered === true }
    this.#recorder.contextChanged({ key: 'guardrails', value: this.#guardrails })
  }

  #recordAgentError({ name }: SpanData, { message, data }: SpanError) {
    this.#errors = [...this.#errors, { agent: name, message, ...(data === undefined ? {} : { data }) }]
    this.#recorder.contextChanged({ key: 'errors', value: this.#errors })
  }

  traceStarts(trace: Trace) {
    this.#safely(() => this.#traces.add(trace.traceId))
  }

  traceEnds(trace: Trace) {
    this.#safely(() => this.#traces.delete(trace.traceId))
  }

  starts(span: Span) {
    this.#safely(() => {
      const { spanId, parentId, spanData: data } = span
      const node: OpenSpan = { data, outer: this.#spans.get(parentId) }
      this.#spans.set(spanId, node)
      if (isModelSpan(data)) node.isReported = this.#activeModelCalls.size > 0
      if (data.type === 'agent' && this.#enclosingTool(node) === undefined) {
        this.#firstAgent ??= data.name
        this.#currentAgent = data.name
      }
    })
  }

  ends(span: Span) {
    this.#safely(() => {
      const { spanId, spanData: data, error } = span
      const node = this.#spans.get(spanId)
      this.#spans.delete(spanId)
      if (node === undefined) return
      if (isModelSpan(data)) this.#recordModelSpan(node, span)
      if (data.type === 'function') this.#recordToolSpan(node, span)
      if (data.type === 'guardrail') this.#recordGuardrail(data)
      if (data.type === 'agent' && error !== null && error !== undefined) this.#recordAgentError(data, error)
    })
  }
}

/**
 * A processor of traces that reports their content to a recorder.
 *
 * Together with {@link recordOpenAIAgents} it adds the times, the agents, guardrails and errors of agents, and the tools where no hooks
 * are attached; what both see is recorded once. Alone it records what spans of models and tools carry, those of
 * OpenAI's own models. Traces without data (`traceIncludeSensitiveData: false`) have nothing to record.
 *
 * @param options.isFailure Which texts mean that a tool failed, in addition to those of the SDK.
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * addTraceProcessor(openAIAgentsTracing(recorder))
 * await run(agent, 'What is the weather?')
 * await recorder.save('run.yaml')
 */
export const openAIAgentsTracing = (recorder: Recorder, options?: { isFailure?: IsFailure }): OpenAIAgentsTracing => {
  const tracing = new Tracing(recorder as ObservedRecorder, options)
  return {
    onTraceStart: async (trace: Trace) => tracing.traceStarts(trace),
    onTraceEnd: async (trace: Trace) => tracing.traceEnds(trace),
    onSpanStart: async (span: Span) => tracing.starts(span),
    onSpanEnd: async (span: Span) => tracing.ends(span),
    shutdown: async () => {},
    forceFlush: async () => {},
  }
}
