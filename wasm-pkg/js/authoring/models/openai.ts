// Any endpoint with the chat completions of OpenAI.
import type { Fields } from '../../api/fields.ts'
import type { ReplyFinish } from '../../types/index.ts'
import { type EndpointReader, requestModel } from './http.ts'
import { type EndpointModel, replyFinish } from './request.ts'

const HOME = 'https://api.openai.com/v1'

/** A message, or a piece of one. */
interface Message {
  content?: unknown
  refusal?: string | null
}

/** An answer, or a piece of one. */
interface Completion {
  choices?: { message?: Message; delta?: Message; finish_reason?: string | null }[]
  usage?: unknown
}

const textOf = (content: unknown) => {
  if (Array.isArray(content)) return content.map((part: Fields) => part?.text ?? '').join('')
  return typeof content === 'string' ? content : ''
}

/** A refusal is a string in a field of its own. */
const readMessage = (message: Message | undefined, finish: string | null | undefined): { text: string; finish: ReplyFinish } => {
  const text = textOf(message?.content)
  return text === '' && message?.refusal ? { text: message.refusal, finish: 'refusal' } : { text, finish: replyFinish(finish) }
}

const reader: EndpointReader<Completion> = {
  part: 'choices',
  is: ({ choices }) => Array.isArray(choices) && choices.length > 0,
  whole: ({ choices, usage }) => ({ ...readMessage(choices?.[0]?.message, choices?.[0]?.finish_reason), usage }),
  event: ({ choices, usage }, answer) => {
    const [choice] = choices ?? []
    answer.text += textOf(choice?.delta?.content)
    if (choice?.delta?.refusal) Object.assign(answer, { text: answer.text + choice.delta.refusal, isRefusal: true })
    if (choice?.finish_reason) answer.finish = answer.isRefusal ? 'refusal' : replyFinish(choice.finish_reason)
    answer.usage = usage ?? answer.usage
  },
}

/** Newer models of OpenAI have another name for the limit, which others do not know. */
const adjustBody = ({ max_tokens: most, ...body }: { readonly [entry: string]: unknown }, errorText: string) =>
  most !== undefined && errorText.includes('max_completion_tokens') ? { ...body, max_completion_tokens: most } : undefined

export const openai: EndpointModel =
  ({ baseURL = HOME, apiKey, model, headers, body, fetch }) =>
  ({ messages, schema, maxTokens, temperature, stream, ...how }) =>
    requestModel(
      {
        ...how,
        url: `${baseURL.replace(/\/+$/, '')}/chat/completions`,
        headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
        apiKey,
        fetch,
        adjustBody,
        body: {
          model,
          messages,
          ...(stream && { stream: true, stream_options: { include_usage: true } }),
          ...(maxTokens !== undefined && { max_tokens: maxTokens }),
          ...(temperature !== undefined && { temperature }),
          ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'transcript', schema } } }),
          ...body,
        },
      },
      reader,
    )
