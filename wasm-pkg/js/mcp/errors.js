// Errors of the protocol in words. They are not those of the SDK: servers use these for tools that failed, too.

const SERVER_ERROR = /^JSON-RPC error (-?\d+): ([^]*)$/

/** The codes of JSON-RPC that a server answers with. */
export const ERROR_CODES = { invalidRequest: -32600, noMethod: -32601, invalidParams: -32602 }

/** An error of a server as a failed tool says it. */
export const formatServerError = ({ code, message }) => `JSON-RPC error ${code}: ${message}`

/** What stands before the words of a tool that are like those of a server, or already have this before them. */
const TOOL_PREFIX = 'tool error: '

const LOOKS_LIKE_SERVER_ERROR = /^(?:tool error: )*JSON-RPC error -?\d+: /

/** The words of a failed tool, told from those of a server. */
export const escapeToolError = (text) => (LOOKS_LIKE_SERVER_ERROR.test(text) ? TOOL_PREFIX + text : text)

/** The same as the tool said them. */
export const unescapeToolError = (text) => (text.startsWith(TOOL_PREFIX) && LOOKS_LIKE_SERVER_ERROR.test(text) ? text.slice(TOOL_PREFIX.length) : text)

/** The error of a server that a failed tool tells of; undefined where the tool itself failed. */
export const parseServerError = (text) => {
  const found = SERVER_ERROR.exec(text)
  return found === null ? undefined : { code: Number(found[1]), message: found[2] }
}
