// Generates transcripts with a language model: prompt, check, repair.
import { tokenCounts } from '../adapters/usage.ts'
import { toData } from '../api/data.ts'
import { misuse } from '../api/misuse.ts'
import { checkNames, kindOf, openingOf } from '../api/options.ts'
import { isAbortSignal, errorData } from '../api/abort.ts'
import type { Fields } from '../api/fields.ts'
import type {
  Generate,
  GenerateOptions,
  GeneratePrompt,
  GeneratePromptOptions,
  GenerateAssessment,
  GenerateResult,
  GenerateState,
  GenerateUsage,
  Options,
  AssessOptions,
  AssessmentStatus,
} from '../types/index.ts'
import { GenerateError, type GenerateFailure } from './generate-error.ts'
import { createModel } from './models/index.ts'
import type { ReadModelResponse } from './models/request.ts'
import { call } from './wasm-module.ts'

/** The options, with the core's names. */
const WANTED_KEYS = {
  name: 'name',
  tools: 'tools',
  tone: 'tone',
  turns: 'turns',
  edgeCases: 'edge_cases',
  assertions: 'assertions',
  format: 'format',
  rounds: 'rounds',
  color: 'color',
}
const LIMITS = ['maxBytes', 'maxDepth', 'maxAliasNodes', 'maxAliasBytes', 'maxExpanded', 'rules'] as const
const REQUEST_OPTIONS = [
  'model',
  'endpoint',
  'anthropic',
  'maxTokens',
  'temperature',
  'stream',
  'retries',
  'prices',
  'signal',
  'onProgress',
]
const KINDS = { wanted: 'an object or an array', state: 'an object or an array', finish: 'a string' } as const

const STATUS_TEXTS: { [Status in Exclude<AssessmentStatus, 'ok'>]: (found: GenerateAssessment) => string } = {
  problems: (found) => `the transcript has ${found.diagnostics.filter(({ severity }) => severity === 'error').length || 'other'} problems`,
  truncated: () => 'the response was cut off; raise `maxTokens`, or ask for fewer `turns`',
  refused: () => 'the model declines',
  empty: () => 'the response is empty',
  no_document: () => 'there is no transcript in the response',
}

/** The warning about a valid transcript if the response ended as declined or filtered. */
const FILTERED = {
  message: 'the response ended as declined or filtered, but has a whole transcript',
  help: 'something may be missing at its end: read it before you rely on it',
}

const checkOption = (name: string, value: unknown, is: (value: unknown) => boolean, wanted: string) => {
  if (value !== undefined && !is(value)) throw misuse(`the option \`${name}\` of generate() is ${wanted}, but got ${kindOf(value)}`)
}

const isCount = (most: number) => (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0

const checkRequestOptions = ({ maxTokens, temperature, stream, retries, prices, signal, onProgress }: GenerateOptions) => {
  checkOption('maxTokens', maxTokens, (value) => isCount(10_000_000)(value) && (value as number) > 0, 'an integer from 1')
  checkOption('temperature', temperature, isAmount, 'a number from 0')
  checkOption('stream', stream, (value) => typeof value === 'boolean', 'a boolean')
  checkOption('retries', retries, isCount(10), 'an integer from 0 to 10')
  checkOption(
    'prices',
    prices,
    (value) => isAmount((value as Fields)?.input) && isAmount((value as Fields)?.output),
    '{input, output}, the prices of a million tokens',
  )
  checkOption('signal', signal, isAbortSignal, 'an AbortSignal')
  checkOption('onProgress', onProgress, (value) => typeof value === 'function', 'a function')
}

/** A tool of a framework may be an object with functions in it; what it declares is data. */
const toolDeclaration = (tool: unknown) => {
  if (typeof tool !== 'object' || tool === null) return tool
  const {
    type,
    function: inner,
    name,
    description,
    parameters,
    input_schema: input,
    inputSchema,
    schema,
  } = tool as { [field: string]: unknown }
  const declaredSchema = parameters ?? input ?? inputSchema ?? schema
  // The AI SDK wraps a schema; one of Zod has no data to show.
  const data = (declaredSchema as Fields)?.jsonSchema ?? declaredSchema
  const isData =
    typeof data === 'object' &&
    data !== null &&
    typeof (data as NonNullable<Fields>).then !== 'function' &&
    typeof (data as NonNullable<Fields>).parse !== 'function'
  return { type, name, description, ...(inner !== undefined && { function: inner }), ...(isData && { parameters: data }) }
}

const toolDeclarations = (tools: unknown): unknown => {
  if (Array.isArray(tools)) return tools.map(toolDeclaration)
  if (typeof tools !== 'object' || tools === null) return tools
  if ((tools as { tools?: unknown }).tools !== undefined) return toolDeclarations((tools as { tools?: unknown }).tools)
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, toolDeclaration(tool)]))
}

