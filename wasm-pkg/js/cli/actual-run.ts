// An actual run in a file: a transcript, or plain data.
import { parseExact } from '../api/exact-json.ts'
import type { Fields } from '../api/fields.ts'
import type { ActualRun, TranscriptDocument } from '../types/index.ts'
import { openOptions } from './arguments.ts'
import type { CommonValues } from './command.ts'
import { UsageError } from './failure.ts'
import { handlersProblem, hasOnlyHandlers } from './handlers-only.ts'
import { readInput } from './inputs.ts'
import { openDocument } from './opening.ts'
import type { Terminal } from './terminal.ts'

const RUN_KEYS = ['messages', 'calls', 'context', 'answer', 'turns', 'tokens', 'errors', 'nested', 'format']

const parseData = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** Whether data is a run and no transcript: a transcript has texts as messages, or an execution. */
const isRun = (data: unknown): data is ActualRun =>
  typeof data === 'object' &&
  data !== null &&
  !Array.isArray(data) &&
  Object.keys(data).every((key) => RUN_KEYS.includes(key)) &&
  ((data as { messages?: Fields[] }).messages ?? []).every((message) => typeof message?.role === 'string')

/** The run that the file `name` holds, for `checkRun`. */
export const readRun = async (name: string, terminal: Terminal, values: CommonValues): Promise<ActualRun | TranscriptDocument> => {
  const input = await readInput(name, terminal, values)
  const data = parseData(new TextDecoder().decode(input.bytes))
  if (data !== undefined && isRun(data)) return data
  const document = openDocument(input, openOptions(values, name, terminal))
  if (hasOnlyHandlers(document)) {
    const { message, help } = handlersProblem(document, input.file)
    throw new UsageError(message, help)
  }
  if (document.readable) return document
  terminal.err(document.render({ color: terminal.colorErr(values.color) }))
  throw new UsageError(`\`${input.file}\` is neither a transcript nor a run such as {"messages": [...]}`)
}
