// An agent's request as JSON text.
import { restoreNumbers } from './exact-json.ts'
import type { Fields } from './fields.ts'
import { misuse } from './misuse.ts'
import type { RequestFormat } from '../types/generated/index.ts'
import type { SentMessages } from './sent-messages.ts'

/** Replaces half of a surrogate pair by U+FFFD, as UTF-8 does; JSON cannot represent it. */
const replaceLoneSurrogates = (_key: string, value: unknown) =>
  typeof value === 'string' && value.isWellFormed?.() === false ? value.toWellFormed() : value

/**
 * A value as well-formed JSON text; undefined if JSON has no text for it. `JSON.stringify` writes half of a surrogate pair as
 * `\ud...`; only a string that contains this is written again with a replacer.
 */
export const jsonText = (value: unknown) => {
  const text = JSON.stringify(value)
  return text === undefined ? text : restoreNumbers(text.includes('\\ud') ? JSON.stringify(value, replaceLoneSurrogates) : text)
}

/** Whether a value is no data; JSON would silently leave it out. */
const isNotData = (value: unknown) => typeof value === 'function' || typeof value === 'symbol'

/** Whether the content of a message, or of a part of it, is not data. */
const hasNonData = (content: unknown) =>
  isNotData(content) || (Array.isArray(content) && content.some((part) => isNotData(part) || isNotData(part?.text)))

/** A message as JSON text. A LangChain message may have its type only as a method, which JSON leaves out. */
export const messageText = (format: string | undefined, message: unknown) => {
  let data = message
  if (hasNonData((message as Fields)?.content)) throw misuse('the content of a message is not data')
  if (
    format === 'langchain' &&
    typeof message === 'object' &&
    message !== null &&
    typeof (message as NonNullable<Fields>).toJSON !== 'function'
  ) {
    const { getType, _getType } = message as { getType?: unknown; _getType?: unknown }
    const kind = [getType, _getType].find((method): method is () => unknown => typeof method === 'function')
    if (kind !== undefined) data = { ...message, type: kind.call(message) }
  }
  return jsonText(data) ?? 'null'
}

export const requestJson = (request: object) => jsonText(request)

/** The list of messages in a request of each format that has another name for it than `messages`; nothing is named `undefined`. */
export const MESSAGE_KEYS: { readonly [format: string]: string } = {
  'openai-responses': 'input',
  'openai-agents': 'input',
  gemini: 'contents',
} satisfies { [format in RequestFormat]?: string }

/** A request in the form of a framework, which its `format` names. */
export interface ModelRequest {
  readonly format?: string | undefined
  readonly [field: string]: unknown
}

/** A request without the messages that are known, as JSON text: how many of them those are, and the new ones. */
export interface RequestDelta {
  text: string
  keep: number
  added: readonly unknown[]
}

/** The list of messages of a request; undefined when it has none. */
export const messagesOf = (request: ModelRequest) => request?.[MESSAGE_KEYS[request?.format as string] ?? 'messages']

/**
 * A request as JSON text without the messages that `sent` has, the number of those messages, and the new messages. `extra`
 * adds fields to the request, or replaces them.
 */
export const requestDelta = (
  request: ModelRequest,
  sent: SentMessages,
  { isFull = false, extra = {} }: { isFull?: boolean; extra?: object } = {},
): RequestDelta => {
  const list = MESSAGE_KEYS[request?.format as string] ?? 'messages'
  const messages = messagesOf(request)
  if (!Array.isArray(messages)) {
    sent.forget()
    return { text: requestJson({ ...request, ...extra }), keep: 0, added: messages === undefined ? [] : [messages] }
  }
  const { keep, texts } = sent.update(request.format, messages, isFull)
  const head = jsonText({ ...request, [list]: undefined, ...extra, keep }).slice(0, -1)
  return { text: `${head},"${list}":[${texts.join(',')}]}`, keep, added: messages.slice(keep) }
}
