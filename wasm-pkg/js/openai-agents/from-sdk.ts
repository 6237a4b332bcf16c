// Converts requests and responses of the Agents SDK to the form of recordings.
import { misuse } from '../api/misuse.ts'
import type { RunCall, RunEntry } from '../adapters/run-recorder.ts'
import type { IsFailure } from '../types/openai-agents.ts'
import { joinText } from '../adapters/content.ts'
import { classifyFinishReason } from '../adapters/finish.ts'
import { omitEmpty, recordedUsage } from '../adapters/usage.ts'
import type {
  AgentItem,
  ContentPart,
  FailureDetector,
  FunctionCallItem,
  FunctionCallResultItem,
  FunctionTool,
  ModelResponse,
  OutputSchema,
  ProviderData,
  RequestInput,
  RequestSettings,
  Usage,
} from './protocol.ts'

const outputText = (content: AgentItem['content']) => {
  if (typeof content === 'string') return content
  return (content ?? [])
    .filter(({ type }) => type === 'output_text')
    .map(({ text }) => text)
    .join('')
}

const toolCall = ({ callId: id, name, arguments: args }: FunctionCallItem) => ({ id, name, arguments: args })

/** The texts with which the SDK reports a failed tool; there is no other sign. */
const FAILED = [/^An error occurred while running the tool\./, /^Tool '[^']*' timed out after \d+ms\.$/]

/** Whether a string is one of the SDK for a failed tool. */
const isSdkFailure = (text: unknown) => typeof text === 'string' && FAILED.some((pattern) => pattern.test(text))

/** One detector for each function of a host, so that several models of one run recognize the same items. */
const detectors = new WeakMap<IsFailure, FailureDetector>()

/**
 * Creates the function that detects a failed tool by its text: texts of the SDK, and those that `custom` accepts, the option
 * `isFailure` of `call`. A tool with an `errorFunction` has its own texts, and nothing else distinguishes them from a result.
 */
export const failureDetector = (call: string, custom: IsFailure | undefined): FailureDetector => {
  if (custom === undefined) return isSdkFailure
  if (typeof custom !== 'function')
    throw misuse(`the option \`isFailure\` of ${call}() is a function: from the text of a tool to whether the tool failed`)
  if (detectors.has(custom)) return detectors.get(custom)!
  const isFailure: FailureDetector = (text, { name } = {}) =>
    isSdkFailure(text) || (typeof text === 'string' && custom(text, { name }) === true)
  detectors.set(custom, isFailure)
  return isFailure
}

/** The text of a tool's output. */
export const resultText = (output: unknown) => {
  if (typeof output === 'string' || output === undefined || output === null) return output ?? ''
  return joinText(Array.isArray(output) ? output : [output])
}

const toolResult = (item: FunctionCallResultItem, isFailure: FailureDetector): RunEntry => {
  const { callId: id, name, output } = item
  const content = resultText(output)
  return { role: 'tool', id, name, content, ...(isFailure(content, item) ? { failed: true } : {}) }
}

/** Adds an assistant's item to the message that it belongs to. */
const addToAssistant = (entries: RunEntry[], content: string, calls: readonly RunCall[]) => {
  // The content of an assistant's entry comes from here.
  const last = entries.at(-1) as (RunEntry & { content: string }) | undefined
  if (last?.role !== 'assistant') {
    entries.push({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) })
    return
  }
  last.content += content
  if (calls.length > 0) last.tool_calls = [...(last.tool_calls ?? []), ...calls]
}

/** The messages of a request. */
export const requestMessages = ({ systemInstructions, input }: RequestInput, isFailure: FailureDetector) => {
  const entries: RunEntry[] = systemInstructions ? [{ role: 'system', content: systemInstructions }] : []
  for (const item of typeof input === 'string' ? [{ role: 'user', content: input } as AgentItem] : (input ?? [])) {
    const { type = 'message', role, content } = item
    if (type === 'function_call') addToAssistant(entries, '', [toolCall(item as FunctionCallItem)])
    else if (type === 'function_call_result') entries.push(toolResult(item as FunctionCallResultItem, isFailure))
    else if (type === 'message' && role === 'assistant') addToAssistant(entries, outputText(content), [])
    else if (type === 'message') entries.push({ role: role === 'developer' ? 'system' : role!, content: joinText(content) })
  }
  return entries
}

