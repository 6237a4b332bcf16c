// Records the Agents SDK: it wraps models, and listens to hooks for tools and agents.
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import type { UnrecordedReporter } from '../api/report-unrecorded.ts'
import type { Chunk } from '../adapters/partial-answer.ts'
import type { IsFailure, OpenAIAgentsRecording } from '../types/openai-agents.ts'
import type { Recorder } from '../types/index.ts'
import { type RunningTool, currentTool, endTool, enterTool, startTool, currentRun } from '../adapters/nested-runs.ts'
import { type RecordedRuns, parseData, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import { historiesOf } from './history.ts'
import { callSettings, readAnswer, requestMessages, failureDetector, unsupportedParts } from './from-sdk.ts'
import type { FailureDetector, FailureOptions, FunctionCallItem, Model, ModelRequest, ModelResponse, StreamEvent } from './protocol.ts'

/** How a model is recorded. */
interface ModelOptions {
  agent?: string
  name?: string
}

/** What runs agents, or an agent: something with hooks. An agent leaves out the first argument of its listeners. */
interface AgentHooks {
  on(event: 'agent_start', listener: (context: unknown, agent?: { name?: string }) => void): unknown
  on(event: 'agent_tool_start' | 'agent_tool_end', listener: (...args: unknown[]) => void): unknown
}

/** The last argument of the hooks of tools. */
interface ToolDetails {
  toolCall: FunctionCallItem
}

/** A call of the model that is being recorded. */
interface RecordedCall {
  answered(response: ModelResponse): void
  chunk(delta: Chunk): void
  failed(error: unknown): void
}

const isModel = (model: unknown): model is Model =>
  typeof (model as Fields)?.getResponse === 'function' && typeof (model as Model).getStreamedResponse === 'function'

const nameOf = (model: Model) => [model.modelId, model.model, model._model].find((name) => typeof name === 'string')

/** The recorders that get tools from hooks. */
const hooked = new WeakSet<Recorder>()

/** Whether a recorder gets tools from hooks. @internal */
export const hasHooks = (recorder: Recorder) => hooked.has(recorder)

class Recording implements OpenAIAgentsRecording {
  readonly #recorder: Recorder & UnrecordedReporter
  readonly #runs: RecordedRuns
  /** The agent of the last hook, and the first one. */
  #currentAgent: string | undefined
  #firstAgent: string | undefined
  /** The running tools, by the ids of their calls. */
  #openTools = new Map<string, RunningTool>()
  readonly #isFailure: FailureDetector

  constructor(recorder: Recorder & UnrecordedReporter, { isFailure }: FailureOptions = {}) {
    this.#isFailure = failureDetector('recordOpenAIAgents', isFailure)
    this.#recorder = recorder
    this.#runs = runsOf('recordOpenAIAgents', recorder)
  }

  #safely<Result>(work: () => Result) {
    return guardRecording(this.#recorder, work)
  }

  #beginCall(request: ModelRequest, model: Model, { agent, name }: ModelOptions): RecordedCall {
    const speaker = agent ?? this.#currentAgent
    const run = currentRun(this.#runs, agent)
    const histories = historiesOf(this.#recorder)
    const { systemInstructions } = request
    // A provider may store the history; a recording needs all of it.
    const input = this.#safely(() => histories.fullInput(request)) ?? request.input
    const fullRequest = { systemInstructions, input }
    // What follows a call that could not be recorded is reported as a problem.
    const call = this.#safely(() =>
      run.modelCalled(
        { format: 'openai-agents', ...fullRequest },
        requestMessages(fullRequest, this.#isFailure),
        callSettings(request, name ?? nameOf(model)),
      ),
    ) as string
    // After a handoff another agent answers in the same conversation, so only the answer can name it.
    const isOther = currentTool() === undefined && speaker !== undefined && speaker !== this.#firstAgent
    const agentField = isOther ? { metadata: { agent: speaker } } : {}
    return {
      answered: (response) =>
        this.#safely(() => {
          const { metadata, ...answer } = readAnswer(response)
          const more = { ...metadata, ...agentField.metadata }
          run.modelResponded(call, { ...answer, ...(Object.keys(more).length > 0 ? { metadata: more } : {}) })
          reportUnsupportedParts(this.#recorder, unsupportedParts(response))
          histories.keep(request, input, response.responseId ?? response.id, response.output)
        }),
      chunk: (delta) => this.#safely(() => run.chunk(call, delta)),
      failed: (error) => this.#safely(() => run.modelFailed(call, error)),
    }
  }

  /** The same model, recorded. */
  model<M extends object>(model: M, options: ModelOptions = {}): M {
    if (!isModel(model)) throw misuse('model() of recordOpenAIAgents() takes a model of the Agents SDK')
    const begin = (request: ModelRequest) => this.#beginCall(request, model, options)
    const getResponse = async (request: ModelRequest) => {
      const call = begin(request)
      try {
        const response = await model.getResponse(request)
        call.answered(response)
        return response
      } catch (error) {
        call.failed(error)
        throw error
      }
    }
    // The current tool is read now: the stream is read elsewhere.
    const getStreamedResponse = (request: ModelRequest) => recordStream(begin(request), model.getStreamedResponse(request))
    const ours = { getResponse, getStreamedResponse }
    // Whatever else it has is its own, private fields too, so that its other methods have to run on itself.
    return new Proxy(model, {
      get: (own, key) => {
        if (Object.hasOwn(ours, key)) return ours[key as keyof typeof ours]
        const value = Reflect.get(own, key, own)
        return typeof value === 'function' ? value.bind(own) : value
      },
    })
  }

  /** The same provider, its models recorded. */
  provider<M extends object>(provider: { getModel(name?: string): Promise<M> | M }) {
    if (typeof provider?.getModel !== 'function') throw misuse('provider() of recordOpenAIAgents() takes a provider of models')
    return { getModel: async (name?: string) => this.model(await provider.getModel(name), name === undefined ? {} : { name }) }
  }

  #toolStarts({ callId: id, name, arguments: args }: FunctionCallItem) {
    this.#safely(() => {
      const tool = startTool(this.#runs, { id, name, args })
      this.#openTools.set(id, tool)
      enterTool(tool)
    })
  }

  #toolEnds({ callId: id, name }: FunctionCallItem, result: unknown) {
    this.#safely(() => {
      // Nested agents may use the same ids; the current tool is more reliable.
      const now = currentTool()
      const tool = now?.call === id ? now : this.#openTools.get(id)
      if (tool === undefined) return
      if (this.#openTools.get(id) === tool) this.#openTools.delete(id)
      endTool(this.#runs, tool, (runRecorder) =>
        this.#isFailure(result, { name }) ? runRecorder.toolFailed(id, result) : runRecorder.toolReturned(id, parseData(result)),
      )
    })
  }

  /** Listens to the hooks of a `Runner`, or of an agent, for tools and active agents; returns its argument. */
  attach<R extends object>(runner: R & Partial<AgentHooks>): R {
    if (typeof runner?.on !== 'function') throw misuse('attach() of recordOpenAIAgents() takes a Runner or an Agent')
    hooked.add(this.#recorder)
    runner.on('agent_start', (_context, agent) => {
      if (currentTool() !== undefined) return
      this.#firstAgent ??= agent?.name
      this.#currentAgent = agent?.name
    })
    // Hooks of an agent lack the first argument.
    runner.on('agent_tool_start', (...args) => this.#toolStarts((args.at(-1) as ToolDetails).toolCall))
    runner.on('agent_tool_end', (...args) => this.#toolEnds((args.at(-1) as ToolDetails).toolCall, args.at(-2)))
    return runner
  }
}

async function* recordStream(call: RecordedCall, events: AsyncIterable<StreamEvent>) {
  let isOver = false
  try {
    for await (const event of events) {
      if (event?.type === 'output_text_delta') call.chunk({ text: event.delta })
      if (event?.type === 'response_done') {
        isOver = true
        call.answered(event.response)
      }
      yield event
    }
    if (!isOver) call.failed('the stream ended without a response')
    isOver = true
  } catch (error) {
    if (!isOver) call.failed(error)
    isOver = true
    throw error
  } finally {
    if (!isOver) call.failed('aborted')
  }
}

/**
 * Records runs of the OpenAI Agents SDK: wrapped models see requests and answers, chunk by chunk, and hooks see the tools.
 *
 * A conversation stays one across handoffs; an agent that is run by a tool has a run of its own. Without
 * hooks, results come from the requests to the model. Recording never fails the run.
 *
 * @param options.isFailure Which texts mean that a tool failed, in addition to those of the SDK.
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * const recording = recordOpenAIAgents(recorder)
 * const runner = recording.attach(new Runner({ modelProvider: recording.provider(provider) }))
 * await runner.run(agent, 'What is the weather?')
 * await recorder.save('run.yaml')
 */
export const recordOpenAIAgents = (recorder: Recorder, options: { isFailure?: IsFailure } = {}): OpenAIAgentsRecording =>
  new Recording(recorder as Recorder & UnrecordedReporter, options)
