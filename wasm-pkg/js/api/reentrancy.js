// What is being asked while code runs, so that a call that waits for itself can be told.

/** Follows code past its waiting, where the surroundings can; else only to the first `await`. */
const Following = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
let following
let now

const frame = () => following?.getStore() ?? now

/** Runs `work` for `owner`, which is within it until that has settled. */
export const within = async (owner, work) => {
  if (Following !== undefined) following ??= new Following()
  const own = { owner, open: true, outer: frame() }
  const run = () => {
    const before = now
    now = own
    try {
      return work()
    } finally {
      now = before
    }
  }
  try {
    return await (following === undefined ? run() : following.run(own, run))
  } finally {
    own.open = false
  }
}

/** Whether the code that runs was asked by `owner`, which waits for it. */
export const isWithin = (owner) => {
  for (let at = frame(); at !== undefined; at = at.outer) if (at.owner === owner && at.open) return true
  return false
}
