// The parts used of a transcript in its full form.
import type { Json } from '../types/index.ts'

type Fields = { [field: string]: Json }

/** A tool call of a model. */
export type StoredCall = Fields & { id: string }

/** A message of the store, or of a turn. */
export type StoredMessage = Fields & { id: string; content: string; tool_calls?: StoredCall[]; tool_call_id?: string }

/** A turn of the execution. */
export type Turn = Fields & {
  message_created?: StoredMessage
  llm_response?: Fields & { tool_calls?: StoredCall[] }
  tool_call?: Fields & { id?: string; tool_name?: string; success?: boolean }
}

/** A message of a document; that of a turn has the turn, and its number from 1. */
export interface Item {
  message: StoredMessage
  turn?: Turn
  step?: number
}

/** An item of the old document and that of the new one; one of them where there is no other. */
export interface ItemPair {
  left?: Item
  right?: Item
  isSame?: boolean
  /** Whether the text is all that differs. */
  isText: boolean
}

/** A transcript. */
export type Transcript = Fields & {
  agent_config?: Fields
  initial_state?: Fields & { message_store?: StoredMessage[] }
  execution?: Turn[]
  final_state?: Fields
}
