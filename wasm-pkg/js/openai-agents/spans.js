// What spans of the Agents SDK carry, in the words of recordings.
import { present, recordedUsage } from '../adapters/usage.js'
import { answerOf, aboutOf, leftOutOf } from './from-sdk.js'

const listOf = (value) => (Array.isArray(value) ? value : [])

const textOf = (content) => {
  if (typeof content === 'string' || content === null || content === undefined) return content ?? ''
  const isText = ({ type }) => type === 'text'
  // What is no text stays as it is.
  return Array.isArray(content) && content.every(isText) ? content.map(({ text }) => text).join('') : content
}

const callOf = ({ id, function: { name, arguments: args } = {} }) => ({ id, name, arguments: args })

const entryOf = ({ role, content, tool_calls: calls, tool_call_id: id }) => {
  if (role === 'tool') return { role, id, content: textOf(content) }
  if (role !== 'assistant') return { role: role === 'developer' ? 'system' : role, content: textOf(content) }
  return { role, content: textOf(content), ...(listOf(calls).length > 0 ? { calls: calls.map(callOf) } : {}) }
}

const chatUsage = ({ prompt_tokens: input, completion_tokens: output, total_tokens: total, ...more }) => recordedUsage({
  input,
  output,
  total,
  cached: more.prompt_tokens_details?.cached_tokens,
  reasoning: more.completion_tokens_details?.reasoning_tokens,
})

const counted = (usage) => {
  const found = usage === undefined || usage === null ? {} : chatUsage(usage)
  return found.prompt_tokens || found.completion_tokens ? found : undefined
}

const CONFIG = ['temperature', 'max_tokens', 'top_p', 'presence_penalty', 'frequency_penalty', 'tool_choice', 'parallel_tool_calls']

/** The kinds of what a chat completion said that recordings have no place for. */
const leftOutOfChat = ({ content, audio }) => [
  ...listOf(content).map(({ type }) => type).filter((type) => type !== 'text' && type !== 'refusal'),
  ...(audio ? ['audio'] : []),
]

/** A span of a chat completion; undefined where it carries no messages. */
const generation = ({ input, output, model, model_config: given = {} }) => {
  const [completion] = listOf(output)
  const message = completion?.choices?.[0]?.message ?? (typeof completion?.role === 'string' ? completion : undefined)
  if (!Array.isArray(input)) return undefined
  return {
    request: { format: 'openai-chat', messages: input },
    entries: input.map(entryOf),
    about: { ...present({ model }), config: Object.fromEntries(CONFIG.filter((name) => given[name] !== undefined && given[name] !== null).map((name) => [name, given[name]])) },
    leftOut: message ? leftOutOfChat(message) : [],
    answer: message && present({
      content: textOf(message.content),
      tool_calls: listOf(message.tool_calls).length === 0 ? undefined : message.tool_calls.map(callOf),
      reasoning: message.reasoning ?? message.reasoning_content,
      refusal: message.refusal,
      usage: counted(completion.usage),
      finish_reason: completion.choices?.[0]?.finish_reason,
      model: completion.model,
      id: completion.id,
    }),
  }
}

/** The items that recordings have: a span says those of the provider otherwise than a model of the SDK. */
const ITEMS = ['message', 'function_call', 'reasoning']

/** An item of a response as the SDK has it. */
const itemOf = ({ type, id, role, content, call_id: callId, name, arguments: args, summary }) => {
  if (type === 'function_call') return { type, callId, name, arguments: args }
  if (type === 'message') return { type, role, content: listOf(content) }
  if (type === 'reasoning') return { type, content: [...listOf(content), ...listOf(summary)].filter(({ text }) => typeof text === 'string') }
  return { type, id }
}

const responseUsage = ({ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, ...more }) => ({
  inputTokens, outputTokens, totalTokens, inputTokensDetails: more.input_tokens_details, outputTokensDetails: more.output_tokens_details,
})

/** A span of a response; undefined where it carries no input. */
const response = ({ _input: input, _response: given }) => {
  if (input === undefined) return undefined
  const { instructions, previous_response_id: previousResponseId, conversation, model } = given ?? {}
  const asked = {
    input,
    ...(typeof instructions === 'string' && instructions !== '' ? { systemInstructions: instructions } : {}),
    ...(previousResponseId ? { previousResponseId } : {}),
    ...(conversation?.id ? { conversationId: conversation.id } : {}),
  }
  const output = listOf(given?.output).map(itemOf)
  const { temperature, max_output_tokens: maxTokens, top_p: topP, parallel_tool_calls: parallelToolCalls, tool_choice: toolChoice } = given ?? {}
  const modelSettings = present({ temperature, maxTokens, topP, parallelToolCalls, toolChoice })
  const tools = listOf(given?.tools).filter(({ type }) => type === 'function')
  return {
    asked,
    output,
    about: aboutOf({ modelSettings, tools }, model),
    leftOut: [...leftOutOf({ output }), ...output.map(({ type }) => type).filter((type) => !ITEMS.includes(type))],
    answer: given && answerOf({ output: output.filter(({ type }) => ITEMS.includes(type)), usage: given.usage && responseUsage(given.usage), id: given.id }),
  }
}

const READERS = { generation, response }

/** A call of a model that a span tells of. */
export const modelSpan = (data) => READERS[data.type](data)

/** Whether a span is that of a call of a model. */
export const isModelSpan = ({ type }) => Object.hasOwn(READERS, type)
