// Records the AI SDK: a middleware observes what the model receives and answers, chunk by chunk, and a telemetry integration the tools.
import { misuse } from '../api/misuse.ts'
import type { UnrecordedReporter } from '../api/report-unrecorded.ts'
import type { Chunk } from '../adapters/partial-answer.ts'
import type { AiSdkRecording } from '../types/ai-sdk.ts'
import type { Recorder } from '../types/index.ts'
import { classifyFinishReason } from '../adapters/finish.ts'
import { type RunningTool, endTool, runInsideTool, startTool, currentRun } from '../adapters/nested-runs.ts'
import { type RunAnswer, type RunEntry, reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import { omitEmpty, recordedUsage } from '../adapters/usage.ts'
import { finishReason } from './generate.ts'
import type {
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  ToolResultOutput,
  PromptMessage,
  FunctionTool,
  CallOptions,
  Count,
  TokenDetails,
  FinishReason,
  UnifiedReason,
  Answer,
  StreamPart,
  StreamResult,
  LanguageModel,
  WrappedCall,
  ToolEvent,
  ToolEndEvent,
} from './language-model.ts'

const joinText = (parts: string | readonly Part[]) => {
  if (typeof parts === 'string') return parts
  const texts = parts.filter(({ type }) => type === 'text') as TextPart[]
  // What is no text stays as it is.
  return texts.length === parts.length ? texts.map(({ text }) => text).join('') : parts
}

/** The content of a tool's message. */
type Content = Pick<RunEntry, 'content' | 'result' | 'failed'>

const OUTPUTS: { readonly [type: string]: (output: ToolResultOutput) => Content } = {
  text: ({ value }) => ({ content: value }),
  json: ({ value }) => ({ content: JSON.stringify(value), result: value }),
  'error-text': ({ value }) => ({ content: value, failed: true }),
  'error-json': ({ value }) => ({ content: JSON.stringify(value), failed: true }),
  'execution-denied': ({ reason }) => ({ content: reason || 'Tool call execution denied.', failed: true }),
  content: ({ value }) => ({ content: joinText(value as Part[]) }),
}

const toolCall = ({ toolCallId: id, toolName: name, input }: ToolCallPart) => ({ id, name, arguments: input })

const toolResult = ({ toolCallId: id, toolName: name, output }: ToolResultPart): RunEntry => ({
  role: 'tool',
  id,
  name,
  // A result without an output has no entry.
  ...(OUTPUTS[output?.type as string] ?? (({ value }: ToolResultOutput) => ({ content: JSON.stringify(value ?? null) })))(output ?? {}),
})

const textOfParts = (parts: readonly Part[]) => (parts.filter(({ type }) => type === 'text') as TextPart[]).map(({ text }) => text).join('')

/** The messages of a prompt. */
const promptMessages = (prompt: readonly PromptMessage[]) =>
  prompt.flatMap(({ role, content }): RunEntry[] => {
    if (role === 'tool') return (content.filter(({ type }) => type === 'tool-result') as ToolResultPart[]).map(toolResult)
    if (role !== 'assistant') return [{ role, content: joinText(content) }]
    const calls = (content.filter(({ type }) => type === 'tool-call') as ToolCallPart[]).map(toolCall)
    const message = { role, content: textOfParts(content), ...(calls.length > 0 ? { tool_calls: calls } : {}) }
    return [message, ...(content.filter(({ type }) => type === 'tool-result') as ToolResultPart[]).map(toolResult)]
  })

const SETTINGS = {
  temperature: 'temperature',
  maxOutputTokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
  seed: 'seed',
}

const schemaOf = (format: CallOptions['responseFormat']) =>
  format?.type === 'json' && format.schema ? { response_schema: format.schema } : {}

const modelConfig = (params: CallOptions) => ({
  ...Object.fromEntries(
    Object.entries(SETTINGS)
      .filter(([name]) => params[name] !== undefined)
      .map(([name, key]) => [key, params[name]]),
  ),
  ...schemaOf(params.responseFormat),
})

const toolDeclaration = ({ name, description, inputSchema }: FunctionTool) =>
  inputSchema === undefined ? name : { name, ...(description ? { description } : {}), parameters: inputSchema }

const callSettings = (params: CallOptions, model: WrappedCall['model']) => ({
  model: model?.modelId,
  config: modelConfig(params),
  ...(params.tools?.length ? { tools: params.tools.map(toolDeclaration) } : {}),
})

const usageFields = (usage: Answer['usage']) => {
  if (typeof usage !== 'object' || usage === null) return undefined
  const count = (value: Count | TokenDetails) => (typeof value === 'object' && value !== null ? value.total : value)
  const input = count(usage.inputTokens)
  const output = count(usage.outputTokens)
  if (input === undefined && output === undefined) return undefined
  const cached = (usage.inputTokens as TokenDetails | undefined)?.cacheRead ?? usage.cachedInputTokens
  const reasoning = (usage.outputTokens as TokenDetails | undefined)?.reasoning ?? usage.reasoningTokens
  return recordedUsage({ input, output, total: usage.totalTokens ?? (input ?? 0) + (output ?? 0), cached, reasoning })
}

/** The recorded finish reason: the vendor's own if it is as precise as that of the SDK. */
const recordedReason = (reason: FinishReason) => {
  const { unified = reason, raw } = (reason ?? {}) as UnifiedReason
  return typeof raw === 'string' && classifyFinishReason(raw) === classifyFinishReason(unified) ? raw : unified
}

/** Adds the finish reason of the SDK if it does not follow from the answer; a stream may have ended without one. */
const withSdkReason = (answer: RunAnswer, reason: FinishReason): RunAnswer => {
  const sdkReason = (reason as UnifiedReason)?.unified ?? (typeof reason === 'string' ? reason : 'other')
  return sdkReason === finishReason({ tool_calls: [], ...answer }) ? answer : { ...answer, metadata: { finish_reason: sdkReason } }
}

const readAnswer = ({ content, finishReason, usage, response, providerMetadata }: Answer) => {
  const partsOfType = <Kind extends Part>(kind: string) => content.filter(({ type }) => type === kind) as Kind[]
  const answer = omitEmpty({
    content: textOfParts(content),
    tool_calls: partsOfType('tool-call').length === 0 ? undefined : partsOfType<ToolCallPart>('tool-call').map(toolCall),
    reasoning: partsOfType<TextPart>('reasoning')
      .map(({ text }) => text)
      .join(''),
    refusal: providerMetadata?.transcript?.refusal,
    usage: usageFields(usage),
    finish_reason: recordedReason(finishReason),
    model: response?.modelId,
    id: response?.id,
  })
  return withSdkReason(answer, finishReason)
}

/** Parts of an answer that a recording cannot represent. */
const UNSUPPORTED_PARTS = ['file', 'source', 'tool-result', 'tool-approval-request', 'reasoning-file', 'custom']

const unsupportedParts = ({ content }: Answer) =>
  content
    .filter(({ type, providerExecuted }) => UNSUPPORTED_PARTS.includes(type) || providerExecuted === true)
    .map(({ type, providerExecuted }) => (providerExecuted === true || type === 'tool-result' ? `${type} of the provider` : type))

/** Collects the parts of a streamed answer. */
class PartsCollector {
  #pieces = new Map<string, TextPart>()
  #result: Answer & { content: Part[] } = { content: [] }
  /** The indexes of the streamed calls, by id. */
  #calls = new Map<string, number>()

  /** Adds a part; returns it as a chunk, for recorders that keep chunks. */
  add(part: StreamPart): Chunk | undefined {
    const { type, id } = part
    if (type === 'text-delta' || type === 'reasoning-delta') {
      const kind = type === 'text-delta' ? 'text' : 'reasoning'
      const key = `${kind} ${id}`
      if (!this.#pieces.has(key)) {
        const piece = { type: kind, text: '' }
        this.#pieces.set(key, piece)
        this.#result.content.push(piece)
      }
      this.#pieces.get(key)!.text += part.delta
      return { [kind]: part.delta }
    }
    if (type === 'tool-call' || UNSUPPORTED_PARTS.includes(type)) this.#result.content.push(part)
    if (type === 'tool-input-start') {
      this.#calls.set(id, this.#calls.size)
      return { tool_call_delta: { index: this.#calls.get(id)!, id, name: part.toolName, arguments: '' } }
    }
    if (type === 'tool-input-delta') return { tool_call_delta: { index: this.#calls.get(id)!, id, arguments: part.delta } }
    if (type === 'response-metadata') this.#result.response = { id: part.id, modelId: part.modelId }
    if (type === 'finish')
      Object.assign(this.#result, { finishReason: part.finishReason, usage: part.usage, providerMetadata: part.providerMetadata })
    return undefined
  }

  get result() {
    return this.#result
  }
}

/**
 * Records runs of the AI SDK and of Mastra. A request of a tool to the same model is the run of another agent. Without
 * the telemetry, tool results come from the requests to the model, so results at the end of a run are not recorded.
 * Recording never fails the run.
 *
 * @example
 * const recorder = createRecorder({ name: 'weather' })
 * const { middleware, telemetry } = recordAiSdk(recorder)
 * const recorded = wrapLanguageModel({ model, middleware })
 * await generateText({ model: recorded, prompt, tools, telemetry: { integrations: [telemetry] } })
 * await recorder.save('run.yaml')
 */
export const recordAiSdk = (recorder: Recorder): AiSdkRecording => {
  const runs = runsOf('recordAiSdk', recorder)
  const safely = <Result>(work: () => Result) => guardRecording(recorder as Recorder & UnrecordedReporter, work)
  /** The running tools, each by the run of the SDK and the id of its call. */
  const open = new Map<string, RunningTool>()
  const toolKey = ({ callId, toolCall }: ToolEvent) => `${callId} ${toolCall.toolCallId}`

  const begin = ({ params, model }: WrappedCall) => {
    const run = currentRun(runs)
    const request = { format: 'ai-sdk', messages: params.prompt }
    // What follows a call that could not be recorded is reported as a problem.
    const call = safely(() => run.modelCalled(request, promptMessages(params.prompt), callSettings(params, model))) as string
    return {
      answered: (result: Answer) =>
        safely(() => {
          run.modelResponded(call, readAnswer(result))
          reportUnsupportedParts(recorder as Recorder & UnrecordedReporter, unsupportedParts(result))
        }),
      failed: (error: unknown) => safely(() => run.modelFailed(call, error)),
      chunk: (piece: Chunk) => safely(() => run.chunk(call, piece)),
    }
  }
  const failWith = (call: ReturnType<typeof begin>) => (error: unknown) => {
    call.failed(error)
    throw error
  }

  const wrapGenerate = async ({ doGenerate, ...rest }: WrappedCall & { doGenerate: () => Promise<Answer> }) => {
    const call = begin(rest)
    const result = await doGenerate().catch(failWith(call))
    call.answered(result)
    return result
  }

  const wrapStream = async ({ doStream, ...rest }: WrappedCall & { doStream: () => Promise<StreamResult> }) => {
    const call = begin(rest)
    const result = await doStream().catch(failWith(call))
    const collector = new PartsCollector()
    let failure: unknown
    const reader = result.stream.getReader()
    const stream = new ReadableStream<StreamPart>({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (done) {
            if (failure === undefined) call.answered(collector.result)
            else call.failed(failure)
            controller.close()
            return
          }
          safely(() => {
            if (value.type === 'error') failure = value.error ?? 'error'
            const piece = collector.add(value)
            if (piece !== undefined) call.chunk(piece)
          })
          controller.enqueue(value)
        } catch (error) {
          // streamText may swallow it; the recording has it.
          call.failed(error)
          controller.error(error)
        }
      },
      cancel: async (reason) => {
        call.failed(reason ?? 'aborted')
        await reader.cancel(reason)
      },
    })
    return { ...result, stream }
  }

  const telemetry = {
    onToolExecutionStart: (event: ToolEvent) =>
      safely(() => {
        const { toolCallId: id, toolName: name, input: args } = event.toolCall
        open.set(toolKey(event), startTool(runs, { id, name, args }))
      }),
    // Model calls of a tool belong to another agent.
    executeTool: ({ execute, ...event }: ToolEvent & { execute: () => unknown }) => {
      const tool = safely(() => open.get(toolKey(event)))
      return tool === undefined ? execute() : runInsideTool(tool, execute)
    },
    onToolExecutionEnd: (event: ToolEndEvent) =>
      safely(() => {
        const tool = open.get(toolKey(event))
        open.delete(toolKey(event))
        const { type, output, error } = event.toolOutput
        if (tool === undefined) return
        endTool(runs, tool, (runRecorder) =>
          type === 'tool-error' ? runRecorder.toolFailed(tool.call, error) : runRecorder.toolReturned(tool.call, output),
        )
      }),
  }
  /** The same model, recorded: what wrapLanguageModel() makes of it, for hosts that have no such function. */
  const model = (inner: LanguageModel) => {
    if (typeof inner?.doGenerate !== 'function') {
      const help = typeof inner === 'string' ? `: for the id of a model, pass \`gateway('${inner}')\` of the package \`ai\`` : ''
      throw misuse(`model() of recordAiSdk() takes a language model of the AI SDK${help}`)
    }
    const { specificationVersion, provider, modelId, supportedUrls } = inner
    const doGenerate = (params: CallOptions) => wrapGenerate({ doGenerate: async () => inner.doGenerate(params), params, model: inner })
    const doStream = (params: CallOptions) => wrapStream({ doStream: async () => inner.doStream(params), params, model: inner })
    return { specificationVersion, provider, modelId, supportedUrls, doGenerate, doStream }
  }
  // What the host has as its type of models is not known here.
  return { middleware: { specificationVersion: 'v4', wrapGenerate, wrapStream }, telemetry, model: model as AiSdkRecording['model'] }
}
