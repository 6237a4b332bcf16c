// The Agents SDK plays a tape as its model. Structural: nothing of `@openai/agents` is imported, and nothing of the core.
import { chunksOfError, chunkTexts } from '../adapters/partial-answer.ts'
import { textDeltas } from '../adapters/deltas.ts'
import { createPlayer } from '../adapters/player.ts'
import { historiesOf } from './history.js'
import { withAdd, finishData, itemsOf, usageOf } from './items.js'
import { callSettings, failureDetector, resultText } from './from-sdk.js'

/** Items of failed tools with what the SDK leaves out; the same ones for the same items, which come again at every call. */
const markersByDetector = new WeakMap()

const failureMarker = (isFailure) => {
  if (!markersByDetector.has(isFailure)) markersByDetector.set(isFailure, createMarker(isFailure))
  return markersByDetector.get(isFailure)
}

const createMarker = (isFailure) => {
  const marked = new WeakMap()
  return (item) => {
    if (item?.type !== 'function_call_result') return item
    if (!marked.has(item)) marked.set(item, isFailure(resultText(item.output), item) ? { ...item, is_error: true } : item)
    return marked.get(item)
  }
}

/** Settings of the model that a mock may look at. */
const settingsOf = ({ tools, handoffs, modelSettings, outputType }) => {
  const settings = Object.entries(modelSettings ?? {}).filter(([name, value]) => value !== undefined && name !== 'retry')
  return {
    ...Object.fromEntries(settings),
    tools: [...(tools ?? []).map(({ name }) => name), ...(handoffs ?? []).map(({ toolName }) => toolName)],
    ...(outputType === undefined || outputType === 'text' ? {} : { outputType }),
  }
}

/** The same as a tape compares them. */
const configOf = (request) => {
  const { config, tools = [] } = callSettings(request)
  return { ...config, tools }
}

/** A model of the OpenAI Agents SDK that answers from a tape, or as a mock does. */
export const agentsModel = (source, options = {}) => {
  const { isFailure, ...playerOptions } = options
  const mark = failureMarker(failureDetector('agentsModel', isFailure))
  const { modelId, play, stream } = createPlayer('agentsModel', source, playerOptions)
  const histories = historiesOf(source)
  const answer = async (requestAnswer, request) => {
    const { systemInstructions, signal } = request
    const input = histories.fullInput(request)
    const items = Array.isArray(input) ? input.map(mark) : input
    const sent = { format: 'openai-agents', systemInstructions, input: items }
    const { step, response } = await requestAnswer(sent, settingsOf(request), signal, () => configOf(request))
    const id = `step-${step}`
    const output = itemsOf(response)
    histories.keep(request, input, id, output)
    return { id, output, response }
  }
  return {
    modelId,
    getResponse: async (request) => {
      const { id, output, response } = await answer(play, request)
      return { usage: withAdd(usageOf(response.usage)), output, responseId: id, ...finishData(response) }
    },
    async *getStreamedResponse(request) {
      let result
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
      suggested: error?.name === 'RecordedModelError' && error.retried === true,
      retryAfterMs: 0,
      replaySafety: 'safe',
    }),
  }
}

/**
 * A provider of models for a `Runner`: every name gives the same model, since a tape recognises the agent by its messages. If
 * two agents may send the same, `agents` maps model names to agents.
 */
export const agentsProvider = (source, options = {}) => {
  const { agents = {}, ...rest } = options
  if (typeof agents !== 'object' || agents === null) {
    throw new TypeError('the option `agents` of agentsProvider() is an object: names of models, each with the name of an agent')
  }
  const defaultModel = agentsModel(source, rest)
  const modelsByName = new Map(Object.entries(agents).map(([model, agent]) => [model, agentsModel(source, { ...rest, agent })]))
  return { getModel: (name) => modelsByName.get(name) ?? defaultModel }
}
