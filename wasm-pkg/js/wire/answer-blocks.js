// How an answer is cut into the pieces of a stream.
import { pieces } from '../adapters/deltas.js'

/** Arguments as the text that a model writes. */
export const argumentText = (given) => (typeof given === 'string' ? given : JSON.stringify(given ?? {}))

const isSame = (text, given) => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(given)
  } catch {
    return text === argumentText(given)
  }
}

const cut = (text, at) => pieces(text).map((piece) => ({ text: piece, at }))

/** The recorded pieces by the block that each is of: a kind, or the number of a call. */
const recorded = (chunks) => {
  const blocks = new Map()
  const add = (key, text, at) => {
    if (!blocks.has(key)) blocks.set(key, [])
    if (typeof text === 'string' && text !== '') blocks.get(key).push({ text, at })
  }
  let last = 0
  for (const chunk of chunks) {
    if (typeof chunk !== 'object' || chunk === null) continue
    const { text, reasoning, refusal, tool_call_delta: call, at_ms: given } = chunk
    const at = typeof given === 'number' ? given : undefined
    if (typeof reasoning === 'string') add('reasoning', reasoning, at)
    if (typeof text === 'string') add('text', text, at)
    if (typeof refusal === 'string') add('refusal', refusal, at)
    if (typeof call === 'object' && call !== null) {
      last = typeof call.index === 'number' ? call.index : last
      add(last, call.function?.arguments ?? call.arguments ?? '', at)
    }
  }
  return blocks
}

/**
 * The parts of an answer in order: `reasoning`, `text`, `refusal` and `call`, each with its whole text and its
 * `deltas`, the pieces as they were recorded. Pieces that do not add up to what was answered are not used: the part is
 * then cut as one that was recorded without pieces.
 */
export const blocksOf = ({ reasoning, content, refusal, tool_calls: calls, chunks }) => {
  const given = recorded(chunks ?? [])
  const found = []
  const put = (key, block, isWhole) => {
    const deltas = given.get(key)
    const text = deltas?.map((delta) => delta.text).join('') ?? ''
    if (deltas !== undefined && isWhole(text)) found.push({ key, ...block, text, deltas })
    else found.push({ key, ...block, deltas: cut(block.text) })
  }
  for (const [kind, text] of Object.entries({ reasoning, text: content, refusal })) {
    if (text) put(kind, { kind, text }, (whole) => whole === text)
  }
  calls.forEach((call, at) => {
    put(at, { kind: 'call', call, text: argumentText(call.arguments) }, (whole) => isSame(whole, call.arguments))
  })
  // The order in which the recording first has each; what it has no pieces of stands where it stands otherwise.
  const order = [...given.keys()]
  if (found.every(({ key }) => given.has(key))) found.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  return found
}
