// Errors of the protocol as texts. They differ from those of the SDK, which servers also use for failed tools.

const SERVER_ERROR = /^JSON-RPC error (-?\d+): ([^]*)$/

/** The codes of JSON-RPC that a server answers with. */
export const ERROR_CODES = { invalidRequest: -32600, noMethod: -32601, invalidParams: -32602 }

/** An error of a server. */
export interface ServerError {
  code: number
  message: string
  data?: unknown
}

/** An error of a server as the text of a failed tool. */
export const formatServerError = ({ code, message }: ServerError) => `JSON-RPC error ${code}: ${message}`

/** The prefix for texts of a tool that look like an error of a server, or have this prefix already. */
const TOOL_PREFIX = 'tool error: '

const LOOKS_LIKE_SERVER_ERROR = /^(?:tool error: )*JSON-RPC error -?\d+: /

/** The text of a failed tool, distinguishable from an error of a server. */
export const escapeToolError = (text: string) => (LOOKS_LIKE_SERVER_ERROR.test(text) ? TOOL_PREFIX + text : text)

/** The original text of the tool. */
export const unescapeToolError = (text: string) =>
  text.startsWith(TOOL_PREFIX) && LOOKS_LIKE_SERVER_ERROR.test(text) ? text.slice(TOOL_PREFIX.length) : text

/** The error of a server in the text of a failed tool; undefined if the tool itself failed. */
export const parseServerError = (text: string): ServerError | undefined => {
  const found = SERVER_ERROR.exec(text)
  return found === null ? undefined : { code: Number(found[1]), message: found[2]! }
}
