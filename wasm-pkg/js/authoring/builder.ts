// Transcripts written by a program. The calls are recorded as they come, and the core makes the transcript of them.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { nameFromPath, systemClock, formatTime } from '../api/saving.ts'
import type {
  BuildOptions,
  BuildProblem,
  BuilderData,
  BuilderMessage,
  BuilderResponse,
  BuilderStep,
  BuilderToolRun,
  Json,
} from '../types/index.ts'
import { call } from './wasm-module.ts'

/** The methods with one argument, which the core knows by the method's name. */
const ONE_ARGUMENT = [
  'withMetadata',
  'withConfig',
  'withContext',
  'withSystemMessage',
  'withDeveloperMessage',
  'withUserMessage',
  'withMessage',
  'thenUserSays',
  'thenMessage',
  'thenLlmFails',
  'thenNestedRun',
  'thenContext',
  'thenContextRemoved',
  'thenHides',
  'thenShows',
]

/** The methods that take a tool, its parameters and its outcome one by one, or all in one object. */
const TOOL = { thenToolExecutes: 'result', thenToolFails: 'error' }

type WriteFile = (path: string | URL, text: string) => Promise<void>

let write: WriteFile | undefined

/** Lets `save` write files; the entry for Node calls it. @internal */
export const useWriting = (writeFile: WriteFile) => {
  write = writeFile
}

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws if `value` contains what JSON cannot express: the build would change it. */
const checkData = (value: unknown, place: string, above: readonly object[] = []) => {
  const refuse = (what: string) => {
    throw misuse(`${place}: ${what} cannot be written as data`)
  }
  if (['bigint', 'function', 'symbol'].includes(typeof value)) refuse(`a ${typeof value}`)
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(String(value))
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) refuse('a date that is none')
    return
  }
  if (above.includes(value)) refuse('an object that holds itself')
  for (const inner of Object.values(value)) checkData(inner, place, [...above, value])
}

/** Throws if a method gets more arguments than it takes. */
const checkArgumentCount = (method: string, args: readonly unknown[], most: number) => {
  if (args.length > most) {
    throw misuse(`${method}() takes ${most === 1 ? 'one argument' : `${most} arguments`}, not ${args.length}`)
  }
}

/** An error that names every step at fault. */
const buildError = (name: string, problems: readonly BuildProblem[]) => {
  const lines = problems.map(({ step, method, message, help }) => {
    const place = step > 0 ? `step ${step}, ${method}()` : `${method}()`
    return `  ${place}: ${message}${help ? `; ${help}` : ''}`
  })
  const error = misuse(`the transcript \`${name}\` cannot be built:\n${lines.join('\n')}`)
  return Object.assign(error, { problems })
}

/** The methods that are made from lists of their names. */
export interface TranscriptBuilder {
  withMetadata(metadata: BuilderData): this
  withConfig(config: BuilderData): this
  withContext(context: BuilderData): this
  withSystemMessage(message: BuilderMessage): this
  withDeveloperMessage(message: BuilderMessage): this
  withUserMessage(message: BuilderMessage): this
  withMessage(message: { content: Json; role: string } & BuilderStep): this
  thenUserSays(message: BuilderMessage): this
  thenMessage(message: { content: Json; role: string } & BuilderStep): this
  thenLlmFails(error: string | { type?: string; message?: string; status?: number; agent?: string; at?: string }): this
  thenToolExecutes(tool: string, parameters?: Json, result?: Json, options?: Partial<BuilderToolRun> & { success?: boolean }): this
  thenToolExecutes(run: BuilderToolRun & { result?: Json; success?: boolean; error?: string }): this
  thenToolFails(tool: string, parameters: Json, error: string, options?: Partial<BuilderToolRun> & { result?: Json }): this
  thenToolFails(run: BuilderToolRun & { error: string; result?: Json }): this
  thenNestedRun(run: BuilderToolRun & { agentId?: string; response?: Json; transcript?: Json }): this
  /** Keys of the context that the turn before sets. */
  thenContext(context: BuilderData): this
  thenContextRemoved(keys: string | string[]): this
  /** Ids of messages that the model no longer sees after the turn before. */
  thenHides(ids: string | string[]): this
  thenShows(ids: string | string[]): this
}

