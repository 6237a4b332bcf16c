// The Agents SDK plays a tape as its model. Structural: nothing of `@openai/agents` is imported, and nothing of the core.
import type { RecordedModelError } from '../api/errors.ts'
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import { chunksOfError, chunkTexts } from '../adapters/partial-answer.ts'
import { textDeltas } from '../adapters/deltas.ts'
import { type Play, createPlayer } from '../adapters/player.ts'
import type { AgentTape, MockModel, Tape } from '../types/index.ts'
import type { IsFailure, OpenAIAgentsModel } from '../types/openai-agents.ts'
import { historiesOf } from './history.ts'
import { withAdd, finishData, itemsOf, usageOf } from './items.ts'
import { callSettings, failureDetector, resultText } from './from-sdk.ts'
import type { AgentItem, FailureDetector, FunctionCallResultItem, ModelRequest, RequestSettings } from './protocol.ts'

type Mark = (item: AgentItem) => AgentItem

/** Items of failed tools with what the SDK leaves out; the same ones for the same items, which come again at every call. */
const markersByDetector = new WeakMap<FailureDetector, Mark>()

const failureMarker = (isFailure: FailureDetector) => {
  if (!markersByDetector.has(isFailure)) markersByDetector.set(isFailure, createMarker(isFailure))
  return markersByDetector.get(isFailure)!
}

const createMarker = (isFailure: FailureDetector): Mark => {
  const marked = new WeakMap<AgentItem, AgentItem & { is_error?: true }>()
  return (item) => {
    if (item?.type !== 'function_call_result') return item
    if (!marked.has(item))
      marked.set(
        item,
        isFailure(resultText((item as FunctionCallResultItem).output), item as FunctionCallResultItem) ? { ...item, is_error: true } : item,
      )
    return marked.get(item)!
  }
}

/** Settings of the model that a mock may look at. */
const settingsOf = ({ tools, handoffs, modelSettings, outputType }: RequestSettings) => {
  const settings = Object.entries(modelSettings ?? {}).filter(([name, value]) => value !== undefined && name !== 'retry')
  return {
    ...Object.fromEntries(settings),
    tools: [...(tools ?? []).map(({ name }) => name), ...(handoffs ?? []).map(({ toolName }) => toolName)],
    ...(outputType === undefined || outputType === 'text' ? {} : { outputType }),
  }
}

/** The same as a tape compares them. */
const configOf = (request: RequestSettings) => {
  const { config, tools = [] } = callSettings(request)
  return { ...config, tools }
}

/**
 * A model for agents of the OpenAI Agents SDK that answers from a tape.
 *
 * A run that diverges rejects with a `TranscriptDivergenceError`, streamed or not. Call `tape.assertComplete()` afterwards to know
 * that the whole recording was played. One tape answers several agents, those of a handoff and those run by tools: it finds
 * the agent of a request by its messages, unless `agent` names it.
 *
 * @param options.agent The agent of the requests: see {@link Tape.session}.
 * @param options.isFailure Which texts mean that a tool failed, in addition to those of the SDK.
 * @example
 * const tape = await replay('run.yaml')
 * const agent = new Agent({ name: 'Helper', model: openAIAgentsModel(tape), tools })
 * const { finalOutput } = await run(agent, 'What is the weather?')
 * tape.assertComplete()
 */
export const openAIAgentsModel = (
  source: Tape | AgentTape | MockModel,
  options: { agent?: string; isFailure?: IsFailure } = {},
): OpenAIAgentsModel => {
  const { isFailure, ...playerOptions } = options
  const mark = failureMarker(failureDetector('openAIAgentsModel', isFailure))
  const { modelId, play, stream } = createPlayer('openAIAgentsModel', source, playerOptions)
  const histories = historiesOf(source)
  const answer = async (requestAnswer: Play, request: ModelRequest) => {
    const { systemInstructions, signal } = request
    const input = histories.fullInput(request)
    const items = Array.isArray(input) ? input.map(mark) : input
    const sent = { format: 'openai-agents' as const, systemInstructions, input: items }
    const { step, response } = await requestAnswer(sent, settingsOf(request), signal, () => configOf(request))
    const id = `step-${step}`
    const output = itemsOf(response)
    histories.keep(request, input, id, output)
    return { id, output, response }
  }
  return {
    modelId,
    getResponse: async (request: ModelRequest) => {
      const { id, output, response } = await answer(play, request)
      return { usage: withAdd(usageOf(response.usage)), output, responseId: id, ...finishData(response) }
    },
    async *getStreamedResponse(request: ModelRequest) {
      let result: Awaited<ReturnType<typeof answer>>
      try {
        result = await answer(stream, request)
      } catch (error) {
        const chunks = chunksOfError(error)
        if (chunks === undefined) throw error
        yield { type: 'response_started' }
        for (const delta of chunkTexts(chunks, 'text')) yield { type: 'output_text_delta', delta }
        throw error
      }
      const { id, output, response } = result
      yield { type: 'response_started' }
      for (const delta of textDeltas(response, 'text', response.content)) {
        request.signal?.throwIfAborted()
        yield { type: 'output_text_delta', delta }
      }
      yield { type: 'response_done', response: { id, usage: usageOf(response.usage), output, ...finishData(response) } }
    },
    // A failure is retried where the recording goes on with the same request, and waits for nothing; a divergence never.
    getRetryAdvice: ({ error }) => ({
      suggested: (error as Fields)?.name === 'RecordedModelError' && (error as RecordedModelError).retried === true,
      retryAfterMs: 0,
      replaySafety: 'safe',
    }),
  }
}

/**
 * A model provider for a `Runner` with agents that name their models: every name gives a model of one tape.
 *
 * @param options.agents Where two agents may send the same: names of models, each with the name of its agent.
 * @example
 * await new Runner({ modelProvider: openAIAgentsProvider(tape) }).run(triage, 'I want a refund')
 */
export const openAIAgentsProvider = (
  source: Tape | AgentTape | MockModel,
  options: { agent?: string; agents?: { [model: string]: string }; isFailure?: IsFailure } = {},
): { getModel(name?: string): OpenAIAgentsModel } => {
  const { agents = {}, ...rest } = options
  if (typeof agents !== 'object' || agents === null) {
    throw misuse('the option `agents` of openAIAgentsProvider() is an object: names of models, each with the name of an agent')
  }
  const defaultModel = openAIAgentsModel(source, rest)
  const modelsByName = new Map<string | undefined, OpenAIAgentsModel>(
    Object.entries(agents).map(([model, agent]) => [model, openAIAgentsModel(source, { ...rest, agent })]),
  )
  return { getModel: (name?: string) => modelsByName.get(name) ?? defaultModel }
}
