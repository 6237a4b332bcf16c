// What is being asked while code runs, so that a call that waits for itself can be told.

/** Follows code past its waiting, where the surroundings can; else only to the first `await`. */
const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
let storage
let syncFrame

const currentFrame = () => storage?.getStore() ?? syncFrame

/** Runs `work` for `owner`, which is within it until that has settled. */
export const runFor = async (owner, work) => {
  if (Storage !== undefined) storage ??= new Storage()
  const own = { owner, open: true, outer: currentFrame() }
  const run = () => {
    const before = syncFrame
    syncFrame = own
    try {
      return work()
    } finally {
      syncFrame = before
    }
  }
  try {
    return await (storage === undefined ? run() : storage.run(own, run))
  } finally {
    own.open = false
  }
}

/** Whether the code that runs was asked by `owner`, which waits for it. */
export const isRunningFor = (owner) => {
  for (let at = currentFrame(); at !== undefined; at = at.outer) if (at.owner === owner && at.open) return true
  return false
}
