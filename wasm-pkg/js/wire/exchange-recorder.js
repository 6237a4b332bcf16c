// Requests and answers of a protocol, told to a recorder as the facts of one run.
import { UNRECORDED } from '../api/report-unrecorded.js'
import { parsed } from '../adapters/content.js'
import { heard as heardSoFar, saidOf, withHeard } from '../adapters/partial-answer.js'
import { Memory } from './issued-references.js'
import { once } from './memoize.js'
import { argumentText } from './answer-blocks.js'
import { blanked } from './secrets.js'

/** What tells a message from others: its words, and not the ids that a client may add. */
const writtenKey = ({ role, content, tool_calls: calls = [], tool_call_id: answers }) => JSON.stringify([
  role, content ?? '', calls.map(({ id, name, arguments: given }) => [id, name, parsed(given) ?? {}]), answers ?? null,
])

/** An agent sends its whole history each time: messages that come again are the same objects. */
const keyOf = once(writtenKey)

const nothingSent = () => ({ messages: [], ids: [], seen: new Map() })

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
  /** The request before, which most requests go on with: its messages, their ids, and how often each was said. */
  #last = nothingSent()
  /** What was called, by the ids of the calls. */
  #called = new Map()

  constructor(recorder) {
    this.#recorder = recorder
  }

  /** `own` is what the story itself says, which holds no secret. */
  #tell(kind, fields, own = {}) {
    this.#recorder[kind]({ ...(this.#secrets.length > 0 ? blanked(fields, this.#secrets) : fields), ...own })
  }

  #append(message, more = {}) {
    this.#messages += 1
    const id = numbered('msg', this.#messages)
    const key = keyOf(message)
    if (!this.#known.has(key)) this.#known.set(key, [])
    this.#known.get(key).push(id)
    const { is_error: isError, tool_calls: all = [], ...told } = message
    const calls = all.filter(({ name }) => typeof name === 'string' && name !== '')
    if (calls.length < all.length) this.problem(`the message \`${id}\` calls a tool without a name, and that call is not recorded`)
    if (calls.length > 0) told.tool_calls = calls
    for (const call of calls) this.#called.set(call.id, call)
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
    const { messages: before } = this.#last
    const goesOn = before.length <= messages.length && before.every((message, at) => message === messages[at])
    const { ids, seen } = goesOn ? this.#last : { ids: [], seen: new Map() }
    // Where this ends early, the next request is none that goes on with it.
    this.#last = nothingSent()
    for (const message of messages.slice(ids.length)) {
      const key = keyOf(message)
      const nth = seen.get(key) ?? 0
      seen.set(key, nth + 1)
      ids.push(this.#known.get(key)?.[nth] ?? this.#append(message))
    }
    this.#last = { messages, ids, seen }
    return [...ids]
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
      ...(typeof body.model === 'string' ? { model: body.model } : {}),
      config: Object.fromEntries(Object.entries(config).filter(isSet)),
      ...(tools?.length > 0 ? { tools } : {}),
    }, { messages: this.#idsOf(messages) })
    let chunks = []
    /** The pieces are told when all are there: a secret may stand in several of them, and is then in none. */
    const tellChunks = (whole) => {
      if (this.#secrets.some((secret) => whole.includes(secret))) return
      for (const delta of chunks) this.#tell('chunk', { call, delta })
    }
    const answered = (answer) => {
      tellChunks(JSON.stringify(answer))
      const { output, tool_calls: calls, ...rest } = { ...answer, reasoning: answer.reasoning || undefined, refusal: answer.refusal || undefined }
      if (output !== undefined) protocol.keep(body, this.#memory, { id: answer.id, output, content: output })
      const told = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: argumentText(given) }))
      const fields = Object.fromEntries(Object.entries(rest).filter(isSet))
      this.#tell('modelAnswered', { call, ...fields, ...(told.length > 0 ? { tool_calls: told } : {}) })
      // The store has the calls as data.
      const data = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: parsed(given) ?? {} }))
      const message = { role: 'assistant', content: rest.content ?? '', ...(data.length > 0 ? { tool_calls: data } : {}) }
      this.#append(message, { call })
    }
    const failed = (error) => {
      const whole = chunks.map(({ text, reasoning, refusal, tool_call_delta: part }) => text ?? reasoning ?? refusal ?? part?.arguments ?? '').join('')
      tellChunks(whole)
      const isSecret = this.#secrets.some((secret) => whole.includes(secret))
      this.#tell('modelFailed', { call, error: isSecret ? error : withHeard(error, chunks.reduce(heardSoFar, [])) })
    }
    /** What was heard until then is the answer; a call of a tool that was not heard to its end is none. */
    const givenUp = (error) => {
      chunks = chunks.filter(({ tool_call_delta: part }) => part === undefined)
      return chunks.length === 0 ? failed(error) : answered({ ...saidOf(chunks), finish_reason: error.type })
    }
    let isOver = false
    const only = (work) => (given) => {
      if (isOver) return
      isOver = true
      this.#safely(`what came of the request \`${call}\` is not recorded as it was`, () => work(given))
    }
    return {
      problem: (message, help) => this.problem(`the answer of \`${call}\` ${message}`, help),
      chunk: (delta) => chunks.push(delta),
      answered: only(answered),
      failed: only(failed),
      givenUp: only(givenUp),
    }
  }
}
