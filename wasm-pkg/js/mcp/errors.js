// Errors of the protocol in words. They are not those of the SDK: servers use these for tools that failed, too.

const CODED = /^JSON-RPC error (-?\d+): ([^]*)$/

/** The codes of JSON-RPC that a server answers with. */
export const CODES = { invalidRequest: -32600, noMethod: -32601, invalidParams: -32602 }

/** An error of a server as a failed tool says it. */
export const coded = ({ code, message }) => `JSON-RPC error ${code}: ${message}`

/** The error of a server that a failed tool tells of; undefined where the tool itself failed. */
export const codeOf = (words) => {
  const found = CODED.exec(words)
  return found === null ? undefined : { code: Number(found[1]), message: found[2] }
}