const wantedData = (options: GeneratePromptOptions) => {
  const entries = (Object.entries(WANTED_KEYS) as [keyof typeof WANTED_KEYS, string][]).filter(([name]) => options[name] !== undefined)
  const wanted = entries.map(([name, inner]) => [
    inner,
    toData(name === 'tools' ? toolDeclarations(options.tools) : options[name], `\`${name}\``),
  ])
  return Object.fromEntries(wanted)
}

const openingOptions = (options: Options): Options =>
  Object.fromEntries(LIMITS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]))

/** Sums up the usage of all model calls. */
const createMeter = (prices: GenerateOptions['prices']) => {
  const sum: GenerateUsage = { calls: 0, inputTokens: null, outputTokens: null, totalTokens: null }
  const add = (name: keyof GenerateUsage, count: number | undefined) => {
    if (count !== undefined) sum[name] = (sum[name] ?? 0) + count
  }
  return {
    add: (usage: unknown) => {
      const { input, output, total } = tokenCounts(usage)
      sum.calls += 1
      add('inputTokens', input)
      add('outputTokens', output)
      add('totalTokens', total)
    },
    totals: () => {
      const { inputTokens, outputTokens } = sum
      const isKnown = prices !== undefined && inputTokens !== null && outputTokens !== null
      return { usage: { ...sum }, cost: isKnown ? (inputTokens * prices.input + outputTokens * prices.output) / 1e6 : null }
    },
  }
}

/** What the last response held. */
type LastResponse = Pick<GenerateFailure, 'text' | 'response' | 'diagnostics' | 'rendered'>

const text = (name: string, value: unknown, what: string) => {
  if (typeof value !== 'string') throw misuse(`${name}() takes ${what} as a string, but got ${kindOf(value)}`)
  return value
}
const stateOf = (name: string, state: GenerateState) => {
  if (typeof state !== 'object' || state === null)
    throw misuse(`${name}() takes the state that generate.prompt() returned, but got ${kindOf(state)}`)
  const { messages, round, rounds, partialResponse, options } = state
  return toData({ messages, round, rounds, partialResponse, options }, 'the state')
}
const callModule = <Name extends 'generatePrompt' | 'assessResponse' | 'generateRepair'>(
  operation: Name,
  options: object,
  source: string,
) => call(operation, options, KINDS, [source])

const prompt = (description: string, options: GeneratePromptOptions = {}) => {
  text('generate.prompt', description, 'a description')
  checkNames('generate.prompt', options, [...Object.keys(WANTED_KEYS), ...LIMITS])
  return callModule('generatePrompt', { ...openingOptions(options), wanted: wantedData(options) }, description)
}
const assess = (responseText: string, options: AssessOptions = {}) => {
  text('generate.assess', responseText, 'a response')
  checkNames('generate.assess', options, ['state', 'finish', ...LIMITS])
  const { state, finish } = options
  const own = { ...(state !== undefined && { state: stateOf('generate.assess', state) }), ...(finish !== undefined && { finish }) }
  return callModule('assessResponse', { ...openingOptions(options), ...own }, responseText)
}
const repair = (state: GenerateState, responseText: string, options: Omit<AssessOptions, 'state'> = {}) => {
  text('generate.repair', responseText, 'a response')
  checkNames('generate.repair', options, ['finish', ...LIMITS])
  const { finish } = options
  const own = { state: stateOf('generate.repair', state), ...(finish !== undefined && { finish }) }
  return callModule('generateRepair', { ...openingOptions(options), ...own }, responseText).next
}

