// Transcripts that a language model writes: asked, checked, mended.
import { countsOf } from '../adapters/usage.js'
import { plain } from '../api/data.js'
import { misuse } from '../api/misuse.js'
import { checkNames, kindOf, openingOf } from '../api/options.js'
import { isSignal, raced, thrownOf } from '../api/abort.js'
import { GenerateError } from './generate-error.js'
import { modelOf } from './models/index.js'

/** What is wanted, with the core's names. */
const WANTED = { name: 'name', tools: 'tools', tone: 'tone', turns: 'turns', edgeCases: 'edge_cases', assertions: 'assertions', format: 'format', rounds: 'rounds', color: 'color' }
const LIMITS = ['maxBytes', 'maxDepth', 'maxAliasNodes', 'maxAliasBytes', 'maxExpanded', 'rules']
const ASKING = ['model', 'endpoint', 'anthropic', 'maxTokens', 'temperature', 'stream', 'retries', 'prices', 'signal', 'onProgress']
const KINDS = { wanted: 'an object or a list', state: 'an object or a list', finish: 'a text' }

const WORDS = {
  problems: (found) => `the transcript has ${found.diagnostics.filter(({ severity }) => severity === 'error').length || 'other'} problems`,
  truncated: () => 'the reply was cut off; raise `maxTokens`, or ask for fewer `turns`',
  refused: () => 'the model declines',
  empty: () => 'the reply is empty',
  no_document: () => 'there is no transcript in the reply',
}

/** What is told of a transcript that is in order though the model, or its filter, says that it declines. */
const FILTERED = {
  message: 'the reply ended as declined or filtered, though a whole transcript stands in it',
  help: 'something may be missing at its end: read it before you rely on it',
}

const checked = (name, value, is, wanted) => {
  if (value !== undefined && !is(value)) throw misuse(`the option \`${name}\` of generate() is ${wanted}, but got ${kindOf(value)}`)
}

const isCount = (most) => (value) => Number.isSafeInteger(value) && value >= 0 && value <= most
const isAmount = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0

const checkAsking = ({ maxTokens, temperature, stream, retries, prices, signal, onProgress }) => {
  checked('maxTokens', maxTokens, (value) => isCount(10_000_000)(value) && value > 0, 'a whole number from 1')
  checked('temperature', temperature, isAmount, 'a number from 0')
  checked('stream', stream, (value) => typeof value === 'boolean', 'true or false')
  checked('retries', retries, isCount(10), 'a whole number from 0 to 10')
  checked('prices', prices, (value) => isAmount(value?.input) && isAmount(value?.output), '{input, output}, the prices of a million tokens')
  checked('signal', signal, isSignal, 'an AbortSignal')
  checked('onProgress', onProgress, (value) => typeof value === 'function', 'a function')
}

/** A tool of a framework may be an object with functions in it; what it declares is data. */
const declared = (tool) => {
  if (typeof tool !== 'object' || tool === null) return tool
  const { type, function: inner, name, description, parameters, input_schema: input, inputSchema, schema } = tool
  const given = parameters ?? input ?? inputSchema ?? schema
  // The AI SDK wraps a schema; one of Zod has no data to show.
  const data = given?.jsonSchema ?? given
  const isData = typeof data === 'object' && data !== null && typeof data.then !== 'function' && typeof data.parse !== 'function'
  return { type, name, description, ...(inner !== undefined && { function: inner }), ...(isData && { parameters: data }) }
}

const declaredTools = (tools) => {
  if (Array.isArray(tools)) return tools.map(declared)
  if (typeof tools !== 'object' || tools === null) return tools
  if (tools.tools !== undefined) return declaredTools(tools.tools)
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, declared(tool)]))
}

const wantedOf = (options) => {
  const given = Object.entries(WANTED).filter(([name]) => options[name] !== undefined)
  const wanted = given.map(([name, inner]) => [inner, plain(name === 'tools' ? declaredTools(options.tools) : options[name], `\`${name}\``)])
  return Object.fromEntries(wanted)
}

const openings = (options) => Object.fromEntries(LIMITS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]))

/** What all calls of the model took. */
const meter = (prices) => {
  const sum = { calls: 0, inputTokens: null, outputTokens: null, totalTokens: null }
  const add = (name, count) => {
    if (count !== undefined) sum[name] = (sum[name] ?? 0) + count
  }
  return {
    add: (usage) => {
      const { input, output, total } = countsOf(usage)
      sum.calls += 1
      add('inputTokens', input)
      add('outputTokens', output)
      add('totalTokens', total)
    },
    told: () => {
      const { inputTokens, outputTokens } = sum
      const isKnown = prices !== undefined && inputTokens !== null && outputTokens !== null
      return { usage: { ...sum }, cost: isKnown ? (inputTokens * prices.input + outputTokens * prices.output) / 1e6 : null }
    },
  }
}

