// Edge cases: values that cannot be sent to a worker, with their place.
import type { Fields } from '../api/fields.ts'

const describeUncloneable = (value: unknown) => {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (value instanceof WeakMap || value instanceof WeakSet) return 'a weak collection'
  if (typeof (value as Fields)?.then === 'function') return 'a promise, which has to be awaited first'
  return undefined
}

/** Describes the first value in the arguments and options of a call that cannot be cloned; undefined if there is none. */
export const findUncloneable = (args: readonly unknown[], options: unknown) => {
  const seen = new Set<object>()
  const search = (value: unknown, path: string): string | undefined => {
    const description = describeUncloneable(value)
    if (description !== undefined) return `${path} is ${description}`
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return undefined
    seen.add(value)
    for (const [key, one] of Object.entries(value)) {
      const found = search(one, `${path}${Array.isArray(value) ? `[${key}]` : `.${key}`}`)
      if (found !== undefined) return found
    }
    return undefined
  }
  const places = args.map((arg, at): [place: string, value: unknown] => [`its ${at === 0 ? 'first' : 'second'} argument`, arg])
  for (const [place, value] of [...places, ['its option', options] as const]) {
    const found = search(value, place)
    if (found !== undefined) return found.replace(/^its option\.(\S+)/, 'its option `$1`')
  }
  return undefined
}
