// Splits an answer into the blocks and deltas of a stream.
import { splitIntoDeltas } from '../adapters/deltas.js'

/** Arguments as the text that a model writes. */
export const argumentText = (args) => (typeof args === 'string' ? args : JSON.stringify(args ?? {}))

const isSameData = (text, data) => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data)
  } catch {
    return text === argumentText(data)
  }
}

const splitText = (text, at) => splitIntoDeltas(text).map((piece) => ({ text: piece, at }))

/** The recorded deltas by block: a kind, or the number of a call. */
const recordedDeltas = (chunks) => {
  const blocks = new Map()
  const add = (key, text, at) => {
    if (!blocks.has(key)) blocks.set(key, [])
    if (typeof text === 'string' && text !== '') blocks.get(key).push({ text, at })
  }
  let last = 0
  for (const chunk of chunks) {
    if (typeof chunk !== 'object' || chunk === null) continue
    const { text, reasoning, refusal, tool_call_delta: call, at_ms: atMs } = chunk
    const at = typeof atMs === 'number' ? atMs : undefined
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
 * The blocks of an answer in order: `reasoning`, `text`, `refusal` and `call`, each with its whole text and its `deltas` as
 * they were recorded. Recorded deltas that do not add up to the answer are ignored: the block is then split as one that was
 * recorded without deltas.
 */
export const answerBlocks = ({ reasoning, content, refusal, tool_calls: calls, chunks }) => {
  const recorded = recordedDeltas(chunks ?? [])
  const found = []
  const addBlock = (key, block, isWhole) => {
    const deltas = recorded.get(key)
    const text = deltas?.map((delta) => delta.text).join('') ?? ''
    if (deltas !== undefined && isWhole(text)) found.push({ key, ...block, text, deltas })
    else found.push({ key, ...block, deltas: splitText(block.text) })
  }
  for (const [kind, text] of Object.entries({ reasoning, text: content, refusal })) {
    if (text) addBlock(kind, { kind, text }, (whole) => whole === text)
  }
  calls.forEach((call, at) => {
    addBlock(at, { kind: 'call', call, text: argumentText(call.arguments) }, (whole) => isSameData(whole, call.arguments))
  })
  // The order in which the recording first has each; what it has no pieces of stands where it stands otherwise.
  const order = [...recorded.keys()]
  if (found.every(({ key }) => recorded.has(key))) found.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  return found
}
