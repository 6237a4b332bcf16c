// Written by the tests from the Rust types.
import type { Severity } from './diagnostic.ts'
import type { Place } from './text.ts'

/** Why a simulation cannot begin. */
export interface SimulationProblem {
  /** Where in the data, such as `agents[0].tools[1].name`; empty for a text that cannot be read. */
  path: string
  /** The name of the error, such as `InputError`; left out where it is none. */
  name?: string
  /** The code of its rule, such as `T601`, where there is one. */
  code?: string
  /** What is wrong. */
  message: string
  /** What to do about it, where something is known. */
  help: string | null
  /** Where in the text. */
  place: Place
  /** How bad it is. */
  severity: Severity
}
