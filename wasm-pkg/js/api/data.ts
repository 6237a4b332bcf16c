// Values from the caller's functions, converted to data that JSON can represent.
import { markNumber, restoreNumbers } from './exact-json.ts'
import { misuse } from './misuse.ts'
import { jsonText } from './request.ts'

/** As deep as documents may be. */
const DEEPEST = 400

const base64 = (bytes: Uint8Array) => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x2000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000))
  return btoa(binary)
}

const bytesOf = (value: object) => {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined
}

/** What kind of primitive value JSON cannot represent; undefined if it can. */
const describeNonJson = (value: unknown) => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  return ({ bigint: 'a BigInt', function: 'a function', symbol: 'a symbol' } as { [type: string]: string })[typeof value]
}

const describeNonJsonObject = (value: object) => {
  if (value instanceof Map) return 'a Map'
  if (value instanceof Set) return 'a Set'
  if (value instanceof WeakMap || value instanceof WeakSet) return 'a weak collection'
  return typeof (value as { then?: unknown }).then === 'function' ? 'a promise, which has to be awaited first' : undefined
}

const childPath = (path: string, key: string | number) => {
  if (typeof key === 'number') return `${path}[${key}]`
  const part = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key)
  return path === '' ? part : `${path}.${part}`
}

/** An object with its own JSON form. */
type Serializable = { toJSON(): unknown }

/** Gets the kind of a value that JSON cannot represent, and its path; returns the replacement. */
type OnNonJson = (kind: string, path: string) => unknown

/**
 * Copies `value` into data that JSON can represent: bytes become `{$binary}`, dates become texts, undefined values are left
 * out. For everything else, and for a BigInt unless `keepsBigInts`, calls `onNonJson` with the kind and the path, and uses
 * what it returns.
 */
const copyAsData = (value: unknown, onNonJson: OnNonJson, keepsBigInts = false) => {
  const above = new Set<object>()
  const copy = (value: unknown, path: string): unknown => {
    if (keepsBigInts && typeof value === 'bigint') return value
    const kind = describeNonJson(value)
    if (kind !== undefined) return onNonJson(kind, path)
    if (typeof value !== 'object' || value === null) return value
    const bytes = bytesOf(value)
    if (bytes !== undefined) return { $binary: { media_type: 'application/octet-stream', base64: base64(bytes) } }
    if (above.has(value)) return onNonJson('an object that holds itself', path)
    if (above.size >= DEEPEST) return onNonJson(`something more than ${DEEPEST} levels deep`, path)
    const objectKind = describeNonJsonObject(value)
    if (objectKind !== undefined) return onNonJson(objectKind, path)
    above.add(value)
    try {
      if (value instanceof Date && Number.isNaN(value.getTime())) return onNonJson('a date that is none', path)
      if (typeof (value as Serializable).toJSON === 'function') return copy((value as Serializable).toJSON(), path)
      if (value instanceof Error) return copy({ name: value.name, message: value.message, ...(value as object) }, path)
      if (Array.isArray(value)) return value.map((item, at) => copy(item ?? null, childPath(path, at)))
      const entries = Object.entries(value).filter(([, item]) => item !== undefined)
      return Object.fromEntries(entries.map(([key, item]) => [key, copy(item, childPath(path, key))]))
    } finally {
      above.delete(value)
    }
  }
  return copy(value, '')
}

const rejectNonJson =
  (what: string): OnNonJson =>
  (kind, path) => {
    const place = path === '' ? `${what} is` : `\`${path}\` of ${what} is`
    throw misuse(`${place} ${kind}, which cannot be written as data`)
  }

/**
 * The same for required data. Throws misuse for a value that JSON cannot represent; the error names `what` the whole is, and
 * the path in it.
 */
export const toData = <Value>(value: Value, what: string) => copyAsData(value ?? null, rejectNonJson(what)) as Value

/** The same as JSON text. Whole numbers in a BigInt keep their exact value. */
export const toExactJson = (value: unknown, what: string) => {
  const data = copyAsData(value ?? null, rejectNonJson(what), true)
  return restoreNumbers(JSON.stringify(data, (_, item) => (typeof item === 'bigint' ? markNumber(String(item)) : item)))
}

/** The first value that prevents writing JSON text: its kind, and its path. */
export const findNonJson = (value: unknown) => {
  let first: { kind: string; path: string } | undefined
  copyAsData(value, (kind, path) => {
    const isUnserializable = /^(a BigInt|an object that holds itself|something more than)/.test(kind)
    // JSON leaves these values out, as it does methods of messages. In the content of a message that would lose text.
    const isContent = /^a (function|symbol)$/.test(kind) && /(^|\.)content(\[\d+\](\.text)?)?$/.test(path)
    if (isUnserializable || isContent) first ??= { kind, path }
    return null
  })
  return first
}

/** The same as JSON text. */
export const toJsonText = (value: unknown, what: string) => jsonText(toData(value, what))

/** The same, but it never throws: values that JSON cannot represent become placeholders, and `onReplaced` gets a sentence for each. */
export const toLenientJson = (value: unknown, onReplaced: (message: string) => void) => {
  const replaced = copyAsData(value, (kind, path) => {
    onReplaced(`\`${path}\` is ${kind}, which cannot be recorded`)
    return `[${kind}]`
  })
  return jsonText(replaced)
}
