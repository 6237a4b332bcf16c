// The pieces of a streamed answer: as they were recorded, else the texts cut behind their blanks, always alike.

/** A text in pieces. */
export const splitIntoDeltas = (text) => text.match(/\s*\S+\s*|\s+/g) ?? []

const textOf = (chunk, kind) => (typeof chunk?.[kind] === 'string' ? chunk[kind] : '')

/** The pieces of the text, or the reasoning, of an answer. Chunks that do not add up to it are not its pieces. */
export const textDeltas = ({ chunks }, kind, whole) => {
  const recorded = Array.isArray(chunks) ? chunks.map((chunk) => textOf(chunk, kind)).filter((text) => text !== '') : []
  return recorded.join('') === whole ? recorded : splitIntoDeltas(whole)
}
