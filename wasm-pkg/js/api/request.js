// An agent's request as JSON text.

/** What JSON cannot say: a half of a surrogate pair becomes U+FFFD, as in UTF-8. */
const replaceLoneSurrogates = (_key, value) => (typeof value === 'string' && value.isWellFormed?.() === false ? value.toWellFormed() : value)

/**
 * A value as JSON text in which nothing is left that JSON cannot say; undefined where JSON has no words for it. A half of a
 * surrogate pair is written as `\ud...`, and only a text with such words in it is made again, with a function for each value.
 */
export const jsonText = (value) => {
  const text = JSON.stringify(value)
  return text?.includes('\\ud') ? JSON.stringify(value, replaceLoneSurrogates) : text
}

/** Whether something is no data, which JSON would leave out without a word. */
const isNotData = (value) => typeof value === 'function' || typeof value === 'symbol'

/** Whether the words of a message, or those of a part of it, are none. */
const hasNonData = (content) => isNotData(content) || (Array.isArray(content) && content.some((part) => isNotData(part) || isNotData(part?.text)))

/** A message as JSON text. One of LangChain may tell its kind by a method alone, which JSON leaves out. */
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
 * A request as JSON text that leaves out what `sent` knows, how many messages that are, and those that are new. `told` are
 * values that it has besides its own, or in their place.
 */
export const requestDelta = (request, sent, { isLast = false, extra = {} } = {}) => {
  const list = MESSAGE_KEYS[request?.format] ?? 'messages'
  const messages = messagesOf(request)
  if (!Array.isArray(messages)) {
    sent.forget()
    return { text: requestJson({ ...request, ...extra }), keep: 0, added: messages === undefined ? [] : [messages] }
  }
  const { keep, texts } = sent.update(request.format, messages, isLast)
  const head = jsonText({ ...request, [list]: undefined, ...extra, keep }).slice(0, -1)
  return { text: `${head},"${list}":[${texts.join(',')}]}`, keep, added: messages.slice(keep) }
}
