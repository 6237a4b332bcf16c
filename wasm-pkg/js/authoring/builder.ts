// Transcripts written by a program. The calls are recorded as they come, and the core makes the transcript of them.
import { misuse } from '../api/misuse.ts'
import { kindOf } from '../api/options.ts'
import { nameFromPath, systemClock, formatTime } from '../api/saving.ts'
import type { BuildOptions, BuildProblem } from '../types/index.ts'
import type { CallModule } from './wasm-module.ts'

/** The methods, each of which takes one argument that the core knows by the method's name. */
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

/** Lets `save` write files; the entry for Node calls it. */
export const useWriting = (writeFile: WriteFile) => {
  write = writeFile
}

const isMap = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws where `value` holds what JSON cannot express, of which something else would be built. */
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

/** The builder and its short names. */
export const createBuilder = (call: CallModule) => {
  class TranscriptBuilder {
    #name: string
    #created: unknown
    #clock: () => string | number | Date
    #steps: { [method: string]: unknown }[] = []

    constructor(name: string, options: BuildOptions = {}) {
      if (typeof name !== 'string') throw misuse('a transcript is built with a name, which is a text')
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

    static {
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

    withTools(...tools: unknown[]) {
      return this.#add('withTools', tools.flat())
    }

    /** Takes the content and further fields, or all of it in one object. */
    thenLlmResponds(...args: [content?: unknown, options?: object]) {
      const [content, options] = args
      checkArgumentCount('thenLlmResponds', args, 2)
      return this.#add('thenLlmResponds', options === undefined ? content : { content, ...options })
    }

    /** Takes the type and further fields, or all of it in one object. */
    withAssertion(...args: [type?: unknown, fields?: object]) {
      const [type, fields] = args
      checkArgumentCount('withAssertion', args, isMap(type) ? 1 : 2)
      return this.#add('withAssertion', isMap(type) ? type : { type, ...fields })
    }

    #answer(more: object) {
      const options = { name: this.#name, created: this.#created, steps: this.#steps, ...more }
      const kinds = { name: 'a text', steps: 'an object or a list', created: 'a text', check: 'true or false' } as const
      return call('build', options, kinds, [])
    }

    #built(more: object = {}) {
      const answer = this.#answer(more)
      if (!answer.ok) throw buildError(this.#name, answer.problems)
      return answer
    }

    /** What is wrong with the steps so far: those that cannot be carried out or else what the rules find. */
    problems() {
      return this.#answer({ check: true }).problems
    }

    build() {
      return this.#built().transcript
    }

    toYaml() {
      return this.#built().text
    }

    async save<Path extends string | URL>(path: Path) {
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

  const transcript = (name: string, options?: BuildOptions) => new TranscriptBuilder(name, options)
  return { TranscriptBuilder, transcript }
}
