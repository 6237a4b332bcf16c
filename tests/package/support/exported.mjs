// Runs with requests to check against the vendors' types.
import { weather } from './samples.mjs'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

/** By name: a plain run, settings and declared tools, parallel calls (one failed, one is open), parts, hidden messages. */
export const requests = {
  plain: weather,
  settings: `name: settings
model: model-1
temperature: 0.5
max_tokens: 99
tools:
  - {name: weather, description: Tells it, parameters: {type: object, properties: {city: {type: string}}, required: [city]}}
  - bare
messages: ['user: Hi', 'assistant: Hello!']
`,
  parallel: `messages:
  - "user: Both"
  - {assistant: Looking., call: "weather(city='Rome'), weather(city='Oslo'), other(a=[1, {b: null}])"}
  - "tool:weather#call_001: {temp: 21}"
  - "tool:weather#call_002!: the station is down"
  - "user: Go on"
  - "assistant: 21"
`,
  parts: JSON.stringify({
    version: '1.0',
    initial_state: {
      message_store: [
        {
          id: 'm1',
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image', media_type: 'image/png', data: pixel },
          ],
        },
        { id: 'm2', role: 'developer', content: 'Be short' },
      ],
    },
    execution: [
      {
        turn: 1,
        type: 'llm_call',
        messages_sent_to_llm: [{ ref: 'm1' }, { ref: 'm2' }],
        llm_response: { content: '', refusal: 'No' },
        message_created: { id: 'm3', role: 'assistant', content: '', refusal: 'No' },
      },
    ],
  }),
  hidden: "messages: ['user: a', 'assistant: b', {hide: msg_001}, 'user: c', 'assistant: d']",
}
