// The agent under test: a loop over the client, with a real tool.

export const weather = {
  name: 'weather',
  description: 'The weather at a place',
  input_schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

const report = (read, { id, input }) => {
  try {
    return { type: 'tool_result', tool_use_id: id, content: JSON.stringify(read(input.location)) }
  } catch (error) {
    return { type: 'tool_result', tool_use_id: id, content: `Error: ${error.message}`, is_error: true }
  }
}

/** How an answer is requested: at once, as a stream of events, by the helper. */
const ways = {
  create: (client, request) => client.messages.create(request),
  stream: async (client, request) => {
    let message
    const inputs = []
    for await (const event of await client.messages.create({ ...request, stream: true })) {
      if (event.type === 'message_start') message = event.message
      if (event.type === 'content_block_start') message.content[event.index] = event.content_block
      if (event.type === 'content_block_delta') {
        const block = message.content[event.index]
        if (event.delta.type === 'text_delta') block.text += event.delta.text
        if (event.delta.type === 'input_json_delta') inputs[event.index] = (inputs[event.index] ?? '') + event.delta.partial_json
      }
      if (event.type === 'content_block_stop' && inputs[event.index]) message.content[event.index].input = JSON.parse(inputs[event.index])
      if (event.type === 'message_delta') Object.assign(message, event.delta)
    }
    return message
  },
  helper: (client, request) => client.messages.stream(request).finalMessage(),
}

/** Runs the agent, and returns its last words. */
export const run = async (
  client,
  way,
  read,
  { question = "What's the weather?", system = 'You are helpful', most = 9, model = 'claude-x' } = {},
) => {
  const messages = [{ role: 'user', content: question }]
  for (let step = 0; step < most; step += 1) {
    const { content, stop_reason } = await ways[way](client, {
      model,
      max_tokens: 256,
      ...(system ? { system } : {}),
      messages,
      tools: [weather],
    })
    messages.push({ role: 'assistant', content })
    if (stop_reason !== 'tool_use') return content.map(({ text }) => text ?? '').join('')
    messages.push({ role: 'user', content: content.filter(({ type }) => type === 'tool_use').map((call) => report(read, call)) })
  }
  return undefined
}

/** A client without a network: its key is no key. */
export const offline = (Anthropic, fetch, more) => new Anthropic({ apiKey: 'test', baseURL: 'http://replay.invalid', fetch, ...more })
