/** A function of objects, which gives something, that is asked once for each: what it gives is the same again. */
export const once = (work) => {
  const known = new WeakMap()
  return (given) => {
    let found = known.get(given)
    if (found === undefined) known.set(given, (found = work(given)))
    return found
  }
}
