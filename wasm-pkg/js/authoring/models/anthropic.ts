// The messages of Anthropic.
import { type EndpointReader, requestModel } from './http.ts'
import { type EndpointModel, replyFinish } from './request.ts'

const HOME = 'https://api.anthropic.com'
/** The endpoint requires a limit. */
const MOST = 8192

interface Block {
  type: string
  text?: string
}

/** An answer. */
interface Answer {
  content?: Block[]
  stop_reason?: string | null
  usage?: object
}

/** An event of a streamed answer. */
interface AnswerEvent {
  type?: string
  message?: { usage?: object }
  delta?: { type?: string; text?: string; stop_reason?: string | null }
  usage?: object
}

const textOf = (content: Block[] | undefined) =>
  (content ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')

const reader: EndpointReader<Answer & AnswerEvent> = {
  part: 'content',
  is: ({ content }) => Array.isArray(content),
  whole: ({ content, stop_reason: reason, usage }) => ({ text: textOf(content), finish: replyFinish(reason), usage }),
  event: ({ type, message, delta, usage }, answer) => {
    if (type === 'message_start') answer.usage = message?.usage
    if (type === 'content_block_delta' && delta?.type === 'text_delta') answer.text += delta.text
    if (type === 'message_delta') {
      answer.finish = replyFinish(delta?.stop_reason)
      answer.usage = { ...(answer.usage as object | undefined), ...usage }
    }
  },
}

export const anthropic: EndpointModel =
  ({ baseURL = HOME, apiKey, model, headers, body, fetch }) =>
  ({ messages, maxTokens = MOST, temperature, stream, schema: _, ...how }) => {
    const [system, ...rest] = messages
    return requestModel(
      {
        ...how,
        url: `${baseURL.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/messages`,
        headers: { ...(apiKey && { 'x-api-key': apiKey }), 'anthropic-version': '2023-06-01', ...headers },
        apiKey,
        fetch,
        body: {
          model,
          max_tokens: maxTokens,
          system: system!.content,
          messages: rest,
          ...(temperature !== undefined && { temperature }),
          ...(stream && { stream: true }),
          ...body,
        },
      },
      reader,
    )
  }
