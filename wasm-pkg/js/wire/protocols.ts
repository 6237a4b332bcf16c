// The protocols of the vendors. The core reads and writes what they carry.
import type { WireProtocol } from '../types/generated/index.ts'
import type { StreamEvent } from '../api/write-exchange.ts'
import { FRAMES, converseFrame, invocationFrame } from './event-stream.ts'
import type { IssuedReferences, Item } from './issued-references.ts'
import * as responses from './response-references.ts'
import { lineText } from './sse.ts'
import * as threads from './thread-references.ts'

/** The body of a request in the form of a vendor. */
export interface RequestBody {
  readonly model?: unknown
  readonly stream?: unknown
  readonly [field: string]: unknown
}

/** The parts of a response that a later request may refer to. */
export interface IssuedResponse {
  readonly id: string | undefined
  /** The items of Responses. */
  readonly output: readonly Item[]
  /** The content of Messages. */
  readonly content: unknown
}

/** The end of the path, the name of the format, the key of the list of messages, and how requests refer to earlier ones. */
export interface Protocol {
  readonly path: string
  /** The path with its version as a pattern, if it has more than that: a `model`, and `stream` for a request of a stream. */
  readonly pattern?: string
  readonly format: WireProtocol
  readonly messagesKey: 'messages' | 'input' | 'contents'
  /** The format of its errors, if it is another. */
  readonly errorFormat?: WireProtocol
  /** The field that all requests have: one without it is of another API at the same address. */
  readonly requiredField?: string
  /** The fields of a request that leaves them out. */
  readonly defaults?: RequestBody
  /** The media type of a stream and what writes each of its events, if it is not one of server-sent events. */
  readonly stream?: { readonly type: string; write(event: StreamEvent): string | Uint8Array }
  /** The request with the history that it refers to. */
  resolveReferences(request: RequestBody, references: IssuedReferences): RequestBody
  /** Stores what a later request may refer to. */
  storeReferences(request: RequestBody, references: IssuedReferences, response: IssuedResponse): void
}

/** References of a protocol with the whole history in each request. */
const NO_REFERENCES = { resolveReferences: (request: RequestBody) => request, storeReferences: () => {} }

export const CHAT: Protocol = { path: 'chat/completions', format: 'openai-chat', messagesKey: 'messages', ...NO_REFERENCES }
export const RESPONSES: Protocol = { path: 'responses', format: 'openai-responses', messagesKey: 'input', ...responses }
export const ANTHROPIC: Protocol = { path: 'messages', format: 'anthropic', messagesKey: 'messages', ...threads }
export const GEMINI: Protocol = {
  path: 'models/{model}:generateContent',
  // Vertex AI has a project, a place and a publisher before the model.
  pattern:
    '(?:/v\\d\\w*)?(?:/projects/[^/]+/locations/[^/]+)?(?:/publishers/[^/]+)?/(?:models|tunedModels|endpoints)/(?<model>[^/:]+):(?:generate|(?<stream>streamGenerate))Content',
  format: 'gemini',
  messagesKey: 'contents',
  ...NO_REFERENCES,
}

export const BEDROCK: Protocol = {
  path: 'model/{model}/converse',
  pattern: '/model/(?<model>[^/]+)/converse(?<stream>-stream)?',
  format: 'bedrock-converse',
  messagesKey: 'messages',
  stream: { type: FRAMES, write: converseFrame },
  ...NO_REFERENCES,
}
/** Models of Anthropic, as Bedrock invokes them. */
export const BEDROCK_INVOKE: Protocol = {
  path: 'model/{model}/invoke',
  pattern: '/model/(?<model>[^/]+)/invoke(?<stream>-with-response-stream)?',
  format: 'anthropic',
  errorFormat: 'bedrock-converse',
  requiredField: 'anthropic_version',
  messagesKey: 'messages',
  stream: { type: FRAMES, write: invocationFrame },
  ...NO_REFERENCES,
}
/** The clients of Mistral have the path of OpenAI's, and cannot read all of what OpenAI sends. */
export const MISTRAL: Protocol = { ...CHAT, format: 'mistral' }
export const NDJSON = 'application/x-ndjson'
export const OLLAMA: Protocol = {
  path: 'api/chat',
  format: 'ollama',
  messagesKey: 'messages',
  defaults: { stream: true },
  stream: { type: NDJSON, write: lineText },
  ...NO_REFERENCES,
}
/** A single prompt instead of messages. A request without one only loads the model. */
export const OLLAMA_GENERATE: Protocol = { ...OLLAMA, path: 'api/generate', requiredField: 'prompt' }
export const COHERE: Protocol = { path: 'v2/chat', format: 'cohere', messagesKey: 'messages', ...NO_REFERENCES }

export const PROTOCOLS = [CHAT, RESPONSES, ANTHROPIC, GEMINI, BEDROCK, BEDROCK_INVOKE, OLLAMA, OLLAMA_GENERATE, COHERE]
