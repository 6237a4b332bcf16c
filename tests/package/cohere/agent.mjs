// The agent under test: a loop over the client, with a real tool.
import { QUESTION, SYSTEM, report, weather } from '../support/chat-clients.mjs'

/** A whole answer of the events of a stream. `received` gets the pieces of its text. */
const merged = async (stream, received) => {
  const message = { role: 'assistant', content: [], toolCalls: [] }
  let end = {}
  for await (const { type, delta } of stream) {
    const { content, toolPlan, toolCalls } = delta?.message ?? {}
    const call = message.toolCalls.at(-1)
    if (type === 'content-start') message.content.push({ ...content })
    if (type === 'content-delta') {
      const part = message.content.at(-1)
      part[part.type] += content[part.type]
      if (content.text !== undefined) received.push(content.text)
    }
    if (type === 'tool-plan-delta') message.toolPlan = (message.toolPlan ?? '') + toolPlan
    if (type === 'tool-call-start') message.toolCalls.push({ ...toolCalls, function: { ...toolCalls.function } })
    if (type === 'tool-call-delta') call.function.arguments += toolCalls.function.arguments
    if (type === 'message-end') end = delta
  }
  if (end.error !== undefined) throw new Error(end.error)
  return { message, finishReason: end.finishReason, usage: end.usage }
}

const answers = {
  generate: (client, request) => client.chat(request),
  stream: async (client, request, received) => merged(await client.chatStream(request), received),
}

const textOf = (content = []) =>
  content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')

/** A result as the API has it: as a text, or as a document. */
const resultOf = (text, asDocument) => (asDocument ? [{ type: 'document', document: { data: JSON.parse(text) } }] : text)

const run =
  (answer) =>
  async (
    client,
    { question = QUESTION, read, schema, plain, received = [], system = SYSTEM, model = 'command-x', more = {}, asDocument = false },
  ) => {
    const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: question }]
    for (;;) {
      const request = {
        model,
        messages: [...messages],
        ...(plain ? {} : { tools: [{ type: 'function', function: weather }] }),
        ...(schema ? { responseFormat: { type: 'json_object', jsonSchema: schema } } : {}),
        ...more,
      }
      const { message, finishReason: ended, usage } = await answer(client, request, received)
      const text = textOf(message.content)
      if (!message.toolCalls?.length) return { text, message, ended, usage, object: schema ? JSON.parse(text) : undefined }
      const { content, ...rest } = message
      messages.push(content?.length ? message : rest)
      for (const { id, function: called } of message.toolCalls) {
        const result = report(read, JSON.parse(called.arguments).location)
        messages.push({ role: 'tool', toolCallId: id, content: resultOf(result, asDocument) })
      }
    }
  }

export const ways = { generate: run(answers.generate), stream: run(answers.stream) }
