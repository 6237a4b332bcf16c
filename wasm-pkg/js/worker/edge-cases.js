// Edge cases: values that cannot be sent to a worker, with their place.

const describeUncloneable = (value) => {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (value instanceof WeakMap || value instanceof WeakSet) return 'a weak collection'
  if (typeof value?.then === 'function') return 'a promise, which has to be awaited first'
  return undefined
}

/** Describes the first value in the arguments and options of a call that cannot be cloned; undefined if there is none. */
export const findUncloneable = (args, options) => {
  const seen = new Set()
  const search = (value, path) => {
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
  const places = args.map((arg, at) => [`its ${at === 0 ? 'first' : 'second'} argument`, arg])
  for (const [place, value] of [...places, ['its option', options]]) {
    const found = search(value, place)
    if (found !== undefined) return found.replace(/^its option\.(\S+)/, 'its option `$1`')
  }
  return undefined
}
