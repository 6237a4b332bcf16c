// The subject of a matcher: a recorder, a recording, a transcript, or a run in the form of a framework.
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

/** A run as `checkRun` takes it. Plain data without a number of turns has one for each answer. */
export const toRun = (run) => {
  const text = textOf(run)
  if (text !== undefined) return { text, file: 'the run' }
  const data = Array.isArray(run) ? { messages: run } : run
  if (!isMap(data) || (data.messages === undefined && data.input === undefined)) {
    throw new TypeError('a run is a recorder, a transcript, or data such as { format, messages }')
  }
  const answers = () => canonical(data).filter(({ role }) => role === 'assistant').length
  return { ...data, turns: data.turns ?? answers() }
}

/** The messages of a run that is plain data, as all frameworks share them; undefined for a transcript. */
export const messagesOf = (run) => {
  const known = toRun(run)
  return known.text === undefined ? canonical(known) : undefined
}

/** The content of a tool message: the data if it is known, otherwise its text. */
const toolResult = ({ result, content }) => (result === undefined ? content : result)

const toolName = (message, calls, at) => {
  const name = message.name ?? calls.get(message.tool_call_id)
  if (name === undefined) {
    throw new TypeError(
      `messages[${at}] of the run is the result of a call \`${message.tool_call_id ?? ''}\` that no message before it makes`,
    )
  }
  return name
}

/** The content of a message, its images and files in their places, which are counted in characters. */
const contentWithParts = ({ content, parts }) => {
  if (!parts?.length || typeof content !== 'string') return content
  const characters = [...content]
  const list = []
  let from = 0
  const pushText = (to) => {
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
const recordRun = (messages, recorder) => {
  const calls = new Map()
  const ids = []
  messages.forEach((message, at) => {
    const id = `msg_${String(at + 1).padStart(3, '0')}`
    const { role, refusal, tool_calls: called, tool_call_id: callId, is_error: failed } = message
    const content = contentWithParts(message)
    if (role === 'assistant') {
      const call = `call_of_${id}`
      recorder.modelCalled({ call, messages: [...ids] })
      const answer = { content: content ?? null, ...(refusal && { refusal }), ...(called?.length && { tool_calls: called }) }
      recorder.modelAnswered({ call, ...answer, message: id })
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
export const transcriptOf = (run) => {
  const known = toRun(run)
  if (known.text !== undefined) return { text: known.text, isWhole: true }
  const recorder = createRecorder({ ...(known.context && { context: known.context }) })
  try {
    recordRun(canonical(known), recorder)
    const { text, problems } = recorder.finish()
    if (problems.length > 0) throw new TypeError(`the run cannot be written down: ${problems[0].message}`)
    return { text, isWhole: false }
  } finally {
    recorder.free()
  }
}
