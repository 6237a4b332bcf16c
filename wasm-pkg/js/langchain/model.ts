// LangChain and LangGraph play a tape as their chat model. `@langchain/core` is the host's.
import {
  type BoundTool,
  type CallbackManagerForLLMRun,
  type ParsedCallOptions,
  BaseChatModel,
} from '@langchain/core/language_models/chat_models'
import { type AIMessageFields, AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { type Chunk, chunksOfError, chunkTexts } from '../adapters/partial-answer.ts'
import { textDeltas } from '../adapters/deltas.ts'
import { type Player, createPlayer } from '../adapters/player.ts'
import type { LangChainModel } from '../types/langchain.ts'
import type { AgentTape, MockModel, Tape, TapeResponse } from '../types/index.ts'
import { closingFields, textOf, messageFields } from './message.ts'
import { callSettings } from './from-langchain.ts'

type Answer = TapeResponse['response']

/** A part of a streamed answer. */
interface Delta {
  text: string
  fields: AIMessageFields
}

/** What LangChain passes with a call that is no setting of the model. */
const NOT_SETTINGS = [
  'signal',
  'timeout',
  'callbacks',
  'metadata',
  'tags',
  'runName',
  'runId',
  'configurable',
  'recursionLimit',
  'store',
  'tools',
]

/** The name of a tool in whichever form it was bound. */
const toolName = (tool: BoundTool) => tool?.name ?? tool?.function?.name ?? tool?.lc_kwargs?.name

const isSetting = ([name, value]: [string, unknown]) => value !== undefined && typeof value !== 'function' && !NOT_SETTINGS.includes(name)

/** Settings of the model that a mock may look at. */
const settingsOf = (options: ParsedCallOptions) => ({
  ...Object.fromEntries(Object.entries(options).filter(isSetting)),
  tools: (options.tools ?? []).map(toolName).filter((name) => typeof name === 'string'),
})

const textDelta = (content: string): Delta => ({ text: content, fields: { content } })

const callDelta = ({ id, name, arguments: args }: Answer['tool_calls'][number], index: number): Delta => ({
  text: '',
  fields: { content: '', tool_call_chunks: [{ type: 'tool_call_chunk', index, id, name, args: textOf(args) }] },
})

const reasoningDelta = (text: string): Delta => ({ text: '', fields: { content: '', additional_kwargs: { reasoning_content: text } } })

/** The same as a tape compares them. */
const configOf = (options: ParsedCallOptions) => {
  const { config, tools = [] } = callSettings({ invocation_params: options })
  return { ...config, tools }
}

/** The parts of an answer as they are streamed. The last one is there always: no stream may be empty. */
const answerDeltas = (response: Answer, modelId: string): Delta[] => [
  ...(response.reasoning ? textDeltas(response, 'reasoning', response.reasoning).map(reasoningDelta) : []),
  ...textDeltas(response, 'text', response.content).map(textDelta),
  ...response.tool_calls.map(callDelta),
  {
    text: '',
    fields: {
      content: '',
      ...(response.refusal ? { additional_kwargs: { refusal: response.refusal } } : {}),
      ...closingFields(response, modelId),
    },
  },
]

/** The deltas of an interrupted answer. */
const interruptedDeltas = (chunks: readonly Chunk[]) => [
  ...chunkTexts(chunks, 'reasoning').map(reasoningDelta),
  ...chunkTexts(chunks, 'text').map(textDelta),
]

/** Turns an answer whose text is data into a call of the tool that requests the data. */
const asToolCall = (response: Answer, name: string, step: string): Answer => {
  if (response.tool_calls.length > 0) return response
  try {
    return { ...response, tool_calls: [{ id: `call_${step}_1`, name, arguments: JSON.parse(response.content) }] }
  } catch {
    // LangChain reports that there is no call.
    return response
  }
}

/** A chat model of LangChain that answers from a tape, or as a mock does. */
class TranscriptChatModel extends BaseChatModel {
  declare readonly model: string
  readonly #player: Player
  readonly #readsTextAsCall: boolean

  constructor(player: Player, reads = false) {
    super({})
    this.#player = player
    this.#readsTextAsCall = reads
    this.model = player.modelId
  }

  static override lc_name() {
    return 'TranscriptChatModel'
  }

  override _llmType() {
    return 'transcript-workbench'
  }

  override getLsParams(options: ParsedCallOptions) {
    return { ...super.getLsParams?.(options), ls_provider: 'transcript-workbench', ls_model_name: this.model }
  }

  override invocationParams(options?: ParsedCallOptions) {
    return { model: this.model, ...settingsOf(options ?? {}) }
  }

  /** Agents bind their tools at every turn: the result continues the tape. */
  override bindTools(tools: readonly BoundTool[], options = {}) {
    return this.withConfig({ tools, ...options })
  }

  /** LangChain requests structured output with a tool call; a recording of another framework has it as text, which works too. */
  override withStructuredOutput(schema: unknown, config?: unknown) {
    return super.withStructuredOutput.call(new TranscriptChatModel(this.#player, true), schema, config)
  }

  async #answer(method: 'play' | 'stream', messages: readonly unknown[], options: ParsedCallOptions) {
    const settings = settingsOf(options)
    const request = { format: 'langchain' as const, messages }
    const { step, response } = await this.#player[method](request, settings, options.signal, () => configOf(options))
    return this.#readsTextAsCall ? asToolCall(response, settings.tools[0]!, step) : response
  }

  override async _generate(messages: readonly unknown[], options: ParsedCallOptions) {
    const response = await this.#answer('play', messages, options)
    // `withStructuredOutput` takes a chunk only, even of an answer that is no stream.
    const message = new AIMessageChunk(messageFields(response, this.model))
    return { generations: [{ text: response.content, message }] }
  }

  /** LangGraph uses this for the stream mode `messages`, otherwise the method above: both share one tape. */
  override async *_streamResponseChunks(messages: readonly unknown[], options: ParsedCallOptions, run?: CallbackManagerForLLMRun) {
    let failure: unknown
    const found = await this.#answer('stream', messages, options).then(
      (response) => answerDeltas(response, this.model),
      (error) => {
        failure = error
        return interruptedDeltas(chunksOfError(error) ?? [])
      },
    )
    for (const { text, fields } of found) {
      options.signal?.throwIfAborted()
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk(fields) })
      yield chunk
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
    }
    if (failure !== undefined) throw failure
  }
}

/**
 * A chat model for agents of LangChain and LangGraph that answers from a tape: invoked, and streamed in every mode, it is
 * one tape. Install `@langchain/core` next to this package.
 *
 * A run that diverges rejects with a `TranscriptDivergenceError`. Call `tape.assertComplete()` afterwards to know that the whole
 * recording was played. `withStructuredOutput` reads a recorded call of its tool, and a recorded text that is JSON.
 *
 * @param options.agent The agent of the requests: see {@link Tape.session}.
 * @example
 * const tape = await replay('run.yaml')
 * const agent = createAgent({ model: langChainModel(tape), tools })
 * await agent.invoke({ messages: [{ role: 'user', content: 'What is the weather?' }] })
 * tape.assertComplete()
 */
export const langChainModel = (source: Tape | AgentTape | MockModel, options: { agent?: string } = {}): LangChainModel =>
  new TranscriptChatModel(createPlayer('langChainModel', source, options))
