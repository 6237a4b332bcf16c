// The deltas of a streamed answer: as recorded, or the text split after white space, always in the same way.
import type { Fields } from '../api/fields.ts'

/** Splits a string into deltas. */
export const splitIntoDeltas = (text: string): string[] => text.match(/\s*\S+\s*|\s+/g) ?? []

const textOf = (chunk: Fields, kind: Kind) => (typeof chunk?.[kind] === 'string' ? chunk[kind] : '')

type Kind = 'text' | 'reasoning'

/** The deltas of the text, or of the reasoning, of an answer. Recorded chunks that do not add up to it are ignored. */
export const textDeltas = ({ chunks }: { chunks?: unknown }, kind: Kind, whole: string) => {
  const recorded = Array.isArray(chunks) ? chunks.map((chunk) => textOf(chunk, kind)).filter((text) => text !== '') : []
  return recorded.join('') === whole ? recorded : splitIntoDeltas(whole)
}
