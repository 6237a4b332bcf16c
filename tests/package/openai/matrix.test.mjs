// The client of OpenAI in every case of the table.
import { test } from 'node:test'
import OpenAI from 'openai'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { offline, weather } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

const clientOf = (fetch) => offline(OpenAI, fetch, { maxRetries: 0 })
const play = (source) => clientOf(replayFetch(source))
const record = (recorder, source) => ({ model: clientOf(recordFetch(recorder, { fetch: replayFetch(source) })) })
const drift = (error) => error.error.divergence

const report = (read, args) => {
  try {
    return JSON.stringify(read(JSON.parse(args).location)) ?? ''
  } catch (error) {
    return error.message
  }
}

const ended = (text, reason, schema) => ({ text, ended: reason, object: schema ? JSON.parse(text) : undefined })

/** A loop over chat completions; `answer` gives the first choice of a request. */
const chat =
  (answer) =>
  async (client, { question, read, schema, plain, received = [] }) => {
    const messages = [
      { role: 'system', content: 'You are helpful' },
      { role: 'user', content: question },
    ]
    for (;;) {
      const { message, finish_reason: reason } = await answer(
        client,
        {
          model: 'gpt-x',
          messages,
          ...(plain ? {} : { tools: [{ type: 'function', function: weather }] }),
          ...(schema ? { response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema } } } : {}),
        },
        received,
      )
      if (!message.tool_calls?.length) return ended(message.content, reason, schema)
      messages.push(
        message,
        ...message.tool_calls.map(({ id, function: { arguments: args } }) => ({
          role: 'tool',
          tool_call_id: id,
          content: report(read, args),
        })),
      )
    }
  }

matrix(test, {
  adapter: 'openai chat',
  all,
  play,
  record,
  drift,
  ended: 'length',
  ways: {
    generate: chat(async (client, request) => (await client.chat.completions.create(request)).choices[0]),
    stream: chat(async (client, request, received) => {
      const stream = client.chat.completions.stream(request)
      stream.on('content', (delta) => received.push(delta))
      return (await stream.finalChatCompletion()).choices[0]
    }),
  },
})

/** A loop over Responses; `answer` gives the response of a request. */
const responses =
  (answer) =>
  async (client, { question, read, schema, plain, received = [] }) => {
    const input = [{ role: 'user', content: question }]
    for (;;) {
      const {
        output,
        output_text: text,
        incomplete_details: cut,
      } = await answer(
        client,
        {
          model: 'gpt-x',
          instructions: 'You are helpful',
          input,
          ...(plain ? {} : { tools: [{ type: 'function', strict: true, ...weather }] }),
          ...(schema ? { text: { format: { type: 'json_schema', name: 'city', strict: true, schema } } } : {}),
        },
        received,
      )
      const calls = output.filter(({ type }) => type === 'function_call')
      if (calls.length === 0) return ended(text, cut?.reason, schema)
      input.push(
        ...output,
        ...calls.map(({ call_id, arguments: args }) => ({ type: 'function_call_output', call_id, output: report(read, args) })),
      )
    }
  }

matrix(test, {
  adapter: 'openai responses',
  all,
  play,
  record,
  drift,
  ended: 'max_output_tokens',
  ways: {
    generate: responses((client, request) => client.responses.create(request)),
    stream: responses((client, request, received) => {
      const stream = client.responses.stream(request)
      stream.on('response.output_text.delta', ({ delta }) => received.push(delta))
      return stream.finalResponse()
    }),
  },
})
