// What had come of an answer before its stream broke off: a failure keeps it as its `chunks`.

const KINDS = ['text', 'reasoning', 'refusal']

/** The kind of a piece that says nothing else, such as `text`. */
const kindOf = (piece) => KINDS.find((kind) => typeof piece[kind] === 'string' && Object.keys(piece).length === 1)

/** Adds a piece to those that came before; what one kind says in a row is one piece. */
export const heard = (pieces, piece) => {
  const kind = kindOf(piece)
  const last = pieces.at(-1)
  if (kind !== undefined && last !== undefined && kindOf(last) === kind) pieces[pieces.length - 1] = { [kind]: last[kind] + piece[kind] }
  else pieces.push(piece)
  return pieces
}

/** A failure with what came before it. */
export const withHeard = (error, pieces) => {
  if (pieces === undefined || pieces.length === 0) return error
  return { ...(typeof error === 'string' ? { type: 'api_error', message: error } : error), chunks: pieces }
}

/** What came before a recorded failure; undefined where nothing did, or the error is no such failure. */
export const heardOf = (error) => {
  const chunks = error?.name === 'RecordedModelError' ? error.error?.chunks : undefined
  if (!Array.isArray(chunks)) return undefined
  const pieces = chunks.filter((chunk) => typeof chunk === 'object' && chunk !== null)
  return pieces.length > 0 ? pieces : undefined
}

/** The texts of one kind among pieces. */
export const textsOf = (pieces, kind) => pieces.map((piece) => piece[kind]).filter((text) => typeof text === 'string' && text !== '')

/** What pieces say together; the arguments of calls are texts. */
export const saidOf = (pieces) => {
  const [content, reasoning, refusal] = KINDS.map((kind) => textsOf(pieces, kind).join(''))
  const calls = new Map()
  for (const { tool_call_delta: delta } of pieces) {
    if (typeof delta !== 'object' || delta === null) continue
    const { index = 0, id, name, arguments: more } = delta
    if (!calls.has(index)) calls.set(index, { id, name: '', arguments: '' })
    const call = calls.get(index)
    call.id ??= id
    // Some say the name again with every piece.
    if (name && name !== call.name) call.name += name
    call.arguments += more ?? ''
  }
  const inOrder = [...calls].sort(([a], [b]) => a - b)
  return { content, reasoning, refusal, tool_calls: inOrder.map(([, call]) => call) }
}
