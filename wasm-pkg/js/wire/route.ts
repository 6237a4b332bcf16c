// The protocol of an address, and the prefix before its own part.
import { ANTHROPIC, BEDROCK, CHAT, COHERE, GEMINI, MISTRAL, OLLAMA, PROTOCOLS, type Protocol, type RequestBody } from './protocols.ts'

export const PATHS = PROTOCOLS.map(({ path }) => `POST …/${path}`).join(', ')

/** What a path says of a request. */
export interface Route {
  /** Undefined when it is no path of a model. */
  protocol: Protocol | undefined
  prefix: string
  /** The fields of the request that the path has instead of the body. */
  fields: RequestBody
}

const fieldsOf = ({ model, stream }: { model?: string; stream?: string } = {}): RequestBody =>
  // No id of a model has another character that clients escape.
  model === undefined ? {} : { model: model.replace(/%3a/gi, ':').replace(/%2f/gi, '/'), stream: stream !== undefined }

/** Whether a client of Mistral sends a request. */
const isMistral = (headers: Headers) => /mistral/i.test(headers.get('user-agent') ?? '')

export const routeOf = (path: string, headers: Headers): Route => {
  const trimmed = path.replace(/\/+$/, '')
  for (const one of PROTOCOLS) {
    const found = new RegExp(`^(.*?)${one.pattern ?? `(?:/v1)?/${one.path}`}$`).exec(trimmed)
    if (found === null) continue
    const protocol = one === CHAT && isMistral(headers) ? MISTRAL : one
    return { protocol, prefix: found[1]!.replace(/^\/+/, ''), fields: fieldsOf(found.groups) }
  }
  return { protocol: undefined, prefix: '', fields: {} }
}

/** The protocol for the form of the error at an address that no protocol has. */
export const errorProtocol = (path: string, headers: Headers) => {
  if (/\/model\/[^/]+\/[\w-]+$/.test(path) || headers.get('amz-sdk-invocation-id') !== null) return BEDROCK
  if (/\/messages(\/|$)/.test(path) || headers.get('anthropic-version') !== null) return ANTHROPIC
  if (/\/[^/:]+:\w+$/.test(path) || headers.get('x-goog-api-key') !== null) return GEMINI
  if (isMistral(headers)) return MISTRAL
  if (/\/api\/\w+$/.test(path)) return OLLAMA
  return /\/v2\/(chat|embed|rerank)$/.test(path) ? COHERE : CHAT
}
