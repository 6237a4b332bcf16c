// Which protocol an address speaks, and what stands before its own part.
import * as anthropic from './anthropic.js'
import * as openaiChat from './openai-chat.js'
import * as openaiResponses from './openai-responses.js'

const ENDPOINTS = [
  ['chat/completions', openaiChat],
  ['responses', openaiResponses],
  ['messages', anthropic],
]

export const PATHS = ENDPOINTS.map(([path]) => `POST …/${path}`).join(', ')

/** `{protocol, prefix}` of a path; without a protocol when it is no way to ask a model. */
export const routeOf = (path) => {
  const trimmed = path.replace(/\/+$/, '')
  for (const [end, protocol] of ENDPOINTS) {
    const found = new RegExp(`^(.*?)(?:/v1)?/${end}$`).exec(trimmed)
    if (found !== null) return { protocol, prefix: found[1].replace(/^\/+/, '') }
  }
  return { protocol: undefined, prefix: '' }
}

/** The protocol whose clients know an address that none answers, for the form of the error. */
export const errorProtocol = (path, headers) =>
  /\/messages(\/|$)/.test(path) || headers.get('anthropic-version') !== null ? anthropic : openaiChat
