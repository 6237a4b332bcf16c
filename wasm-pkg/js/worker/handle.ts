// An object that stays open in a worker. If the worker has ended, the next call opens it again.
import { disposable } from '../api/disposable.ts'
import { invalidState } from '../api/misuse.ts'
import { HANDLES } from './calls.ts'
import { createCallRequest } from './call-request.ts'
import type { Pool, Slot } from './pool.ts'
import type { CallRequest, Question } from './protocol.ts'

/** Frees what is not reachable any more. */
const finalizers = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((free: () => void) => free()) : undefined

let count = 0

/** What is open in a worker, and in which. */
export class Handle {
  declare readonly id: number
  declare readonly opening: Question
  slot: Slot | undefined
  generation = 0
  isTransferred = false

  constructor(opening: Question) {
    count += 1
    this.id = count
    this.opening = opening
  }

  isIn(slot: Slot) {
    return this.slot === slot && this.generation === slot.generation
  }

  openedIn(slot: Slot) {
    this.slot = slot
    this.generation = slot.generation
  }
}

/** Opens something by the call `name` in a worker of the pool; gives an object with methods that run there, once it is open. */
export const openInWorker = async (pool: Pool, name: keyof typeof HANDLES, { own: workerOptions, question }: CallRequest, what: string) => {
  const handle = new Handle(question)
  await pool.run({ own: workerOptions, question: { args: [] } }, handle)
  let isFree = false
  const methods = Object.entries(HANDLES[name]).map(([method, arity]) => [
    method,
    async (...args: unknown[]) => {
      if (isFree) throw invalidState(`this ${what} has been freed`)
      return pool.run(createCallRequest(method, arity, args), handle)
    },
  ])
  const free = () => {
    if (!isFree) pool.free(handle)
    isFree = true
  }
  const object = Object.assign(Object.create(null), Object.fromEntries(methods), { free })
  disposable(object)
  finalizers?.register(object, () => pool.free(handle))
  return object
}
