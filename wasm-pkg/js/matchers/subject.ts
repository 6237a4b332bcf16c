// The subject of a matcher: a recorder, a recording, a transcript, or a run in the form of a framework.
import {
  type ActualRun,
  type Recorder,
  type TapeRequest,
  type TranscriptDocument,
  canonicalMessages,
  createRecorder,
  parse,
} from 'transcript-workbench'
import type { Fields } from '../api/fields.ts'
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import type { Run } from '../types/matchers.ts'
import type { RunMessage } from './compare-run.ts'

const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it is text to read. */
const isText = (value: unknown): value is string | Uint8Array => typeof value === 'string' || value instanceof Uint8Array

/** The text of a run that is a transcript already; undefined for one that is plain data. */
const textOf = (run: Run) => {
  if (isText(run)) return run
  if (typeof (run as Fields)?.finish === 'function') return (run as Recorder).finish().text
  if (isText((run as Fields)?.text)) return (run as { text: string | Uint8Array }).text
  if (typeof (run as Fields)?.expand === 'function') return (run as TranscriptDocument).expand('yaml') ?? undefined
  return undefined
}

/** A run that is plain data. */
type PlainRun = ActualRun & { text?: undefined }

// Messages of no format are canonical.
const canonical = (run: PlainRun) =>
  (run.format === undefined ? run.messages : canonicalMessages(run as TapeRequest)) as readonly RunMessage[]

/** What a run is. */
const RUNS = 'pass a recorder, the text of a transcript, or messages such as { format, messages }'

/** The error for what is no run: what to pass in its place. */
const noRun = (data: unknown) => {
  if (isMap(data) && typeof data.assertComplete === 'function')
    return misuse('a tape plays the recording and is no run: pass the recorder of the run, such as that of recordAiSdk() or recordFetch()')
  // A result of a stream has getters of promises, which are not to be read.
  if (isMap(data) && 'finishReason' in data && 'steps' in data)
    return misuse(
      "a result of the AI SDK is no run: pass its recorder, or { format: 'ai-sdk', messages: [...prompt, ...result.responseMessages] } (`result.response.messages` before version 7)",
    )
  return misuse(`the matcher got ${kindOf(data)}: ${RUNS}`)
}

/** The beginning of a text, on one line. */
const excerpt = (text: string) => {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line)
}

/** Refuses text that is no transcript with a run. */
export const checkReadable = (run: { text?: string | undefined; file?: string }) => {
  if (run.text === undefined) return
  const document = parse({ text: run.text, file: 'the run' })
  try {
    if (document.expand('yaml') !== null) return
    throw misuse(`the matcher got the string ${excerpt(run.text)}, which is not the text of a transcript: ${RUNS}`)
  } finally {
    document.free()
  }
}

/** Whether an object is a result of `generateText`, which has a text that is no transcript. */
const isSdkResult = (run: unknown) => isMap(run) && 'finishReason' in run && 'response' in run && 'steps' in run

/** A run as `checkRun` takes it. Plain data without a number of turns has one for each answer. */
export const toRun = (run: Run): { text: string; file: string } | PlainRun => {
  if (isSdkResult(run)) throw noRun(run)
  const text = textOf(run)
  if (text !== undefined) return { text: typeof text === 'string' ? text : new TextDecoder().decode(text), file: 'the run' }
  const data: unknown = Array.isArray(run) ? { messages: run } : run
  if (!isMap(data) || ['messages', 'input', 'contents'].every((list) => data[list] === undefined)) throw noRun(data)
  const answers = () => canonical(data as PlainRun).filter(({ role }) => role === 'assistant').length
  return { ...data, turns: data.turns ?? answers() } as PlainRun
}

/** The messages of a run that is plain data, as all frameworks share them; undefined for a transcript. */
export const messagesOf = (run: Run) => {
  const known = toRun(run)
  return known.text === undefined ? canonical(known) : undefined
}

/** The content of a tool message: the data if it is known, otherwise its text. */
const toolResult = ({ result, content }: RunMessage) => (result === undefined ? content : result)

const toolName = (message: RunMessage, calls: ReadonlyMap<string | undefined, string>, at: number) => {
  const name = message.name ?? calls.get(message.tool_call_id)
  if (name === undefined) {
    throw misuse(`messages[${at}] of the run is the result of a call \`${message.tool_call_id ?? ''}\`, which no earlier message makes`)
  }
  return name
}

/** The content of a message, its images and files in their places, which are counted in characters. */
const contentWithParts = ({ content, parts }: RunMessage) => {
  if (!parts?.length || typeof content !== 'string') return content
  const characters = [...content]
  const list: object[] = []
  let from = 0
  const pushText = (to: number) => {
    if (to > from) list.push({ type: 'text', text: characters.slice(from, to).join('') })
    from = to
  }
  for (const { at, ...part } of parts) {
    pushText(at)
    list.push(part)
  }
  pushText(characters.length)
  return list
}

/** Records a finished run. Every answer was requested with all messages before it. */
const recordRun = (messages: readonly RunMessage[], recorder: Recorder) => {
  const calls = new Map<string | undefined, string>()
  const ids: string[] = []
  messages.forEach((message, at) => {
    const id = `msg_${String(at + 1).padStart(3, '0')}`
    const { role, refusal, tool_calls: called, tool_call_id: callId, is_error: failed } = message
    const content = contentWithParts(message)
    if (role === 'assistant') {
      const call = `call_of_${id}`
      recorder.modelCalled({ call, messages: [...ids] })
      const answer = { content: content ?? null, ...(refusal && { refusal }), ...(called?.length && { tool_calls: called }) }
      recorder.modelResponded({ call, ...answer, message: id })
      for (const { id, name } of called ?? []) calls.set(id, name)
      recorder.messageAppended({ id, role, call })
    } else if (role === 'tool') {
      recorder.toolCalled({ id: callId, name: toolName(message, calls, at) })
      const result = toolResult(message)
      if (failed) recorder.toolFailed({ id: callId, error: typeof result === 'string' ? result : JSON.stringify(result) })
      else recorder.toolReturned({ id: callId, result })
      recorder.messageAppended({ id, role, tool_call_id: callId })
    } else {
      recorder.messageAppended({ id, role, content })
    }
    ids.push(id)
  })
}

/** A transcript of the run, and whether it has all that is known of it: plain data has no tokens, models, inner runs. */
export const transcriptOf = (run: Run) => {
  const known = toRun(run)
  if (known.text !== undefined) return { text: known.text, isWhole: true }
  const recorder = createRecorder({ ...(known.context && { context: known.context }) })
  try {
    recordRun(canonical(known), recorder)
    const { text, problems } = recorder.finish()
    if (problems.length > 0) throw misuse(`the run cannot be written: ${problems[0]!.message}`)
    return { text, isWhole: false }
  } finally {
    recorder.free()
  }
}
