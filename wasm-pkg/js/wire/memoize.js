/** A function of objects, which gives something, that is asked once for each: what it gives is the same again. */
export const memoizeByObject = (compute) => {
  const known = new WeakMap()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}

/** A function of a text or the like, which gives the same object as long as it is asked for the same. */
export const memoizeLast = (compute) => {
  let last
  return (key) => {
    if (last === undefined || last.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
