// The agent under test: a loop over the client, with a real tool.
import { QUESTION, SYSTEM, report, weather } from '../support/chat-clients.mjs'

/** A whole answer of the pieces of a stream. `received` gets the pieces of its text. */
const merged = async (stream, received) => {
  const message = { role: 'assistant', content: '', tool_calls: [] }
  let last
  for await (const { message: piece, ...rest } of stream) {
    if (piece.content !== '') received.push(piece.content)
    message.content += piece.content
    if (piece.thinking !== undefined) message.thinking = (message.thinking ?? '') + piece.thinking
    message.tool_calls.push(...(piece.tool_calls ?? []))
    last = rest
  }
  return { message, ...last }
}

const answers = {
  generate: (client, request) => client.chat(request),
  stream: async (client, request, received) => merged(await client.chat({ ...request, stream: true }), received),
}

/** Messages as older servers and their clients have them. `names` of tools are in results, `ids` in calls. */
const withoutIds = (message, { ids }) =>
  ids ? message : { ...message, tool_calls: message.tool_calls.map(({ function: called }) => ({ function: called })) }

const run =
  (answer) =>
  async (
    client,
    { question = QUESTION, read, schema, plain, received = [], system = SYSTEM, model = 'llama-x', more = {}, ids = true, names = true },
  ) => {
    const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: question }]
    for (;;) {
      const request = {
        model,
        messages: [...messages],
        ...(plain ? {} : { tools: [{ type: 'function', function: weather }] }),
        ...(schema ? { format: schema } : {}),
        ...more,
      }
      const { message, done_reason: ended, ...rest } = await answer(client, request, received)
      const text = message.content
      if (!message.tool_calls?.length) return { text, message, ended, rest, object: schema ? JSON.parse(text) : undefined }
      messages.push(withoutIds(message, { ids }))
      for (const { function: called } of message.tool_calls) {
        const content = report(read, called.arguments.location)
        messages.push({ role: 'tool', ...(names ? { tool_name: called.name } : {}), content })
      }
    }
  }

export const ways = { generate: run(answers.generate), stream: run(answers.stream) }
