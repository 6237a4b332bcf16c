// A model that is scripted, behind a loopback server: the chat completions of OpenAI and the messages of Anthropic.
import { once } from 'node:events'
import { createServer } from 'node:http'

const sse = (response, events) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of events)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  response.end()
}

/** The text in small pieces, so that a line never comes whole. */
const pieces = (text) => text.match(/[^]{1,7}/gu) ?? []

const USAGE = { input: 100, output: 20 }

const openai = (response, { text, finish = 'stop', refusal }, stream) => {
  const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output }
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ choices: [{ message: { role: 'assistant', content: text ?? null, refusal }, finish_reason: finish }], usage }),
    )
    return
  }
  const deltas = refusal === undefined ? pieces(text).map((content) => ({ content })) : [{ refusal }]
  sse(response, [
    ...deltas.map((delta) => ({ data: { choices: [{ index: 0, delta }] } })),
    { data: { choices: [{ index: 0, delta: {}, finish_reason: finish }] } },
    { data: { choices: [], usage } },
    { data: '[DONE]' },
  ])
}

const anthropic = (response, { text, finish = 'end_turn' }, stream) => {
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        content: [{ type: 'text', text }],
        stop_reason: finish,
        usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
      }),
    )
    return
  }
  const named = (data) => ({ event: data.type, data })
  sse(response, [
    named({ type: 'message_start', message: { usage: { input_tokens: USAGE.input, output_tokens: 1 } } }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    named({ type: 'ping' }),
    ...pieces(text).map((piece) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } })),
    named({ type: 'content_block_stop', index: 0 }),
    named({ type: 'message_delta', delta: { stop_reason: finish }, usage: { output_tokens: USAGE.output } }),
    named({ type: 'message_stop' }),
  ])
}

/**
 * A server with a model that gives `replies` in turn: a text, `{text, finish, refusal}`, `{status, body, headers}` for an error,
 * `{begin}` for a stream that says this and hangs, `{cut}` for one whose connection ends amid it, or `'hang'`.
 */
export const scripted = async (...replies) => {
  const requests = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const data = JSON.parse(body)
    requests.push({ url: request.url, headers: request.headers, body: data })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    if (reply === 'hang') return
    if (reply.begin !== undefined || reply.cut !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: reply.begin ?? reply.cut } }] })}\n\n`)
      if (reply.cut !== undefined) setTimeout(() => response.destroy(), 20)
      return
    }
    if (reply.status !== undefined) {
      const body = typeof reply.body === 'function' ? reply.body(request) : (reply.body ?? { error: { message: 'no' } })
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(JSON.stringify(body))
      return
    }
    const args = typeof reply === 'string' ? { text: reply } : reply
    const answer = request.url.endsWith('/messages') ? anthropic : openai
    answer(response, args, data.stream === true)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    baseURL: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const fenced = (text) => `Here it is:\n\`\`\`yaml\n${text}\`\`\`\nEnjoy!`

/** The description of Example 5 of the seeds, word for word. */
export const description = `
Test a multi-turn conversation about weather in multiple cities:

1. User asks about weather in NYC and LA
2. Agent calls weather tool for NYC
3. Tool returns: sunny, 72°F
4. Agent calls weather tool for LA
5. Tool returns: cloudy, 65°F
6. Agent compares and recommends NYC for outdoor activities

Edge cases to include:
- What if one tool call fails?
- What if user interrupts during tool calls?
`

/** A transcript of it, as a model writes it. */
export const cities = `name: multi_city_weather
description: The user compares the weather of two cities; one look-up fails at first, and the user interrupts.
tags: [weather, edge-cases]
author: llm-generated
tools: [weather]
messages:
  - "system: You help with plans for the day."
  - "user: What's the weather in NYC and LA?"
  - "assistant:call weather(city='NYC')"
  - 'tool:weather: {"sky": "sunny", "temp_f": 72}'
  - "assistant:call weather(city='LA')"
  - "tool:weather!: the service did not answer in time"
  - "user: Wait, is it for today?"
  - {assistant: "Yes, for today. I try LA again.", call: "weather(city='LA')"}
  - 'tool:weather: {"sky": "cloudy", "temp_f": 65}'
  - "assistant: NYC is sunny with 72°F, LA is cloudy with 65°F: for outdoor activities I recommend NYC."
assertions:
  - {tool_call_count: 3, tool: weather}
  - {tool_called: weather, parameters: {city: LA}}
  - {final_response_contains: "NYC"}
`

export const good = fenced(cities)
/** The same with a slip and an assertion that does not hold. */
export const slipped = fenced(cities.replace('"tool:weather!:', '"tol:weather!:').replace('tool_call_count: 3', 'tool_call_count: 2'))