export const generating = (call) => {
  const text = (name, value, what) => {
    if (typeof value !== 'string') throw misuse(`${name}() takes ${what} as a text, but got ${kindOf(value)}`)
    return value
  }
  const stateOf = (name, state) => {
    if (typeof state !== 'object' || state === null) throw misuse(`${name}() takes the state that generate.prompt() gave, but got ${kindOf(state)}`)
    const { messages, round, rounds, kept, options } = state
    return plain({ messages, round, rounds, kept, options }, 'the state')
  }
  const ask = (operation, options, source) => call(operation, options, KINDS, [source])

  const prompt = (description, options = {}) => {
    text('generate.prompt', description, 'a description')
    checkNames('generate.prompt', options, [...Object.keys(WANTED), ...LIMITS])
    return ask('generatePrompt', { ...openings(options), wanted: wantedOf(options) }, description)
  }
  const reply = (said, options = {}) => {
    text('generate.reply', said, 'a reply')
    checkNames('generate.reply', options, ['state', 'finish', ...LIMITS])
    const { state, finish } = options
    const own = { ...(state !== undefined && { state: stateOf('generate.reply', state) }), ...(finish !== undefined && { finish }) }
    return ask('generateReply', { ...openings(options), ...own }, said)
  }
  const repair = (state, said, options = {}) => {
    text('generate.repair', said, 'a reply')
    checkNames('generate.repair', options, ['finish', ...LIMITS])
    const { finish } = options
    const own = { state: stateOf('generate.repair', state), ...(finish !== undefined && { finish }) }
    return ask('generateRepair', { ...openings(options), ...own }, said).next
  }

  const generate = async (description, options = {}) => {
    checkNames('generate', options, [...Object.keys(WANTED), ...LIMITS, ...ASKING])
    checkAsking(options)
    const model = modelOf(options)
    const opening = openings(options)
    openingOf('generate', opening)
    const wanted = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(WANTED, name)))
    let state = prompt(description, { ...wanted, ...opening })
    const { schema } = state
    const { signal, onProgress = () => {}, maxTokens, temperature, retries = 2, prices } = options
    const { add, told } = meter(prices)
    let last = { text: null, reply: null, diagnostics: [], rendered: '' }
    for (;;) {
      signal?.throwIfAborted()
      const { round } = state
      onProgress({ phase: 'asking', round, characters: 0, text: '' })
      let answer
      try {
        answer = await model({
          messages: state.messages,
          ...(options.format === 'json' && { schema }),
          maxTokens, temperature, retries, signal,
          // A model of the AI SDK may have only one of the two.
          stream: options.stream ?? (options.model === undefined || options.onProgress !== undefined),
          onText: (text) => onProgress({ phase: 'writing', round, characters: text.length, text }),
          onWait: (ms, httpStatus) => onProgress({ phase: 'waiting', round, characters: 0, text: '', ms, httpStatus }),
        })
      } catch (error) {
        signal?.throwIfAborted()
        if (error?.code === 'ERR_TRANSCRIPT_MISUSE') throw error
        const isOurs = error instanceof GenerateError
        const message = isOurs ? error.message : `the model failed: ${thrownOf(error).message}`
        const about = isOurs ? { status: error.status, httpStatus: error.httpStatus, reply: error.reply || last.reply } : { status: 'model', reply: last.reply, cause: error }
        throw new GenerateError(message, { ...last, ...about, rounds: round, state, ...told() })
      }
      add(answer.usage)
      signal?.throwIfAborted()
      const { finish } = answer
      const found = reply(answer.text, { state, finish, ...opening })
      onProgress({ phase: 'checked', round, characters: answer.text.length, text: answer.text, status: found.status })
      if (found.ok) return { ...found, problems: finish === 'refusal' ? [FILTERED] : [], rounds: round, ...told() }
      // A reply that holds nothing takes nothing away from what there was.
      last = { text: found.text ?? last.text, diagnostics: found.text === null ? last.diagnostics : found.diagnostics, rendered: found.text === null ? last.rendered : found.rendered, reply: answer.text }
      const next = repair(state, answer.text, { finish, ...opening })
      if (next === null) {
        const after = round === 0 ? '' : ` after ${round} ${round === 1 ? 'repair' : 'repairs'}`
        const shown = found.rendered === '' ? '' : `\n\n${found.rendered}`
        throw new GenerateError(`no transcript came of it${after}: ${WORDS[found.status](found)}${shown}`, { ...last, status: found.status, rounds: round, state, ...told() })
      }
      state = next
    }
  }
  return { generate: Object.assign(generate, { prompt, reply, repair }), GenerateError }
}
