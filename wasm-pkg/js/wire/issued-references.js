// Items and answers that were issued to a caller, for requests that refer to them instead of repeating them.

/** How many answers to requests with their whole history are stored: each is as long as the run. */
const MAX_FULL_HISTORIES = 64

/** A request refers to something that was not issued here. */
export class UnknownReference extends Error {
  constructor(what, id, param) {
    super(`there is no ${what} \`${id}\` that was issued here before`)
    this.param = param
  }
}

export class IssuedReferences {
  #items = new Map()
  #answers = new Map()
  #conversations = new Map()
  #fullHistories = []

  /** Stores the items of an answer, by their own ids. */
  storeItems(items) {
    for (const item of items) if (typeof item?.id === 'string') this.#items.set(item.id, item)
  }

  item(id, param) {
    const found = this.#items.get(id)
    if (found === undefined) throw new UnknownReference('item', id, param)
    return found
  }

  /** Stores the answer `id`: `added` is what follows the history of the answer `before`. */
  storeAnswer(id, before, added) {
    this.#answers.set(id, { before: before === undefined ? undefined : this.#answers.get(before), added })
    if (before !== undefined) return
    this.#fullHistories.push(id)
    if (this.#fullHistories.length > MAX_FULL_HISTORIES) this.#answers.delete(this.#fullHistories.shift())
  }

  /** The whole history up to an answer, including it. */
  historyUpTo(id, param) {
    let at = this.#answers.get(id)
    if (at === undefined) throw new UnknownReference('answer', id, param)
    const parts = []
    for (; at !== undefined; at = at.before) parts.push(at.added)
    return parts.reverse().flat()
  }

  conversation(id) {
    return this.#conversations.get(id) ?? []
  }

  addToConversation(id, items) {
    if (!this.#conversations.has(id)) this.#conversations.set(id, [])
    this.#conversations.get(id).push(...items)
  }
}
