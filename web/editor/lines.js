// How far a new line of YAML is indented, by the line before it alone: unfinished text rarely parses.
import { indentService } from '@codemirror/language'

const OPENS = /(?::|[|>][-+\d]*)\s*(?:#.*)?$/
const KEY = /^(?:"[^"]*"|'[^']*'|[^\s"'#{[]\S*):(?:\s|$)/

export const newLines = indentService.of((context, pos) => {
  // Lines that are there already are left as they are.
  if (context.simulatedBreak === null) return undefined
  const { text } = context.lineAt(pos, -1)
  const [start, space, dashes] = /^(\s*)((?:-\s+)*)/.exec(text)
  const rest = text.slice(start.length)
  if (/[{[(]\s*$/.test(rest)) return undefined
  const column = space.length + (KEY.test(rest) ? dashes.length : 0)
  return OPENS.test(rest) ? column + context.unit : column
})
