// Converts results of MCP tools to the form of recordings and back. Simple results are recorded simply: text as a string, data
// as data. A result that would not be restored exactly is recorded as MCP has it, with its bytes as `$binary`.

import type { Fields } from '../api/fields.ts'
import type { McpTool } from '../types/mcp.ts'

type Data = { readonly [key: string]: unknown }

/** A part of the content of an answer. */
type Part = Data & { readonly type: string }

/** The answer of a tool. */
export interface ToolAnswer {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
  readonly resultType?: unknown
  readonly toolResult?: unknown
  readonly [field: string]: unknown
}

const isMap = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

const isPart = (part: unknown): part is Part => isMap(part) && typeof part.type === 'string'

/** Whether a recorded result is written as MCP has it. */
const isMcpResult = (result: unknown): result is Data & { readonly content: Part[] } =>
  isMap(result) && Array.isArray(result.content) && result.content.every(isPart)

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const isBytes = (data: unknown, media: unknown): boolean =>
  typeof data === 'string' && typeof media === 'string' && media.includes('/') && data.length % 4 !== 1 && BASE64.test(data)

/** A part of an answer in the form of recordings. */
const packPart = (part: Part) => {
  const { data, mimeType, ...rest } = part
  if ((part.type === 'image' || part.type === 'audio') && isBytes(data, mimeType)) {
    return { ...rest, $binary: { media_type: mimeType, base64: data } }
  }
  if (part.type !== 'resource' || !isBytes((part.resource as Fields)?.blob, (part.resource as Data).mimeType)) return part
  const { blob, mimeType: media, ...resource } = part.resource as Data
  return { ...part, resource: { ...resource, $binary: { media_type: media, base64: blob } } }
}

/** The same as MCP has it. */
const unpackPart = (part: Part) => {
  const { $binary: bytes, ...rest } = part
  if (isMap(bytes)) return { ...rest, data: bytes.base64, mimeType: bytes.media_type }
  const { $binary: blob, ...resource } = (part.resource ?? {}) as Data
  return isMap(blob) ? { ...part, resource: { ...resource, mimeType: blob.media_type, blob: blob.base64 } } : part
}

/** Whether two values are the same JSON, whatever the order of keys. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keysOf = (value: object) => Object.keys(value).filter((key) => (value as Data)[key] !== undefined)
  const keys = keysOf(one)
  return (
    keys.length === keysOf(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame((one as Data)[key], (other as Data)[key]))
  )
}

const textPart = (text: string) => ({ type: 'text', text })

/** Data of a string; undefined where it is none. */
const parseObject = (text: string) => {
  try {
    const data: unknown = JSON.parse(text)
    return isMap(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** The parts of results that were recorded elsewhere: of a model's messages, or bytes alone. */
const TYPES = ['text', 'image', 'audio', 'resource', 'resource_link']

/** Bytes in a recording. */
interface Binary {
  media_type?: string
  base64: string
}

const bytesPart = ({ media_type: media = 'application/octet-stream', base64 }: Binary) => {
  const [top] = media.split('/')
  if (top === 'image' || top === 'audio') return { type: top, data: base64, mimeType: media }
  return { type: 'resource', resource: { uri: 'recorded:result', mimeType: media, blob: base64 } }
}

/** A recorded result as the answer of a tool; `tool` is its definition, if there is one. */
export const answerFromResult = (result: unknown, tool?: McpTool): ToolAnswer => {
  if (isMcpResult(result)) return { ...result, content: result.content.map(unpackPart) }
  if (result === null || result === undefined) return { content: [] }
  if (typeof result === 'string') {
    // A client rejects an answer without data where the tool declares data.
    const data = tool?.outputSchema === undefined ? undefined : parseObject(result)
    return { content: [textPart(result)], ...(data === undefined ? {} : { structuredContent: data }) }
  }
  if (Array.isArray(result) && result.length > 0 && result.every((part) => isPart(part) && TYPES.includes(part.type))) {
    return { content: result.map(unpackPart) }
  }
  if (isMap((result as Data).$binary) && typeof ((result as Data).$binary as Data).base64 === 'string')
    return { content: [bytesPart((result as { $binary: Binary }).$binary)] }
  const content = [textPart(JSON.stringify(result))]
  return isMap(result) ? { content, structuredContent: result } : { content }
}

/** The answer of a tool as it is recorded; `answerFromResult` gives it back as it was. */
export const resultFromAnswer = (answer: ToolAnswer): unknown => {
  const { isError, resultType, ...rest } = answer
  const recorded = isError === true ? answer : rest
  const { content, structuredContent: data } = recorded
  // Revisions before the first release of the SDKs had one value.
  if (!Array.isArray(content)) return recorded.toolResult ?? data ?? null
  const simple = [data, content.length === 1 ? content[0]?.text : undefined].find((value) => value !== undefined)
  if (simple !== undefined && isError !== true && isSame(answerFromResult(simple), recorded)) return simple
  return { ...recorded, content: content.map((part) => (isPart(part) ? packPart(part) : part)) }
}

/** The text of a failed tool. */
export const errorTextOf = ({ content }: ToolAnswer) => {
  const texts = (Array.isArray(content) ? content : []).filter(({ type, text }) => type === 'text' && typeof text === 'string')
  return texts.map(({ text }) => text).join('\n')
}

/** Whether a failed tool returned only text, in a single part. */
export const isPlainText = ({ content, structuredContent: data }: ToolAnswer) =>
  data === undefined && Array.isArray(content) && content.length <= 1 && content.every(({ type }) => type === 'text')