/** Writes a transcript step by step. `build`, `toYaml` and `save` report every invalid step. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `defineMethods` defines each method of the interface.
export class TranscriptBuilder {
  #name: string
  #created: unknown
  #clock: () => string | number | Date
  #steps: { [method: string]: unknown }[] = []

  constructor(name = '', options: BuildOptions = {}) {
    if (typeof name !== 'string') throw misuse('the name of a transcript is a string')
    if (!isMap(options)) throw misuse('the options of a transcript are an object')
    const unknown = Object.keys(options).find((key) => key !== 'created' && key !== 'clock')
    if (unknown !== undefined) throw misuse(`a transcript has no option \`${unknown}\`; it has \`created\` and \`clock\``)
    const { created, clock = systemClock }: BuildOptions = options
    checkData(created, 'created')
    if (typeof clock !== 'function') throw misuse(`the option \`clock\` of a transcript is a function, but got ${kindOf(clock)}`)
    this.#clock = clock
    this.#name = name
    this.#created = created instanceof Date ? created.toISOString() : created
  }

  #add(method: string, argument: unknown) {
    checkData(argument, `step ${this.#steps.length + 1}, ${method}()`)
    this.#steps.push({ [method]: argument ?? null })
    return this
  }

  /**
   * Defines the methods of the interface. An entry has that done: done while the module is loaded, it would keep the class in bundles
   * that make no use of it.
   * @internal
   */
  static defineMethods() {
    for (const method of ONE_ARGUMENT) {
      Object.defineProperty(this.prototype, method, {
        value(this: TranscriptBuilder, ...args: unknown[]) {
          checkArgumentCount(method, args, 1)
          return this.#add(method, args[0])
        },
        configurable: true,
        writable: true,
      })
    }
    for (const [method, last] of Object.entries(TOOL)) {
      Object.defineProperty(this.prototype, method, {
        value(this: TranscriptBuilder, ...args: [tool?: unknown, parameters?: unknown, outcome?: unknown, options?: object]) {
          const [tool, parameters, outcome, options] = args
          checkArgumentCount(method, args, isMap(tool) ? 1 : 4)
          return this.#add(method, isMap(tool) ? tool : { tool, parameters, [last]: outcome, ...options })
        },
        configurable: true,
        writable: true,
      })
    }
  }

  /** Names, or maps of a name with a description and a JSON Schema. */
  withTools(...tools: (string | BuilderData | (string | BuilderData)[])[]): this {
    return this.#add('withTools', tools.flat())
  }

  /** Takes the content and further fields, or all of it in one object. */
  thenLlmResponds(content: string, options?: BuilderResponse): this
  thenLlmResponds(response: { content?: Json } & BuilderResponse): this
  thenLlmResponds(...args: [content?: unknown, options?: object]): this {
    const [content, options] = args
    checkArgumentCount('thenLlmResponds', args, 2)
    return this.#add('thenLlmResponds', options === undefined ? content : { content, ...options })
  }

  /** Takes the type and further fields, or all of it in one object. */
  withAssertion(type: string, fields?: BuilderData): this
  withAssertion(assertion: { type: string } & BuilderData): this
  withAssertion(...args: [type?: unknown, fields?: object]): this {
    const [type, fields] = args
    checkArgumentCount('withAssertion', args, isMap(type) ? 1 : 2)
    return this.#add('withAssertion', isMap(type) ? type : { type, ...fields })
  }

  #answer(more: object) {
    const options = { name: this.#name, created: this.#created, steps: this.#steps, ...more }
    const kinds = { name: 'a string', steps: 'an object or an array', created: 'a string', check: 'a boolean' } as const
    return call('build', options, kinds, [])
  }

  #built(more: object = {}) {
    const answer = this.#answer(more)
    if (!answer.ok) throw buildError(this.#name, answer.problems)
    return answer
  }

  /**
   * Every invalid step or, when there is none, what the rules find in the transcript, in order
   * of the steps. `build` rejects only the former.
   */
  problems(): BuildProblem[] {
    return this.#answer({ check: true }).problems
  }

  /**
   * The transcript in its full form, as data.
   *
   * @throws TypeError with `problems`: every invalid step, `{step, method, message, help}`.
   */
  build(): BuilderData {
    return this.#built().transcript
  }

  /** The same as YAML. */
  toYaml(): string {
    return this.#built().text
  }

  /**
   * Writes it to a file, as JSON when its name ends so; in Node. The file has `metadata.created`, and an empty name becomes
   * that of the file.
   */
  async save<Path extends string | URL>(path: Path): Promise<Path> {
    if (write === undefined) throw misuse('save() writes files, which only Node can: use toYaml() here')
    // A saved file has its name and its creation time.
    const { text, transcript } = this.#built({
      name: this.#name || nameFromPath(path),
      created: this.#created ?? formatTime(this.#clock()),
    })
    await write(path, /\.json$/i.test(String(path)) ? `${JSON.stringify(transcript, null, 2)}\n` : text)
    return path
  }
}

/**
 * Starts a transcript.
 *
 * @param name The name of the run.
 * @returns A builder. Its methods add a step each, and return the builder.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * await transcript('weather')
 *   .withUserMessage("What's the weather?")
 *   .thenLlmResponds('', { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] })
 *   .thenToolExecutes({ tool: 'weather', parameters: { city: 'Rome' }, result: { temp: 21 } })
 *   .thenLlmResponds("It's 21°C.")
 *   .save('weather.yaml')
 */
export const transcript = (name?: string, options?: BuildOptions): TranscriptBuilder => new TranscriptBuilder(name, options)
