// Records the AI SDK: a middleware observes what the model receives and answers, chunk by chunk, and a telemetry integration the tools.
import { classifyFinishReason } from '../adapters/finish.ts'
import { endTool, runInsideTool, startTool, currentRun } from '../adapters/nested-runs.ts'
import { reportUnsupportedParts, runsOf, guardRecording } from '../adapters/run-recorder.ts'
import { omitEmpty, recordedUsage } from '../adapters/usage.ts'
import { finishReason } from './generate.js'

const joinText = (parts) => {
  if (typeof parts === 'string') return parts
  const texts = parts.filter(({ type }) => type === 'text')
  // What is no text stays as it is.
  return texts.length === parts.length ? texts.map(({ text }) => text).join('') : parts
}

const OUTPUTS = {
  text: ({ value }) => ({ content: value }),
  json: ({ value }) => ({ content: JSON.stringify(value), result: value }),
  'error-text': ({ value }) => ({ content: value, failed: true }),
  'error-json': ({ value }) => ({ content: JSON.stringify(value), failed: true }),
  'execution-denied': ({ reason }) => ({ content: reason ?? 'denied', failed: true }),
  content: ({ value }) => ({ content: joinText(value) }),
}

const toolCall = ({ toolCallId: id, toolName: name, input }) => ({ id, name, arguments: input })

const toolResult = ({ toolCallId: id, toolName: name, output }) => ({
  role: 'tool',
  id,
  name,
  ...(OUTPUTS[output?.type] ?? (({ value }) => ({ content: JSON.stringify(value ?? null) })))(output ?? {}),
})

const textOfParts = (parts) =>
  parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')

