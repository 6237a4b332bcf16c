import type { Fact } from '../types/index.ts'

/** Listens to the facts of a recorder. */
export interface FactListener {
  /** Returns the fact to record instead, or undefined if it is recorded already. */
  merge(fact: Fact): Fact | undefined
  /** Gets every recorded fact. */
  received(fact: Fact): void
  /** Called before a recording is built. */
  finishing(): void
}

/** The method of recorders with which other modules of the package listen to facts. They find it by this symbol. */
export const ADD_FACT_LISTENER: unique symbol = Symbol.for('transcript-workbench.addFactListener')
