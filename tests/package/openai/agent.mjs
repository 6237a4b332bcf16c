// The agent under test: a loop over the client, with a real tool.

export const weather = {
  name: 'weather',
  description: 'The weather at a place',
  parameters: {
    type: 'object',
    properties: { location: { type: 'string' } },
    required: ['location'],
    additionalProperties: false,
  },
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** What a tool returns to the model; the protocols of OpenAI have no word for one that failed but its own. */
const report = (read, args) => {
  try {
    return JSON.stringify(read(args.location))
  } catch (error) {
    return error.message
  }
}

const SYSTEM = 'You are helpful'
const QUESTION = "What's the weather?"

/** How a chat completion is requested: at once, as a stream of chunks, by the helper. */
const chatWays = {
  create: async (client, request) => (await client.chat.completions.create(request)).choices[0].message,
  stream: async (client, request) => {
    const message = { role: 'assistant', content: '', tool_calls: [] }
    for await (const {
      choices: [choice],
    } of await client.chat.completions.create({ ...request, stream: true })) {
      message.content += choice?.delta.content ?? ''
      for (const { index, id, function: called } of choice?.delta.tool_calls ?? []) {
        const call = (message.tool_calls[index] ??= { id, type: 'function', function: { name: called.name, arguments: '' } })
        call.function.arguments += called.arguments
      }
    }
    return message.tool_calls.length > 0 ? message : { role: 'assistant', content: message.content }
  },
  helper: (client, request) => client.chat.completions.stream(request).finalMessage(),
}

/** Runs the agent by chat completions, and returns its last words. */
export const chat = async (client, way, read, { question = QUESTION, system = SYSTEM, most = 9, model = 'gpt-x' } = {}) => {
  const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: question }]
  for (let step = 0; step < most; step += 1) {
    const message = await chatWays[way](client, { model, messages, tools: [{ type: 'function', function: weather }] })
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    for (const { id, function: called } of message.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: report(read, JSON.parse(called.arguments)) })
    }
  }
  return undefined
}

const responseWays = {
  create: (client, request) => client.responses.create(request),
  stream: async (client, request) => {
    let last
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (event.type === 'response.completed') last = event.response
    }
    return last
  },
  helper: (client, request) => client.responses.stream(request).finalResponse(),
}

/** The same by Responses; `history` is `sent`, `previous`, `reference` or `conversation`. */
export const responses = async (client, way, read, { question = QUESTION, history = 'sent', most = 9 } = {}) => {
  let input = [{ role: 'user', content: question }]
  let refers = history === 'conversation' ? { conversation: 'conv_1' } : {}
  for (let step = 0; step < most; step += 1) {
    const request = { model: 'gpt-x', instructions: SYSTEM, input, tools: [{ type: 'function', strict: true, ...weather }], ...refers }
    const response = await responseWays[way](client, request)
    const output = response.output
    const texts = output.filter(({ type }) => type === 'message').flatMap(({ content }) => content)
    const calls = output.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return texts.map(({ text }) => text).join('')
    const results = calls.map(({ call_id, arguments: args }) => ({
      type: 'function_call_output',
      call_id,
      output: report(read, JSON.parse(args)),
    }))
    if (history === 'sent') input = [...input, ...output, ...results]
    else if (history === 'reference') {
      const items = output.map((item) => (item.type === 'message' ? { type: 'item_reference', id: item.id } : item))
      input = [...input, ...items, ...results]
    } else {
      input = results
      if (history === 'previous') refers = { previous_response_id: response.id }
    }
  }
  return undefined
}

/** A client without a network: its key is no key. */
export const offline = (OpenAI, fetch, more) => new OpenAI({ apiKey: 'test', baseURL: 'http://replay.invalid/v1', fetch, ...more })