const generateTranscript = async (description: string, options: GenerateOptions = {}): Promise<GenerateResult> => {
  checkNames('generate', options, [...Object.keys(WANTED_KEYS), ...LIMITS, ...REQUEST_OPTIONS])
  checkRequestOptions(options)
  const model = createModel(options)
  const opening = openingOptions(options)
  openingOf('generate', opening)
  const wanted = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(WANTED_KEYS, name)))
  let state: GenerateState = prompt(description, { ...wanted, ...opening })
  // The first question has it.
  const { schema } = state as GeneratePrompt
  const { signal, onProgress = () => {}, maxTokens, temperature, retries = 2, prices } = options
  const { add, totals } = createMeter(prices)
  let last: LastResponse = { text: null, response: null, diagnostics: [], rendered: '' }
  for (;;) {
    signal?.throwIfAborted()
    const { round } = state
    onProgress({ phase: 'asking', round, characters: 0, text: '' })
    let answer: ReadModelResponse
    try {
      answer = await model({
        messages: state.messages,
        ...(options.format === 'json' && { schema }),
        maxTokens,
        temperature,
        retries,
        signal,
        // A model of the AI SDK may have only one of the two.
        stream: options.stream ?? (options.model === undefined || options.onProgress !== undefined),
        onText: (text) => onProgress({ phase: 'writing', round, characters: text.length, text }),
        onWait: (delayMs, httpStatus) => onProgress({ phase: 'waiting', round, characters: 0, text: '', delayMs, httpStatus }),
      })
    } catch (error) {
      signal?.throwIfAborted()
      if ((error as Fields)?.code === 'ERR_TRANSCRIPT_MISUSE') throw error
      const isOurs = error instanceof GenerateError
      const message = isOurs ? error.message : `the model failed: ${errorData(error).message}`
      const about: GenerateFailure = isOurs
        ? { status: error.status, httpStatus: error.httpStatus, response: error.response || last.response }
        : { status: 'model', response: last.response, cause: error }
      throw new GenerateError(message, { ...last, ...about, rounds: round, state, ...totals() })
    }
    add(answer.usage)
    signal?.throwIfAborted()
    const { finish } = answer
    const found = assess(answer.text, { state, finish, ...opening })
    onProgress({ phase: 'checked', round, characters: answer.text.length, text: answer.text, status: found.status })
    if (found.ok) return { ...found, problems: finish === 'refusal' ? [FILTERED] : [], rounds: round, ...totals() }
    // A response that holds nothing takes nothing away from what there was.
    last = {
      text: found.text ?? last.text,
      diagnostics: found.text === null ? last.diagnostics : found.diagnostics,
      rendered: found.text === null ? last.rendered : found.rendered,
      response: answer.text,
    }
    const next = repair(state, answer.text, { finish, ...opening })
    if (next === null) {
      const after = round === 0 ? '' : ` after ${round} ${round === 1 ? 'repair' : 'repairs'}`
      const renderedPart = found.rendered === '' ? '' : `\n\n${found.rendered}`
      throw new GenerateError(`no transcript was generated${after}: ${STATUS_TEXTS[found.status](found)}${renderedPart}`, {
        ...last,
        status: found.status,
        rounds: round,
        state,
        ...totals(),
      })
    }
    state = next
  }
}

/**
 * Lets a language model write a described transcript: sends a prompt, checks and replays the response, and lets the
 * model fix errors. Rejects with a `GenerateError` when there is no transcript in the end.
 *
 * ```js
 * const { text } = await generate('The user asks for the weather in Rome', {
 *   endpoint: { baseURL: 'http://localhost:11434/v1', model: 'qwen3' },
 *   tools: ['weather'],
 * })
 * ```
 */
export const generate = generateTranscript as Generate

/**
 * Gives `generate` its parts. An entry has that done when it takes the functions: done while the module is loaded, it would keep all of
 * this in bundles that make no use of it.
 * @internal
 */
export const attachParts = () => Object.assign(generate, { prompt, assess, repair })
