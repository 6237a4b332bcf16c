// Written by the tests from the Rust types.

/** One decision. */
export interface MockDecision {
  /** Where in the handler, such as `rules[1].when`. */
  path: string
  /** Whether it matched. */
  matched: boolean
  /** The reason, such as "`last_user` does not contain `weather`". */
  reason: string
}

/** The decisions for one call, in order. */
export interface MockDecisions {
  /** The decisions: each a place in the handler, whether it matched, and why. */
  decisions: MockDecision[]
  /** How many decisions more there were than are kept: a thousand are. */
  omitted: number
  /**
   * The place of the answer, such as `handlers.bot.rules[1]`, as in coverage; null when there was no answer, or none of
   * a document.
   */
  answered: string | null
}
