// The agent under test: a loop over the client, with a real tool.

export const weather = {
  name: 'weather',
  description: 'The weather at a place',
  parametersJsonSchema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}

export const sunny = () => ({ temp: 72, condition: 'sunny' })

/** The result of a call; clients may leave out its id. */
const report = (read, { id, name, args }, withIds) => {
  const known = { ...(withIds ? { id } : {}), name }
  try {
    return { functionResponse: { ...known, response: read(args.location) } }
  } catch (error) {
    return { functionResponse: { ...known, response: { error: `Error: ${error.message}` } } }
  }
}

/** The parts of an answer, and why it ended. `received` gets the pieces of its text. */
const merged = async (stream, received = []) => {
  const parts = []
  let last
  for await (const chunk of stream) {
    last = chunk
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      parts.push(part)
      if (part.text && !part.thought) received.push(part.text)
    }
  }
  return { parts, last }
}

const textOf = (parts) =>
  parts
    .filter(({ thought }) => !thought)
    .map(({ text }) => text ?? '')
    .join('')

const callsOf = (parts) => parts.flatMap(({ functionCall }) => functionCall ?? [])

const asked = async (request) => {
  const last = await request
  return { parts: last.candidates?.[0]?.content?.parts ?? [], last }
}

/** How an answer is requested. Each gives a function that sends the parts of a message and returns the answer. */
export const ways = {
  generate: (ai, request) => {
    const contents = []
    return async (parts) => {
      contents.push({ role: 'user', parts })
      const answer = await asked(ai.models.generateContent({ ...request, contents }))
      contents.push(answer.last.candidates[0].content)
      return answer
    }
  },
  stream: (ai, request, received) => {
    const contents = []
    return async (parts) => {
      contents.push({ role: 'user', parts })
      const answer = await merged(await ai.models.generateContentStream({ ...request, contents }), received)
      contents.push({ role: 'model', parts: answer.parts })
      return answer
    }
  },
  chat: (ai, request) => {
    const chat = ai.chats.create(request)
    return (message) => asked(chat.sendMessage({ message }))
  },
  'streamed chat': (ai, request, received) => {
    const chat = ai.chats.create(request)
    return async (message) => merged(await chat.sendMessageStream({ message }), received)
  },
}

/** Runs the agent. Returns its last words, and the last answer of the client. */
export const converse = async (
  ai,
  way,
  read,
  {
    question = "What's the weather?",
    system = 'You are helpful',
    model = 'gemini-x',
    config = {},
    tools = [{ functionDeclarations: [weather] }],
    withIds = true,
    received,
  } = {},
) => {
  const send = ways[way](ai, { model, config: { ...(system ? { systemInstruction: system } : {}), tools, ...config } }, received)
  let { parts, last } = await send([{ text: question }])
  for (let calls = callsOf(parts); calls.length > 0; calls = callsOf(parts))
    ({ parts, last } = await send(calls.map((call) => report(read, call, withIds))))
  return { text: textOf(parts), parts, last }
}

export const run = async (...args) => (await converse(...args)).text

/** A client without a network: its key is no key. */
export const offline = (GoogleGenAI, fetch, { httpOptions, ...more } = {}) =>
  new GoogleGenAI({ apiKey: 'test', ...more, httpOptions: { ...httpOptions, fetch } })

/** The error in the body of a failed request, which the client has as its message. */
export const errorOf = (error) => JSON.parse(error.message).error
