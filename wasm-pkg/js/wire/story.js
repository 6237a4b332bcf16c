// Requests and answers of a protocol, told to a recorder as the facts of one run.
import { UNRECORDED } from '../api/unrecorded.js'
import { Memory } from './memory.js'
import { argumentText } from './pieces.js'
import { blanked } from './secrets.js'

const parsed = (text) => {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What tells a message from others: its words, and not the ids that a client may add. */
const keyOf = ({ role, content, tool_calls: calls = [], tool_call_id: answers }) => JSON.stringify([
  role, content ?? '', calls.map(({ id, name, arguments: given }) => [id, name, parsed(given) ?? {}]), answers ?? null,
])

const isSet = ([, value]) => value !== undefined && value !== null

/** A declared tool as transcripts have it. */
const toolOf = ({ name, description, parameters }) => Object.fromEntries(Object.entries({ name, description, parameters }).filter(isSet))

const numbered = (word, number) => `${word}_${String(number).padStart(3, '0')}`

/** Messages as they can be told; throws where a request has others. */
const checkedMessages = (messages) => {
  for (const [at, { role }] of messages.entries()) {
    if (typeof role !== 'string') throw new TypeError(`the message ${at + 1} has no role`)
  }
  return messages
}

export class Story {
  #recorder
  #secrets = []
  #memory = new Memory()
  #calls = 0
  #messages = 0
  /** The ids of messages by what they say: of two that say the same, the second is that of the second place. */
  #known = new Map()
  /** What was called, by the ids of the calls. */
  #called = new Map()

  constructor(recorder) {
    this.#recorder = recorder
  }

  #tell(kind, fields) {
    this.#recorder[kind](this.#secrets.length > 0 ? blanked(fields, this.#secrets) : fields)
  }

  #append(message, more = {}) {
    this.#messages += 1
    const id = numbered('msg', this.#messages)
    const key = keyOf(message)
    this.#known.set(key, [...(this.#known.get(key) ?? []), id])
    for (const call of message.tool_calls ?? []) this.#called.set(call.id, call)
    const { is_error: isError, ...told } = message
    const { tool_call_id: answers, content } = message
    if (answers !== undefined && this.#called.has(answers)) {
      const { name } = this.#called.get(answers)
      this.#tell('toolCalled', { id: answers, name })
      if (isError) this.#tell('toolFailed', { id: answers, error: content })
      else this.#tell('toolReturned', { id: answers, result: parsed(content) })
      told.tool_name = name
    }
    this.#tell('messageAppended', { id, ...told, ...more })
    return id
  }

  /** Tells of what cannot be recorded. */
  problem(message, help) {
    const told = this.#secrets.length > 0 ? blanked(message, this.#secrets) : message
    this.#recorder[UNRECORDED]?.(told, help)
  }

  /** Whatever goes wrong with a part of a recording is told, and reaches nobody else. */
  #safely(what, work, otherwise) {
    try {
      return work()
    } catch (error) {
      this.problem(`${what}: ${error?.message ?? error}`)
      return otherwise
    }
  }

  /** The ids of the messages of a request; those that were not known are told of. */
  #idsOf(messages) {
    const seen = new Map()
    return messages.map((message) => {
      const key = keyOf(message)
      const nth = seen.get(key) ?? 0
      seen.set(key, nth + 1)
      return this.#known.get(key)?.[nth] ?? this.#append(message)
    })
  }

  /** The run as messages that the model was sent before; what cannot be made whole is recorded as it is. */
  #whole(protocol, body) {
    try {
      return protocol.unfold(body, this.#memory)
    } catch {
      return body
    }
  }

  /** Tells of a call; what it returns is told of how it goes on. `secrets` are texts that must not be recorded. */
  begin(protocol, body, secrets = []) {
    this.#secrets = [...new Set([...this.#secrets, ...secrets])]
    this.#calls += 1
    const call = `call_${this.#calls}`
    const whole = this.#whole(protocol, body)
    const odd = (part) => `the ${part} of the request \`${call}\` have a form that is not known, and are not recorded`
    const { config, tools } = this.#safely(odd('settings'), () => {
      const found = protocol.settingsOf(whole)
      return { ...found, tools: Array.isArray(found.tools) ? found.tools.map(toolOf) : undefined }
    }, { config: {} })
    const messages = this.#safely(odd('messages'), () => checkedMessages(protocol.messagesOf(whole)), [])
    this.#tell('modelCalled', {
      call,
      messages: this.#idsOf(messages),
      ...(typeof body.model === 'string' ? { model: body.model } : {}),
      config: Object.fromEntries(Object.entries(config).filter(isSet)),
      ...(tools?.length > 0 ? { tools } : {}),
    })
    const chunks = []
    /** The pieces are told when all are there: a secret may stand in several of them, and is then in none. */
    const tellChunks = (whole) => {
      if (this.#secrets.some((secret) => whole.includes(secret))) return
      for (const delta of chunks) this.#tell('chunk', { call, delta })
    }
    let isOver = false
    const once = (work) => (...given) => {
      if (isOver) return
      isOver = true
      this.#safely(`what came of the request \`${call}\` is not recorded as it was`, () => work(...given))
    }
    return {
      problem: (message, help) => this.problem(`the answer of \`${call}\` ${message}`, help),
      chunk: (delta) => chunks.push(delta),
      answered: once((answer) => {
        tellChunks(JSON.stringify(answer))
        const { output, tool_calls: calls, ...rest } = answer
        if (output !== undefined) protocol.keep(body, this.#memory, { id: answer.id, output, content: output })
        const told = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: argumentText(given) }))
        const fields = Object.fromEntries(Object.entries(rest).filter(isSet))
        this.#tell('modelAnswered', { call, ...fields, ...(told.length > 0 ? { tool_calls: told } : {}) })
        // The store has the calls as data.
        const data = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: parsed(given) ?? {} }))
        const message = { role: 'assistant', content: rest.content ?? '', ...(data.length > 0 ? { tool_calls: data } : {}) }
        this.#append(message, { call })
      }),
      failed: once((error) => {
        tellChunks(chunks.map(({ text, reasoning, refusal, tool_call_delta: part }) => text ?? reasoning ?? refusal ?? part?.arguments ?? '').join(''))
        this.#tell('modelFailed', { call, error })
      }),
    }
  }
}
