// Any endpoint with the chat completions of OpenAI.
import { requestModel } from './http.ts'
import type { EndpointModel } from './request.ts'

const HOME = 'https://api.openai.com/v1'

/** Newer models of OpenAI have another name for the limit, which others do not know. */
const adjustBody = ({ max_tokens: most, ...body }: { readonly [entry: string]: unknown }, errorText: string) =>
  most !== undefined && errorText.includes('max_completion_tokens') ? { ...body, max_completion_tokens: most } : undefined

export const openai: EndpointModel =
  ({ baseURL = HOME, apiKey, model, headers, body, fetch }, readExchange) =>
  ({ messages, schema, maxTokens, temperature, stream, ...how }) =>
    requestModel({
      ...how,
      protocol: 'openai-chat',
      readExchange,
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
    })
