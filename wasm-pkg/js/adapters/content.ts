// Contents of messages, whatever names the vendor has for their parts.
import { parseExact } from '../api/exact-json.ts'
import type { Json } from '../types/index.ts'

const isText = ({ type }: { type?: unknown }) => type === 'text' || type === 'input_text' || type === 'output_text'

/** The text of content with only text parts; other content is unchanged. */
export const joinText = (content: unknown): unknown => {
  if (!Array.isArray(content)) return content ?? ''
  return content.every(isText) ? content.map(({ text }) => text).join('') : content
}

/** A string as data where it is JSON, else `otherwise`; what is not a string is data already. */
export const parseJson = <Data>(text: Data, otherwise: Data = text): Data | Json => {
  if (typeof text !== 'string') return text
  try {
    return parseExact(text)
  } catch {
    return otherwise
  }
}