const usageFields = (usage: ModelResponse['usage']) => {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { inputTokens: input = 0, outputTokens: output = 0, totalTokens: total = input + output } = usage
  // A model that counts nothing reports 0.
  if (total === 0) return undefined
  const first = (details: Usage['inputTokensDetails']) => (Array.isArray(details) ? details[0] : details)
  const cached = first(usage.inputTokensDetails)?.cached_tokens
  const reasoning = first(usage.outputTokensDetails)?.reasoning_tokens
  return recordedUsage({ input, output, total, cached, reasoning })
}

/** Why an answer ended: the finish reason of the provider, otherwise an incomplete item. */
const finishReason = (data: ProviderData | undefined, output: readonly AgentItem[]) => {
  const reasons = [
    data?.transcript?.finish_reason,
    data?.choices?.[0]?.finish_reason,
    data?.incomplete_details?.reason,
    data?.finish_reason,
  ]
  const reason = reasons.find((found) => typeof found === 'string')
  const isCut = output.some(({ status }) => status === 'incomplete')
  return isCut && classifyFinishReason(reason) === undefined ? 'length' : reason
}

/** Items without an equivalent in a recording: the provider's own actions, and thoughts with the data to identify them. */
const providerItems = (output: readonly AgentItem[]) => {
  const isOwn = ({ type = 'message' }: AgentItem) => !['message', 'function_call', 'reasoning'].includes(type)
  const isMarked = ({ type, id, providerData }: AgentItem) => type === 'reasoning' && (id !== undefined || providerData !== undefined)
  return output.some((item) => isOwn(item) || isMarked(item)) ? output.filter((item) => isOwn(item) || item.type === 'reasoning') : []
}

/** The kinds of message parts that a recording cannot represent. */
export const unsupportedParts = ({ output }: ModelResponse) =>
  output
    .filter(({ type = 'message', content }) => type === 'message' && Array.isArray(content))
    .flatMap(({ content }) => (content as ContentPart[]).map(({ type }) => type))
    .filter((type) => type !== 'output_text' && type !== 'refusal')

/** An answer of the model. */
export const readAnswer = ({ output, usage, id, responseId = id, providerData }: ModelResponse) => {
  const items = providerItems(output)
  const itemsOfType = <Kind extends AgentItem>(kind: string) => output.filter(({ type }) => type === kind) as Kind[]
  const messages = output.filter(({ type = 'message', role }) => type === 'message' && role === 'assistant')
  const refusal = messages
    // A content that is a string has no refusal.
    .flatMap(({ content }) => content as ContentPart[])
    .filter(({ type }) => type === 'refusal')
    .map(({ refusal: text }) => text)
  return omitEmpty({
    content: messages.map(({ content }) => outputText(content)).join(''),
    tool_calls: itemsOfType('function_call').length === 0 ? undefined : itemsOfType<FunctionCallItem>('function_call').map(toolCall),
    reasoning: itemsOfType<AgentItem & { content?: ContentPart[] }>('reasoning')
      .flatMap(({ content }) => (content ?? []).map(({ text }) => text))
      .join(''),
    refusal: refusal.join(''),
    usage: usageFields(usage),
    finish_reason: finishReason(providerData, output),
    id: responseId,
    metadata: items.length > 0 ? { items } : undefined,
  })
}

const SETTINGS = {
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  topP: 'top_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
}

const toolDeclaration = ({ name, description, parameters }: FunctionTool) =>
  parameters === undefined ? name : omitEmpty({ name, description, parameters })

/** The settings of a model call. */
export const callSettings = ({ modelSettings = {}, outputType, tools = [], handoffs = [] }: RequestSettings, model?: unknown) => {
  const config = Object.entries(SETTINGS).filter(([name]) => modelSettings[name] !== undefined)
  const all = [
    ...tools.map(toolDeclaration),
    ...handoffs.map(({ toolName: name, toolDescription: description, inputJsonSchema: parameters }) =>
      toolDeclaration({ name, description, parameters }),
    ),
  ]
  return {
    ...omitEmpty({ model }),
    config: {
      ...Object.fromEntries(config.map(([name, key]) => [key, modelSettings[name]])),
      // A string has no schema.
      ...((outputType as OutputSchema)?.schema ? { response_schema: (outputType as OutputSchema).schema } : {}),
    },
    ...(all.length > 0 ? { tools: all } : {}),
  }
}
