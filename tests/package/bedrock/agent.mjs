// The agent under test: a loop over the client, with a real tool.
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { FetchHttpHandler } from '@smithy/fetch-http-handler'

export const MODEL = 'anthropic.claude-x-v1:0'
export const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE'

const SCHEMA = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] }
const DESCRIPTION = 'The weather at a place'

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** The handler of the client for browsers, with a `fetch` of its own instead of the global one. */
class Handler extends FetchHttpHandler {
  constructor(fetch) {
    super()
    this.fetch = fetch
  }

  async handle(request, options) {
    const { fetch } = globalThis
    globalThis.fetch = this.fetch
    try {
      return await super.handle(request, options)
    } finally {
      globalThis.fetch = fetch
    }
  }
}

export const clientOf = (options) =>
  new BedrockRuntimeClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: 'none' },
    maxAttempts: 1,
    ...options,
  })

/** A client without a network. */
export const offline = (fetch, options) => clientOf({ requestHandler: new Handler(fetch), ...options })

/** Appends the pieces of a block. */
const appendDelta = (content, at, { text, toolUse, reasoningContent }) => {
  const known = content[at]
  if (text !== undefined) content[at] = { text: `${known?.text ?? ''}${text}` }
  if (toolUse !== undefined) known.toolUse.input += toolUse.input
  if (reasoningContent !== undefined) {
    const thought = known?.reasoningContent.reasoningText.text ?? ''
    content[at] = { reasoningContent: { reasoningText: { text: `${thought}${reasoningContent.text}` } } }
  }
}

const converseStream = async (client, input, received) => {
  const { stream } = await client.send(new ConverseStreamCommand(input))
  const content = []
  let [stopReason, usage] = []
  for await (const { contentBlockStart: start, contentBlockDelta: delta, contentBlockStop: stop, messageStop, metadata } of stream) {
    if (start !== undefined) content[start.contentBlockIndex] = { toolUse: { ...start.start.toolUse, input: '' } }
    if (delta !== undefined) {
      appendDelta(content, delta.contentBlockIndex, delta.delta)
      if (delta.delta.text !== undefined) received.push(delta.delta.text)
    }
    const call = content[stop?.contentBlockIndex]?.toolUse
    if (call !== undefined) call.input = JSON.parse(call.input)
    if (messageStop !== undefined) ({ stopReason } = messageStop)
    if (metadata !== undefined) ({ usage } = metadata)
  }
  return { content, stopReason, usage }
}

const invokeStream = async (client, input, received) => {
  const { body } = await client.send(new InvokeModelWithResponseStreamCommand(input))
  let message
  for await (const { chunk } of body) {
    const event = JSON.parse(new TextDecoder().decode(chunk.bytes))
    if (event.type === 'message_start') message = event.message
    if (event.type === 'content_block_start') message.content[event.index] = event.content_block
    if (event.type === 'content_block_delta') {
      const block = message.content[event.index]
      if (event.delta.type === 'text_delta') {
        block.text += event.delta.text
        received.push(event.delta.text)
      }
      if (event.delta.type === 'thinking_delta') block.thinking += event.delta.thinking
      if (event.delta.type === 'input_json_delta') block.json = (block.json ?? '') + event.delta.partial_json
    }
    if (event.type === 'content_block_stop' && message.content[event.index].json !== undefined) {
      const { json, ...block } = message.content[event.index]
      message.content[event.index] = { ...block, input: JSON.parse(json) }
    }
    if (event.type === 'message_delta') Object.assign(message, event.delta)
  }
  return message
}

const outcome = (read, input) => {
  try {
    return { value: read(input.location) }
  } catch (error) {
    return { error: `Error: ${error.message}` }
  }
}

const isData = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The requests of Converse, by `ask`. */
const converse =
  (ask) =>
  async (client, read, { question, system, model, schema, plain, received = [], image }) => {
    const content = [...(image === undefined ? [] : [{ image: { format: 'png', source: { bytes: image } } }]), { text: question }]
    const messages = [{ role: 'user', content }]
    const input = {
      modelId: model,
      messages,
      inferenceConfig: { maxTokens: 256 },
      ...(system ? { system: [{ text: system }] } : {}),
      ...(plain
        ? {}
        : { toolConfig: { tools: [{ toolSpec: { name: 'weather', description: DESCRIPTION, inputSchema: { json: SCHEMA } } }] } }),
      ...(schema
        ? { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(schema) } } } } }
        : {}),
    }
    for (;;) {
      const answer = await ask(client, input, received)
      messages.push({ role: 'assistant', content: answer.content })
      const calls = answer.content.flatMap(({ toolUse }) => toolUse ?? [])
      if (calls.length === 0) {
        return { text: answer.content.map(({ text }) => text ?? '').join(''), ended: answer.stopReason, usage: answer.usage, messages }
      }
      const results = calls.map(({ toolUseId, input: args }) => {
        const { value, error } = outcome(read, args)
        if (error !== undefined) return { toolResult: { toolUseId, content: [{ text: error }], status: 'error' } }
        return { toolResult: { toolUseId, content: [isData(value) ? { json: value } : { text: JSON.stringify(value) ?? '' }] } }
      })
      messages.push({ role: 'user', content: results })
    }
  }

/** The same for a model of Anthropic that is invoked. */
const invoke =
  (ask) =>
  async (client, read, { question, system, model, schema, plain, received = [] }) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }]
    for (;;) {
      const body = JSON.stringify({
        anthropic_version: 'bedrock-2023-05-31',
        max_tokens: 256,
        messages,
        ...(system ? { system } : {}),
        ...(plain ? {} : { tools: [{ name: 'weather', description: DESCRIPTION, input_schema: SCHEMA }] }),
        ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
      })
      const { content, stop_reason: ended, usage } = await ask(client, { modelId: model, body }, received)
      messages.push({ role: 'assistant', content })
      const calls = content.filter(({ type }) => type === 'tool_use')
      if (calls.length === 0) return { text: content.map(({ text }) => text ?? '').join(''), ended, usage, messages }
      const results = calls.map(({ id, input }) => {
        const { value, error } = outcome(read, input)
        const is = error === undefined ? { content: JSON.stringify(value) ?? '' } : { content: error, is_error: true }
        return { type: 'tool_result', tool_use_id: id, ...is }
      })
      messages.push({ role: 'user', content: results })
    }
  }

/** How an answer is requested. */
export const ways = {
  converse: converse(async (client, input) => {
    const { output, stopReason, usage } = await client.send(new ConverseCommand(input))
    return { content: output.message.content, stopReason, usage }
  }),
  'streamed converse': converse(converseStream),
  invoke: invoke(async (client, input) => {
    const { body } = await client.send(new InvokeModelCommand(input))
    return JSON.parse(new TextDecoder().decode(body))
  }),
  'streamed invoke': invoke(invokeStream),
}

/** Runs the agent. Returns its last words, why the last answer ended, its usage, and all messages. */
export const converseWith = (
  client,
  way,
  read,
  { question = "What's the weather?", system = 'You are helpful', model = MODEL, ...more } = {},
) => ways[way](client, read, { question, system, model, ...more })

export const run = async (...args) => (await converseWith(...args)).text
