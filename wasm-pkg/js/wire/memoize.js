/** A function of objects, which gives something, that is asked once for each: what it gives is the same again. */
export const once = (work) => {
  const known = new WeakMap()
  return (given) => {
    let found = known.get(given)
    if (found === undefined) known.set(given, (found = work(given)))
    return found
  }
}

/** A function of a text or the like, which gives the same object as long as it is asked for the same. */
export const latest = (work) => {
  let known
  return (given) => {
    if (known === undefined || known.given !== given) known = { given, found: work(given) }
    return known.found
  }
}
