// Tracks which owner the running code belongs to, so that a call that would wait for itself can be detected.
import type { AsyncLocalStorage } from 'node:async_hooks'

/** Code that runs for an owner, within that of another one. */
interface Frame {
  owner: object
  open: boolean
  outer: Frame | undefined
}

/** Follows code across `await` if the runtime has AsyncLocalStorage; otherwise only up to the first `await`. */
const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
let storage: AsyncLocalStorage<Frame> | undefined
let syncFrame: Frame | undefined

const currentFrame = () => storage?.getStore() ?? syncFrame

/** Runs `work` for `owner`. `isRunningFor(owner)` is true in it until it settles. */
export const runFor = async <Result>(owner: object, work: () => Promise<Result>) => {
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

/** Whether the running code was called by `owner`, which waits for it. */
export const isRunningFor = (owner: object) => {
  for (let at = currentFrame(); at !== undefined; at = at.outer) if (at.owner === owner && at.open) return true
  return false
}
