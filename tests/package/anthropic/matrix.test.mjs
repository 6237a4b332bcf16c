// The client of Anthropic in every case of the table.
import { test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { offline, weather } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

const clientOf = (fetch) => offline(Anthropic, fetch, { maxRetries: 0 })

const report = (read, { id, input }) => {
  try {
    return { type: 'tool_result', tool_use_id: id, content: JSON.stringify(read(input.location)) ?? '' }
  } catch (error) {
    return { type: 'tool_result', tool_use_id: id, content: error.message, is_error: true }
  }
}

/** A loop over Messages; `answer` gives the message of a request. */
const loop =
  (answer) =>
  async (client, { question, read, schema, plain, received = [] }) => {
    const messages = [{ role: 'user', content: question }]
    for (;;) {
      const { content, stop_reason: ended } = await answer(
        client,
        {
          model: 'claude-x',
          max_tokens: 256,
          system: 'You are helpful',
          messages,
          ...(plain ? {} : { tools: [weather] }),
          ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
        },
        received,
      )
      const calls = content.filter(({ type }) => type === 'tool_use')
      if (calls.length === 0) {
        const text = content.map((block) => block.text ?? '').join('')
        return { text, ended, object: schema ? JSON.parse(text) : undefined }
      }
      messages.push({ role: 'assistant', content }, { role: 'user', content: calls.map((call) => report(read, call)) })
    }
  }

matrix(test, {
  adapter: 'anthropic messages',
  all,
  play: (source) => clientOf(replayFetch(source)),
  record: (recorder, source) => ({ model: clientOf(recordFetch(recorder, { fetch: replayFetch(source) })) }),
  drift: (error) => error.error.error.divergence,
  ended: 'max_tokens',
  ways: {
    generate: loop((client, request) => client.messages.create(request)),
    stream: loop((client, request, received) => {
      const stream = client.messages.stream(request)
      stream.on('text', (delta) => received.push(delta))
      return stream.finalMessage()
    }),
  },
})
