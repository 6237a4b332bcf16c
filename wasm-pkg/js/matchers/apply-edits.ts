// Applies edits so that one list of a document has the content of another; tool calls and their results change together.
import { type Change, type EditProblem, type Json, edit } from 'transcript-workbench'
import type { Item, ItemPair, StoredCall, StoredMessage, Turn } from './document.ts'

/** An edit that is refused: the reason, and the line. */
export class EditRefused extends Error {
  declare readonly help: string | null
  declare readonly line: string | undefined

  constructor({ message, help, line }: EditProblem, text: string) {
    super(message)
    this.help = help
    this.line = text.split(/\r?\n/)[line - 1]
  }
}

const applyEdit = (text: string, one: Change) => {
  const { ok, text: next, problem } = edit(text, one)
  // A success has a string, and a failure a problem.
  if (ok) return next!
  throw new EditRefused(problem!, text)
}

/** The tool call that a message answers, if any. */
const answeredCalls = ({ message, turn }: Item) => [message.tool_call_id ?? turn?.tool_call?.id].filter((id) => typeof id === 'string')

/** The tool calls of a message, and the one that it answers. */
const relatedCalls = (item: Item) => [...(item.message.tool_calls ?? []).map(({ id }) => id), ...answeredCalls(item)]

/** Groups pairs that must change together: tool calls of a model and their results, wherever those are. */
const pairUnits = (all: readonly ItemPair[]) => {
  const unitOf = new Map(all.map((pair) => [pair, [pair]]))
  for (const side of ['left', 'right'] as const) {
    const first = new Map<string, ItemPair>()
    for (const pair of all) {
      for (const id of pair[side] ? relatedCalls(pair[side]) : []) {
        const [one, other] = [unitOf.get(first.get(id) ?? pair)!, unitOf.get(pair)!] as const
        if (!first.has(id)) first.set(id, pair)
        if (one === other) continue
        one.push(...other)
        for (const moved of other) unitOf.set(moved, one)
      }
    }
  }
  return new Set(unitOf.values())
}

/** The fields of a message without those that belong to its document. */
const messageFields = ({ id: _, visible: _visible, timestamp: _time, tool_response: _response, ...shape }: StoredMessage) => shape

/** An item of a turn. */
type TurnItem = Required<Item>

const turnFields = ({ turn }: TurnItem) => {
  const { id: _, ...created }: Partial<StoredMessage> = turn.message_created ?? {}
  return {
    ...turn,
    ...(turn.message_created && { message_created: created }),
    ...(turn.type === 'llm_call' && { messages_sent_to_llm: 'visible' }),
  }
}

/** An item of the compact form, which has the result of a tool as data. */
const compactItem = ({ message, turn }: Item) => {
  const { tool_name: tool, success, result, id } = turn?.tool_call ?? {}
  return tool !== undefined && success !== false ? { tool, result, id } : messageFields(message)
}

/** The changes that put an item in at a place among the new ones, and take one out. */
interface ItemEdits {
  add(right: Item, at: number): Change
  remove(left: Item): Change
}

/** How items are put in and taken out where every message is an item of one list, or of the store. */
export const messageEdits = (before: number): ItemEdits => ({
  add: (right, at) => ({ add_message: { index: before + at, message: compactItem(right) as Json } }),
  remove: ({ message }) => ({ remove_message: { message: message.id } }),
})

/** The same for turns. */
export const turnEdits: ItemEdits = {
  add: (right, at) => ({ add_turn: { step: at + 1, turn: turnFields(right as TurnItem) as Json } }),
  remove: ({ step }) => ({ remove_turn: { step: step! } }),
}

/** An item with other ids of calls. */
const withCallIds = ({ message, turn }: Item, idOf: (id: string) => string): Item => {
  const renamed = (calls: StoredCall[] | undefined) => calls?.map((call) => ({ ...call, id: idOf(call.id) }))
  const next = { ...message, ...(message.tool_calls && { tool_calls: renamed(message.tool_calls) }) } as StoredMessage
  if (message.tool_call_id) next.tool_call_id = idOf(message.tool_call_id)
  if (turn === undefined) return { message: next }
  const { message_created: created, llm_response: response, tool_call: call } = turn
  return {
    message: next,
    turn: {
      ...turn,
      ...(created && { message_created: next }),
      ...(response?.tool_calls && { llm_response: { ...response, tool_calls: renamed(response.tool_calls) } }),
      ...(call?.id && { tool_call: { ...call, id: idOf(call.id) } }),
    } as Turn,
  }
}

/** The ids for the calls of new items: their own, save where one that stays has the same. */
const createIdAllocator = (keptIds: readonly string[]) => {
  const taken = new Set(keptIds)
  const assigned = new Map<string, string>()
  return (id: string) => {
    if (!assigned.has(id)) {
      let free = id
      for (let nth = 2; taken.has(free); nth += 1) free = `${id}_${nth}`
      taken.add(free)
      assigned.set(id, free)
    }
    return assigned.get(id)!
  }
}

/** Applies the changes of pairs: texts first, then removals from the end, then additions from the start. */
export const applyChanges = (text: string, all: readonly ItemPair[], { add, remove }: ItemEdits) => {
  const replacedPairs = new Set<ItemPair>()
  let next = text
  for (const unit of pairUnits(all)) {
    if (unit.every(({ isSame }) => isSame)) continue
    if (!unit.every(({ isText }) => isText)) {
      for (const pair of unit) replacedPairs.add(pair)
      continue
    }
    for (const { left, right, isSame } of unit) {
      if (!isSame) next = applyEdit(next, { set_text: { message: left!.message.id, text: right!.message.content } })
    }
  }
  // The results of a removed call are removed with it; alone they would wait for another call.
  const removedItems = all.filter((pair) => pair.left && replacedPairs.has(pair)).map(({ left }) => left!)
  const removedCalls = new Set(removedItems.flatMap(({ message }) => message.tool_calls ?? []).map(({ id }) => id))
  for (const left of removedItems.reverse()) {
    if (!answeredCalls(left).some((id) => removedCalls.has(id))) next = applyEdit(next, remove(left))
  }
  const keptPairs = all.filter((pair) => pair.left && !replacedPairs.has(pair))
  const idOf = createIdAllocator(keptPairs.flatMap(({ left }) => relatedCalls(left!)))
  all
    .filter(({ right }) => right)
    .forEach((pair, at) => {
      if (replacedPairs.has(pair)) next = applyEdit(next, add(withCallIds(pair.right!, idOf), at))
    })
  return next
}
