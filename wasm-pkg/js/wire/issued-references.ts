// Items and answers that were issued to a caller, for requests that refer to them instead of repeating them.

/** An item or a message of a vendor; only some fields are read. */
export interface Item {
  readonly [field: string]: unknown
}

interface IssuedAnswer {
  before: IssuedAnswer | undefined
  added: readonly Item[]
}

/** How many answers to requests with their whole history are stored: each is as long as the run. */
const MAX_FULL_HISTORIES = 64

/** A request refers to something that was not issued here. */
export class UnknownReference extends Error {
  /** The path of the reference in the request. */
  declare readonly param: string

  constructor(what: 'item' | 'answer', id: string, param: string) {
    super(`there is no ${what} \`${id}\` that was issued here before`)
    this.param = param
  }
}

export class IssuedReferences {
  #items = new Map<string, Item>()
  #answers = new Map<string | undefined, IssuedAnswer>()
  #conversations = new Map<string, Item[]>()
  #fullHistories: (string | undefined)[] = []

  /** Stores the items of an answer, by their own ids. */
  storeItems(items: readonly Item[]) {
    for (const item of items) if (typeof item?.id === 'string') this.#items.set(item.id, item)
  }

  item(id: string, param: string) {
    const found = this.#items.get(id)
    if (found === undefined) throw new UnknownReference('item', id, param)
    return found
  }

  /** Stores the answer `id`: `added` is what follows the history of the answer `before`. */
  storeAnswer(id: string | undefined, before: string | undefined, added: readonly Item[]) {
    this.#answers.set(id, { before: before === undefined ? undefined : this.#answers.get(before), added })
    if (before !== undefined) return
    this.#fullHistories.push(id)
    if (this.#fullHistories.length > MAX_FULL_HISTORIES) this.#answers.delete(this.#fullHistories.shift())
  }

  /** The whole history up to an answer, including it. */
  historyUpTo(id: string, param: string) {
    let at = this.#answers.get(id)
    if (at === undefined) throw new UnknownReference('answer', id, param)
    const parts: (readonly Item[])[] = []
    for (; at !== undefined; at = at.before) parts.push(at.added)
    return parts.reverse().flat()
  }

  conversation(id: string): readonly Item[] {
    return this.#conversations.get(id) ?? []
  }

  addToConversation(id: string, items: readonly Item[]) {
    if (!this.#conversations.has(id)) this.#conversations.set(id, [])
    this.#conversations.get(id)!.push(...items)
  }
}
