// An agent's request as JSON text.

/** Replaces half of a surrogate pair by U+FFFD, as UTF-8 does; JSON cannot represent it. */
const replaceLoneSurrogates = (_key, value) =>
  typeof value === 'string' && value.isWellFormed?.() === false ? value.toWellFormed() : value

/**
 * A value as well-formed JSON text; undefined if JSON has no text for it. `JSON.stringify` writes half of a surrogate pair as
 * `\ud...`; only a text that contains this is written again with a replacer.
 */
export const jsonText = (value) => {
  const text = JSON.stringify(value)
  return text?.includes('\\ud') ? JSON.stringify(value, replaceLoneSurrogates) : text
}

/** Whether a value is no data; JSON would silently leave it out. */
const isNotData = (value) => typeof value === 'function' || typeof value === 'symbol'

/** Whether the content of a message, or of a part of it, is no data. */
const hasNonData = (content) =>
  isNotData(content) || (Array.isArray(content) && content.some((part) => isNotData(part) || isNotData(part?.text)))

/** A message as JSON text. A LangChain message may have its type only as a method, which JSON leaves out. */
export const messageText = (format, message) => {
  let data = message
  if (hasNonData(message?.content)) throw new TypeError('the content of a message is no data')
  if (format === 'langchain' && typeof message === 'object' && message !== null && typeof message.toJSON !== 'function') {
    const { getType, _getType } = message
    const kind = [getType, _getType].find((method) => typeof method === 'function')
    if (kind !== undefined) data = { ...message, type: kind.call(message) }
  }
  return jsonText(data) ?? 'null'
}

export const requestJson = (request) => jsonText(request)

/** The list of messages in a request of each format that has another name for it than `messages`. */
export const MESSAGE_KEYS = { 'openai-responses': 'input', 'openai-agents': 'input' }

/** The list of messages of a request; undefined when it has none. */
export const messagesOf = (request) => request?.[MESSAGE_KEYS[request?.format] ?? 'messages']

/**
 * A request as JSON text without the messages that `sent` has, the number of those messages, and the new messages. `extra`
 * adds fields to the request, or replaces them.
 */
export const requestDelta = (request, sent, { isFull = false, extra = {} } = {}) => {
  const list = MESSAGE_KEYS[request?.format] ?? 'messages'
  const messages = messagesOf(request)
  if (!Array.isArray(messages)) {
    sent.forget()
    return { text: requestJson({ ...request, ...extra }), keep: 0, added: messages === undefined ? [] : [messages] }
  }
  const { keep, texts } = sent.update(request.format, messages, isFull)
  const head = jsonText({ ...request, [list]: undefined, ...extra, keep }).slice(0, -1)
  return { text: `${head},"${list}":[${texts.join(',')}]}`, keep, added: messages.slice(keep) }
}
