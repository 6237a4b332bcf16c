// Written by the tests from the Rust types.
import type { Json } from './json.ts'

/** A tool that ran. */
export interface ToolExecution {
  /** The step it ran in, from 0. */
  step: number
  /** The agent that called it. */
  agent: string
  /** The tool. */
  tool: string
  /** The id of the call. */
  callId: string
  /** Its arguments, with defaults filled in. */
  arguments: Json
}
