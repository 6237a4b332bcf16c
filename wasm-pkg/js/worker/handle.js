// An object that stays open in a worker. If the worker has ended, the next call opens it again.
import { disposable } from '../api/disposable.ts'
import { HANDLES } from './calls.js'
import { createCallRequest } from './call-request.js'

/** Frees what nobody can reach any more. */
const finalizers = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((free) => free()) : undefined

let count = 0

class Handle {
  slot
  generation = 0
  isTransferred = false

  constructor(opening) {
    count += 1
    this.id = count
    this.opening = opening
  }

  isIn(slot) {
    return this.slot === slot && this.generation === slot.generation
  }

  openedIn(slot) {
    this.slot = slot
    this.generation = slot.generation
  }
}

/** Opens something by the call `name` in a worker of the pool; gives an object whose methods run there, once it is open. */
export const openInWorker = async (pool, name, { own: workerOptions, question }, what) => {
  const handle = new Handle(question)
  await pool.run({ own: workerOptions, question: { args: [] } }, handle)
  let isFree = false
  const methods = Object.entries(HANDLES[name]).map(([method, arity]) => [
    method,
    async (...args) => {
      if (isFree) throw new Error(`this ${what} has been freed`)
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
