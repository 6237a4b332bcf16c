// Tools of a framework that answer with what was recorded.
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import type { ToolTape } from '../types/index.ts'

/** Checks the arguments of a function that mocks tools. */
export const checkMockedTools = (call: string, tape: unknown, tools: unknown) => {
  if (typeof (tape as Fields)?.call !== 'function' || typeof (tape as ToolTape).assertComplete !== 'function') {
    throw misuse(`${call}() takes a tape of replay(…, { mode: 'mocked-tools' }), and a list of tools`)
  }
  if (!Array.isArray(tools)) throw misuse(`${call}() takes a list of tools`)
}

/** A copy of a tool, of whatever class it is, with `changes`. */
export const withProperties = <Tool extends object>(tool: Tool, changes: object) => {
  const copy: Tool = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
  for (const [name, value] of Object.entries(changes)) {
    Object.defineProperty(copy, name, { value, configurable: true, enumerable: true, writable: true })
  }
  return copy
}
