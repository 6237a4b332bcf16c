// What a test may expect something of: a recorder, a recording, a transcript, or a run in the words of a framework.
import { canonicalMessages, createRecorder } from 'transcript-workbench'

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it is text that is to be read. */
const isText = (value) => typeof value === 'string' || value instanceof Uint8Array

/** The text of a run that is a transcript already; undefined for one that is plain data. */
const textOf = (run) => {
  if (isText(run)) return run
  if (typeof run?.finish === 'function') return run.finish().text
  if (isText(run?.text)) return run.text
  if (typeof run?.expand === 'function') return run.expand('yaml') ?? undefined
  return undefined
}

const canonical = (run) => (run.format === undefined ? run.messages : canonicalMessages(run))

/** A run as `checkRun` takes it. Plain data that does not say how many turns there were has one for each answer. */
export const runOf = (run) => {
  const text = textOf(run)
  if (text !== undefined) return { text, file: 'the run' }
  const data = Array.isArray(run) ? { messages: run } : run
  if (!isMap(data) || (data.messages === undefined && data.input === undefined)) {
    throw new TypeError('a run is a recorder, a transcript, or data such as { format, messages }')
  }
  const answers = () => canonical(data).filter(({ role }) => role === 'assistant').length
  return { ...data, turns: data.turns ?? answers() }
}

/** What a tool's message says: the data, where it is known, else its words. */
const resultOf = ({ result, content }) => (result === undefined ? content : result)

/** Tells a recorder of a run that is over. Every answer was asked for with all that stands before it. */
const record = (messages, recorder) => {
  const names = new Map()
  const ids = []
  messages.forEach((message, at) => {
    const id = `msg_${String(at + 1).padStart(3, '0')}`
    const { role, content, tool_calls: calls, tool_call_id: call, is_error: failed } = message
    if (role === 'assistant') {
      const asked = `call_of_${id}`
      recorder.modelCalled({ call: asked, messages: [...ids] })
      recorder.modelAnswered({ call: asked, content: content ?? null, ...(calls?.length && { tool_calls: calls }), message: id })
      for (const { id, name } of calls ?? []) names.set(id, name)
      recorder.messageAppended({ id, role, call: asked })
    } else if (role === 'tool') {
      recorder.toolCalled({ id: call, name: message.name ?? names.get(call) })
      const result = resultOf(message)
      if (failed) recorder.toolFailed({ id: call, error: typeof result === 'string' ? result : JSON.stringify(result) })
      else recorder.toolReturned({ id: call, result })
      recorder.messageAppended({ id, role, tool_call_id: call })
    } else {
      recorder.messageAppended({ id, role, content })
    }
    ids.push(id)
  })
}

/** The text of a transcript of the run. */
export const transcriptOf = (run) => {
  const known = runOf(run)
  if (known.text !== undefined) return known.text
  const recorder = createRecorder({ ...(known.context && { context: known.context }) })
  try {
    record(canonical(known), recorder)
    const { text, problems } = recorder.finish()
    if (problems.length > 0) throw new TypeError(`the run cannot be written down: ${problems[0].message}`)
    return text
  } finally {
    recorder.free()
  }
}
