// The agent under test: a loop over the client, with a real tool.
import { QUESTION, SYSTEM, report, weather } from '../support/chat-clients.mjs'

/** A whole message of the pieces of a stream. `received` gets the pieces of its text. */
const merged = async (stream, received) => {
  const message = { role: 'assistant', content: '', toolCalls: [] }
  const thoughts = []
  let last
  for await (const { data } of stream) {
    const [{ delta, finishReason }] = data.choices
    if (typeof delta.content === 'string') {
      message.content += delta.content
      if (delta.content !== '') received.push(delta.content)
    }
    if (Array.isArray(delta.content)) thoughts.push(...delta.content.flatMap(({ thinking }) => thinking))
    message.toolCalls.push(...(delta.toolCalls ?? []))
    last = { finishReason, usage: data.usage }
  }
  if (thoughts.length > 0)
    message.content = [
      { type: 'thinking', thinking: thoughts },
      { type: 'text', text: message.content },
    ]
  return { message, ...last }
}

const answers = {
  generate: async (client, request) => {
    const { choices, usage } = await client.chat.complete(request)
    return { ...choices[0], usage }
  },
  stream: async (client, request, received) => merged(await client.chat.stream(request), received),
}

const textOf = (content) =>
  Array.isArray(content)
    ? content
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('')
    : (content ?? '')

const run =
  (answer) =>
  async (
    client,
    { question = QUESTION, read, schema, plain, received = [], system = SYSTEM, model = 'mistral-x', more = {}, asData = false },
  ) => {
    const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: question }]
    const responseFormat = { type: 'json_schema', jsonSchema: { name: 'city', schemaDefinition: schema, strict: true } }
    for (;;) {
      const request = {
        model,
        messages: [...messages],
        ...(plain ? {} : { tools: [{ type: 'function', function: weather }] }),
        ...(schema ? { responseFormat } : {}),
        ...more,
      }
      const { message, finishReason: ended, usage } = await answer(client, request, received)
      const text = textOf(message.content)
      const calls = message.toolCalls ?? []
      if (calls.length === 0) return { text, message, ended, usage, object: schema ? JSON.parse(text) : undefined }
      const parsed = calls.map((call) => ({ ...call, function: { ...call.function, arguments: JSON.parse(call.function.arguments) } }))
      // The API takes arguments as data, too.
      messages.push({ ...message, toolCalls: asData ? parsed : calls })
      for (const { id, function: called } of parsed)
        messages.push({ role: 'tool', name: called.name, toolCallId: id, content: report(read, called.arguments.location) })
    }
  }

export const ways = { generate: run(answers.generate), stream: run(answers.stream) }

/** The error in the body of a failed request. */
export const errorOf = (error) => JSON.parse(error.body)
