// Errors of the protocol in words. They are not those of the SDK: servers use these for tools that failed, too.

const CODED = /^JSON-RPC error (-?\d+): ([^]*)$/

/** The codes of JSON-RPC that a server answers with. */
export const CODES = { invalidRequest: -32600, noMethod: -32601, invalidParams: -32602 }

/** An error of a server as a failed tool says it. */
export const coded = ({ code, message }) => `JSON-RPC error ${code}: ${message}`

/** What stands before the words of a tool that are like those of a server, or already have this before them. */
const OF_TOOL = 'tool error: '

const ALIKE = /^(?:tool error: )*JSON-RPC error -?\d+: /

/** The words of a failed tool, told from those of a server. */
export const ofTool = (words) => (ALIKE.test(words) ? OF_TOOL + words : words)

/** The same as the tool said them. */
export const saidBy = (words) => (words.startsWith(OF_TOOL) && ALIKE.test(words) ? words.slice(OF_TOOL.length) : words)

/** The error of a server that a failed tool tells of; undefined where the tool itself failed. */
export const codeOf = (words) => {
  const found = CODED.exec(words)
  return found === null ? undefined : { code: Number(found[1]), message: found[2] }
}
