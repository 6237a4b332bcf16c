// Written by the tests from the Rust types.
import type { DroppedStep, TravelMark } from './travel.ts'
import type { ContextChange } from './view-step.ts'

/** What is different after one step from what was after another. */
export interface StateChanges {
  /** The path of the first step. */
  from: string
  /** The path of the other. */
  to: string
  /** The keys of the context that have another value. */
  context: ContextChange[]
  /** The same of the contexts that agents have of their own, by agent; absent where none has changed. */
  agents?: { [key: string]: ContextChange[] }
  /** The messages that came into the store, oldest first. */
  stored: StoredMessage[]
  /** The messages that are not yet in the store, where the other step comes before. */
  removed: StoredMessage[]
  /** The messages, there at both steps, that were hidden or shown. */
  visibility: VisibilityChange[]
}

/** A message that came between two steps. */
export interface StoredMessage {
  /** Its id. */
  id: string
  /** The path of the step that created it. */
  step: string
  /** Its role. */
  role: string
  /** Its text; null when it has no content. */
  content: string | null
  /** Whether the model can see it after the later of the two steps. */
  visible: boolean
}

/** Why a run was not changed. */
export interface TravelProblem {
  /** The number of the change that is in the way, from 0, if it is one. */
  change: number | null
  /** What is in the way. */
  message: string
  /** The remedy, if one is known. */
  help: string | null
}

/** A changed run. */
export interface TravelResult {
  /** Whether the changes were made. */
  ok: boolean
  /** Whether every step of the new run holds. */
  holds: boolean
  /**
   * The new run as YAML in the full form; null when the changes were not made. In a long run, a call that was sent all
   * visible messages has `visible` instead of their list.
   */
  text: string | null
  /** What became of each step. */
  marks: TravelMark[]
  /** The steps that are gone for what was changed. */
  dropped: DroppedStep[]
  /** What else was changed, in sentences. */
  notes: string[]
  /** Why there is no new run. */
  problem: TravelProblem | null
}

/** A message that was hidden or shown between two steps. */
export interface VisibilityChange {
  /** Its id. */
  id: string
  /** Whether the model can see it after the second step. */
  visible: boolean
}
