// The messages of Anthropic.
import { requestModel } from './http.ts'
import type { EndpointModel } from './request.ts'

const HOME = 'https://api.anthropic.com'
/** The endpoint requires a limit. */
const MOST = 8192

export const anthropic: EndpointModel =
  ({ baseURL = HOME, apiKey, model, headers, body, fetch }, readExchange) =>
  ({ messages, maxTokens = MOST, temperature, stream, schema: _, ...how }) => {
    const [system, ...rest] = messages
    return requestModel({
      ...how,
      protocol: 'anthropic',
      readExchange,
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
    })
  }
