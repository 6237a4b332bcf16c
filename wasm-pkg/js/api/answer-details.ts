// Details of recorded answers that a replay does not return by itself: how each was streamed, and why it ended.
import type { Tape } from '../types/index.ts'
import type { TranscriptDocument } from './document.ts'

const DETAILS = ['chunks', 'finish_reason', 'model', 'id'] as const

type AnswerDetails = NonNullable<ReturnType<Tape['recordedResponse']>>

/** A turn of the full form, as far as it is looked at. */
interface Turn {
  llm_response?: AnswerDetails | null
  tool_call?: { result?: { nested_transcript?: { execution?: Turn[] } | null } | null } | null
}

/** Those details by step; the compact form has none. */
export const answerDetails = (document: TranscriptDocument) => {
  const found = new Map<string, AnswerDetails>()
  if (document.overview.form === 'compact') return found
  const walk = (turns: Turn[] | undefined, prefix: string) => {
    for (const [at, { llm_response: answer, tool_call: tool }] of (turns ?? []).entries()) {
      const step = `${prefix}${at + 1}`
      const names = DETAILS.filter((name) => answer?.[name] !== undefined && answer[name] !== null)
      if (names.length > 0) found.set(step, Object.fromEntries(names.map((name) => [name, answer![name]])))
      walk(tool?.result?.nested_transcript?.execution, `${step}.`)
    }
  }
  walk(JSON.parse(document.expand('json') ?? '{}').execution, '')
  return found
}
