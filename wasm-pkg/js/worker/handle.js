// What stays open in a worker. Where that has ended, it is opened again by the next that is asked of it.
import { disposable } from '../api/disposable.js'
import { HANDLES } from './calls.js'
import { questionOf } from './call-request.js'

/** Frees what nobody can ask any more. */
const forgotten = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((free) => free()) : undefined

let count = 0

class Handle {
  slot
  generation = 0
  isGivenAway = false

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

/** Opens something by the call `name` in a worker of the pool; gives an object whose methods ask there, once it is open. */
export const openIn = async (pool, name, { own, question }, what) => {
  const handle = new Handle(question)
  await pool.run({ own, question: { args: [] } }, handle)
  let isFree = false
  const methods = Object.entries(HANDLES[name]).map(([method, arity]) => [method, async (...given) => {
    if (isFree) throw new Error(`this ${what} has been freed`)
    return pool.run(questionOf(method, arity, given), handle)
  }])
  const free = () => {
    if (!isFree) pool.free(handle)
    isFree = true
  }
  const made = Object.assign(Object.create(null), Object.fromEntries(methods), { free })
  disposable(made)
  forgotten?.register(made, () => pool.free(handle))
  return made
}
