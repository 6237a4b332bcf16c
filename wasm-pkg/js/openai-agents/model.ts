// The Agents SDK plays a tape as its model. Structural: nothing of `@openai/agents` is imported, and nothing of the core.
import type { RecordedModelError } from '../api/errors.ts'
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import type { ReplaySource } from '../adapters/answer.ts'
import { chunksOfError, chunkTexts } from '../adapters/partial-answer.ts'
import { textDeltas } from '../adapters/deltas.ts'
import { type Play, type PlayerOptions, createPlayer } from '../adapters/player.ts'
import type { OpenAIAgentsModel } from '../types/openai-agents.ts'
import { historiesOf } from './history.ts'
import { withAdd, finishData, itemsOf, usageOf } from './items.ts'
import { callSettings, failureDetector, resultText } from './from-sdk.ts'
import type { AgentItem, FailureDetector, FailureOptions, FunctionCallResultItem, ModelRequest, RequestSettings } from './protocol.ts'

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

/** A model of the OpenAI Agents SDK that answers from a tape, or as a mock does. */
export const openAIAgentsModel = (source: ReplaySource, options: PlayerOptions & FailureOptions = {}): OpenAIAgentsModel => {
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

interface ProviderOptions extends PlayerOptions, FailureOptions {
  agents?: { [model: string]: string }
}

/**
 * A provider of models for a `Runner`: every name gives the same model, since a tape recognises the agent by its messages. If
 * two agents may send the same, `agents` maps model names to agents.
 */
export const openAIAgentsProvider = (source: ReplaySource, options: ProviderOptions = {}) => {
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
