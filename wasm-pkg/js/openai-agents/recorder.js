// Records the Agents SDK: it wraps models, and listens to hooks for tools and agents.
import { currentTool, endTool, enterTool, startTool, currentRun } from '../adapters/nested-runs.ts'
import { parseData, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import { historiesOf } from './history.js'
import { callSettings, readAnswer, requestMessages, failureDetector, unsupportedParts } from './from-sdk.js'

const isModel = (model) => typeof model?.getResponse === 'function' && typeof model.getStreamedResponse === 'function'

const nameOf = (model) => [model.modelId, model.model, model._model].find((name) => typeof name === 'string')

/** The recorders that get tools from hooks. */
const hooked = new WeakSet()

/** Whether a recorder gets tools from hooks. */
export const hasHooks = (recorder) => hooked.has(recorder)

class Recording {
  #recorder
  #runs
  /** The agent of the last hook, and the first one. */
  #currentAgent
  #firstAgent
  /** The running tools, by the ids of their calls. */
  #openTools = new Map()
  #isFailure

  constructor(recorder, { isFailure } = {}) {
    this.#isFailure = failureDetector('recordAgents', isFailure)
    this.#recorder = recorder
    this.#runs = runsOf('recordAgents', recorder)
  }

  #safely(work) {
    return guardRecording(this.#recorder, work)
  }

  #beginCall(request, model, { agent, name }) {
    const speaker = agent ?? this.#currentAgent
    const run = currentRun(this.#runs, agent)
    const histories = historiesOf(this.#recorder)
    const { systemInstructions } = request
    // A provider may store the history; a recording needs all of it.
    const input = this.#safely(() => histories.fullInput(request)) ?? request.input
    const fullRequest = { systemInstructions, input }
    const call = this.#safely(() =>
      run.modelCalled(
        { format: 'openai-agents', ...fullRequest },
        requestMessages(fullRequest, this.#isFailure),
        callSettings(request, name ?? nameOf(model)),
      ),
    )
    // After a handoff another agent answers in the same conversation, so only the answer can name it.
    const isOther = currentTool() === undefined && speaker !== undefined && speaker !== this.#firstAgent
    const agentField = isOther ? { metadata: { agent: speaker } } : {}
    return {
      answered: (response) =>
        this.#safely(() => {
          const { metadata, ...answer } = readAnswer(response)
          const more = { ...metadata, ...agentField.metadata }
          run.modelAnswered(call, { ...answer, ...(Object.keys(more).length > 0 ? { metadata: more } : {}) })
          reportUnsupportedParts(this.#recorder, unsupportedParts(response))
          histories.keep(request, input, response.responseId ?? response.id, response.output)
        }),
      chunk: (delta) => this.#safely(() => run.chunk(call, delta)),
      failed: (error) => this.#safely(() => run.modelFailed(call, error)),
    }
  }

  /** The same model, recorded. */
  model(model, options = {}) {
    if (!isModel(model)) throw new TypeError('model() of recordAgents() takes a model of the Agents SDK')
    const begin = (request) => this.#beginCall(request, model, options)
    const getResponse = async (request) => {
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
    const getStreamedResponse = (request) => recordStream(begin(request), model.getStreamedResponse(request))
    const ours = { getResponse, getStreamedResponse }
    // Whatever else it has is its own, private fields too, so that its other methods have to run on itself.
    return new Proxy(model, {
      get: (own, key) => {
        if (Object.hasOwn(ours, key)) return ours[key]
        const value = Reflect.get(own, key, own)
        return typeof value === 'function' ? value.bind(own) : value
      },
    })
  }

  /** The same provider, its models recorded. */
  provider(provider) {
    if (typeof provider?.getModel !== 'function') throw new TypeError('provider() of recordAgents() takes a provider of models')
    return { getModel: async (name) => this.model(await provider.getModel(name), name === undefined ? {} : { name }) }
  }

  #toolStarts({ callId: id, name, arguments: args }) {
    this.#safely(() => {
      const tool = startTool(this.#runs, { id, name, args })
      this.#openTools.set(id, tool)
      enterTool(tool)
    })
  }

  #toolEnds({ callId: id, name }, result) {
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
  attach(runner) {
    if (typeof runner?.on !== 'function') throw new TypeError('attach() of recordAgents() takes a Runner or an Agent')
    hooked.add(this.#recorder)
    runner.on('agent_start', (_context, agent) => {
      if (currentTool() !== undefined) return
      this.#firstAgent ??= agent?.name
      this.#currentAgent = agent?.name
    })
    // Hooks of an agent lack the first argument.
    runner.on('agent_tool_start', (...args) => this.#toolStarts(args.at(-1).toolCall))
    runner.on('agent_tool_end', (...args) => this.#toolEnds(args.at(-1).toolCall, args.at(-2)))
    return runner
  }
}

async function* recordStream(call, events) {
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
    if (!isOver) call.failed('given up')
  }
}

/**
 * What records runs of the Agents SDK: `model` and `provider` wrap models, `attach` listens to a `Runner` or an agent.
 *
 * A conversation that is handed over stays one conversation; an agent that is run by a tool has a run of its own.
 */
export const recordAgents = (recorder, options = {}) => new Recording(recorder, options)