/** The messages of a prompt. */
const promptMessages = (prompt) =>
  prompt.flatMap(({ role, content }) => {
    if (role === 'tool') return content.filter(({ type }) => type === 'tool-result').map(toolResult)
    if (role !== 'assistant') return [{ role, content: joinText(content) }]
    const calls = content.filter(({ type }) => type === 'tool-call').map(toolCall)
    const message = { role, content: textOfParts(content), ...(calls.length > 0 ? { calls } : {}) }
    return [message, ...content.filter(({ type }) => type === 'tool-result').map(toolResult)]
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

const schemaOf = (format) => (format?.type === 'json' && format.schema ? { response_schema: format.schema } : {})

const modelConfig = (params) => ({
  ...Object.fromEntries(
    Object.entries(SETTINGS)
      .filter(([name]) => params[name] !== undefined)
      .map(([name, key]) => [key, params[name]]),
  ),
  ...schemaOf(params.responseFormat),
})

const toolDeclaration = ({ name, description, inputSchema }) =>
  inputSchema === undefined ? name : { name, ...(description ? { description } : {}), parameters: inputSchema }

const callSettings = (params, model) => ({
  model: model?.modelId,
  config: modelConfig(params),
  ...(params.tools?.length > 0 ? { tools: params.tools.map(toolDeclaration) } : {}),
})

const usageFields = (usage) => {
  if (typeof usage !== 'object' || usage === null) return undefined
  const count = (value) => (typeof value === 'object' && value !== null ? value.total : value)
  const input = count(usage.inputTokens)
  const output = count(usage.outputTokens)
  if (input === undefined && output === undefined) return undefined
  const cached = usage.inputTokens?.cacheRead ?? usage.cachedInputTokens
  const reasoning = usage.outputTokens?.reasoning ?? usage.reasoningTokens
  return recordedUsage({ input, output, total: usage.totalTokens ?? (input ?? 0) + (output ?? 0), cached, reasoning })
}

/** The recorded finish reason: the vendor's own if it is as precise as that of the SDK. */
const recordedReason = (reason) => {
  const { unified = reason, raw } = reason ?? {}
  return typeof raw === 'string' && classifyFinishReason(raw) === classifyFinishReason(unified) ? raw : unified
}

/** Adds the finish reason of the SDK if it does not follow from the answer; a stream may have ended without one. */
const withSdkReason = (answer, reason) => {
  const sdkReason = reason?.unified ?? (typeof reason === 'string' ? reason : 'other')
  return sdkReason === finishReason({ tool_calls: [], ...answer }) ? answer : { ...answer, metadata: { finish_reason: sdkReason } }
}

const readAnswer = ({ content, finishReason, usage, response, providerMetadata }) => {
  const partsOfType = (kind) => content.filter(({ type }) => type === kind)
  const answer = omitEmpty({
    content: textOfParts(content),
    tool_calls: partsOfType('tool-call').length === 0 ? undefined : partsOfType('tool-call').map(toolCall),
    reasoning: partsOfType('reasoning')
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

const unsupportedParts = ({ content }) =>
  content
    .filter(({ type, providerExecuted }) => UNSUPPORTED_PARTS.includes(type) || providerExecuted === true)
    .map(({ type, providerExecuted }) => (providerExecuted === true || type === 'tool-result' ? `${type} of the provider` : type))

/** Collects the parts of a streamed answer. */
class PartsCollector {
  #pieces = new Map()
  #result = { content: [] }
  /** The indexes of the streamed calls, by id. */
  #calls = new Map()

  /** Adds a part; returns it as a chunk, for recorders that keep chunks. */
  add(part) {
    const { type, id } = part
    if (type === 'text-delta' || type === 'reasoning-delta') {
      const kind = type === 'text-delta' ? 'text' : 'reasoning'
      const key = `${kind} ${id}`
      if (!this.#pieces.has(key)) {
        const piece = { type: kind, text: '' }
        this.#pieces.set(key, piece)
        this.#result.content.push(piece)
      }
      this.#pieces.get(key).text += part.delta
      return { [kind]: part.delta }
    }
    if (type === 'tool-call' || UNSUPPORTED_PARTS.includes(type)) this.#result.content.push(part)
    if (type === 'tool-input-start') {
      this.#calls.set(id, this.#calls.size)
      return { tool_call_delta: { index: this.#calls.get(id), id, name: part.toolName, arguments: '' } }
    }
    if (type === 'tool-input-delta') return { tool_call_delta: { index: this.#calls.get(id), id, arguments: part.delta } }
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
 * What records the AI SDK: `middleware` for `wrapLanguageModel`, or `model`, which wraps one itself, and `telemetry`, an
 * integration that sees the tools. Without the latter, results are those that the model is sent; those that a run ends with
 * are then not recorded.
 */
export const recordAiSdk = (recorder) => {
  const runs = runsOf('recordAiSdk', recorder)
  const safely = (work) => guardRecording(recorder, work)
  /** The tools that are under way, each by the run of the SDK and the id of its call. */
  const open = new Map()
  const toolKey = ({ callId, toolCall }) => `${callId} ${toolCall.toolCallId}`

  const begin = ({ params, model }) => {
    const run = currentRun(runs)
    const request = { format: 'ai-sdk', messages: params.prompt }
    const call = safely(() => run.modelCalled(request, promptMessages(params.prompt), callSettings(params, model)))
    return {
      answered: (result) =>
        safely(() => {
          run.modelAnswered(call, readAnswer(result))
          reportUnsupportedParts(recorder, unsupportedParts(result))
        }),
      failed: (error) => safely(() => run.modelFailed(call, error)),
      chunk: (piece) => safely(() => run.chunk(call, piece)),
    }
  }
  const failWith = (call) => (error) => {
    call.failed(error)
    throw error
  }

  const wrapGenerate = async ({ doGenerate, ...rest }) => {
    const call = begin(rest)
    const result = await doGenerate().catch(failWith(call))
    call.answered(result)
    return result
  }

  const wrapStream = async ({ doStream, ...rest }) => {
    const call = begin(rest)
    const result = await doStream().catch(failWith(call))
    const collector = new PartsCollector()
    let failure
    const reader = result.stream.getReader()
    const stream = new ReadableStream({
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
        call.failed(reason ?? 'given up')
        await reader.cancel(reason)
      },
    })
    return { ...result, stream }
  }

  const telemetry = {
    onToolExecutionStart: (event) =>
      safely(() => {
        const { toolCallId: id, toolName: name, input: args } = event.toolCall
        open.set(toolKey(event), startTool(runs, { id, name, args }))
      }),
    // Model calls of a tool belong to another agent.
    executeTool: ({ execute, ...event }) => {
      const tool = safely(() => open.get(toolKey(event)))
      return tool === undefined ? execute() : runInsideTool(tool, execute)
    },
    onToolExecutionEnd: (event) =>
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
  const model = (inner) => {
    if (typeof inner?.doGenerate !== 'function') throw new TypeError('model() of recordAiSdk() takes a language model of the AI SDK')
    const { specificationVersion, provider, modelId, supportedUrls } = inner
    const doGenerate = (params) => wrapGenerate({ doGenerate: async () => inner.doGenerate(params), params, model: inner })
    const doStream = (params) => wrapStream({ doStream: async () => inner.doStream(params), params, model: inner })
    return { specificationVersion, provider, modelId, supportedUrls, doGenerate, doStream }
  }
  return { middleware: { specificationVersion: 'v4', wrapGenerate, wrapStream }, telemetry, model }
}
