// The recorded results of tools, for a live agent.
import type { ToolSessionHandle } from '#core'
import type { Json, ReplaySettings, ToolTape as PublicToolTape } from '../types/index.ts'
import type { ToolOutcome } from './answers.ts'
import { invoke, beginTools } from './core.ts'
import { type TranscriptDocument, handleOf } from './document.ts'
import { disposable } from './disposable.ts'
import { RecordedToolError, TranscriptDivergenceError } from './errors.ts'
import { FIND_RESULT } from './find-result.ts'
import { invalidState, misuse } from './misuse.ts'
import { kindOf } from './options.ts'
import { requestJson } from './request.ts'
import { withJsonErrors } from './json-errors.ts'
import { addSymbolMethod } from './symbol-method.ts'

/** A call of a tool. */
interface ToolRequest {
  id?: string | undefined
  name: string
  arguments: unknown
}

/** The recorded result of a call. */
interface ToolResult {
  step: string
  result: Json
}

export class ToolTape implements PublicToolTape {
  declare readonly [Symbol.dispose]: () => void
  readonly #document: TranscriptDocument
  readonly #file: string
  #session: ToolSessionHandle | undefined
  readonly #allowsLeftover: boolean
  #diverged: TranscriptDivergenceError | undefined

  constructor(document: TranscriptDocument, file: string, match: string, settings: ReplaySettings) {
    disposable(this)
    addSymbolMethod(this, FIND_RESULT, (call: ToolRequest) => this.#findResult(call))
    this.#document = document
    this.#file = file
    this.#allowsLeftover = settings.leftover === 'allow'
    this.#session = beginTools(handleOf(document)!, match, JSON.stringify(settings))
  }

  #live() {
    if (this.#session === undefined) throw invalidState('this tape has been freed')
    return this.#session
  }

  get file() {
    return this.#file
  }

  get leftover() {
    return invoke(this.#live(), 'leftover')
  }

  get expectedToolCalls() {
    this.#live()
    return this.#document.expectations.toolCalls
  }

  get expectedConfig() {
    this.#live()
    return this.#document.expectations.config
  }

  /** The recorded result of a call; undefined without one, which is no divergence yet. */
  #findResult(call: ToolRequest): ToolResult | undefined {
    const answer = this.#findRecorded(call)
    return answer.kind === 'miss' ? undefined : this.#resultOrThrow(answer)
  }

  call(call: ToolRequest): ToolResult {
    return this.#resultOrThrow(this.#findRecorded(call))
  }

  #findRecorded(call: ToolRequest): ToolOutcome & { name: string } {
    if (typeof call?.name !== 'string') {
      throw misuse(`call() takes {name, arguments} and perhaps an id, but got ${kindOf(call)}`)
    }
    const { id, name, arguments: args } = call
    return { name, ...JSON.parse(invoke(this.#live(), 'call', withJsonErrors({ id, name, arguments: args }, 'the call', requestJson))) }
  }

  #resultOrThrow({ name, ...answer }: ToolOutcome & { name: string }): ToolResult {
    if (answer.kind === 'result') return { step: answer.step, result: answer.result }
    if (answer.kind === 'error') throw RecordedToolError.create(this.#file, answer)
    const { nearest, hint, text } = answer.miss
    const [near] = nearest
    const actual = near?.path == null ? name : near.actual
    const found = { step: near?.step ?? '', path: near?.path ?? 'name', expected: near?.expected }
    const divergence = TranscriptDivergenceError.create(this.#file, {
      ...found,
      actual,
      nearest: nearest.map(({ step, path }) => ({ step, path, reason: path === null ? 'used already' : `${path} differs` })),
      hint,
      text,
    })
    this.#diverged ??= divergence
    throw divergence
  }

  /** A function for a framework's tool that answers with the recorded results of the tool `name`. */
  tool(name: string) {
    return async (args: unknown, { toolCallId: id }: { toolCallId?: string } = {}) => this.call({ id, name, arguments: args }).result
  }

  assertComplete() {
    if (this.#diverged !== undefined) throw this.#diverged
    const { leftover } = this
    if (leftover.length === 0 || this.#allowsLeftover) return
    const hint = "the agent calls fewer tools than were recorded: record the run again, or allow it with `leftover: 'allow'`"
    const calls = leftover.length === 1 ? 'tool call was' : 'tool calls were'
    const text = `${leftover.length} recorded ${calls} not made\n  next: step ${leftover[0]}\n  hint: ${hint}`
    const rest = { step: leftover[0]!, path: 'tool_calls', nearest: [], hint, text }
    throw TranscriptDivergenceError.create(this.#file, rest)
  }

  free() {
    this.#session?.free()
    this.#session = undefined
    this.#document.free()
  }
}
