/** Memoizes a function of objects: it is called once for each object. */
export const memoizeByObject = (compute) => {
  const known = new WeakMap()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}

/** Memoizes the last call of a function of a text or similar. */
export const memoizeLast = (compute) => {
  let last
  return (key) => {
    if (last === undefined || last.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
