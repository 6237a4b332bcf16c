// Whoever writes: an endpoint, a model of the AI SDK, or a function of the caller.
import { readExchange } from '../../api/bundle.ts'
import { misuse } from '../../api/misuse.ts'
import { checkNames, kindOf } from '../../api/options.ts'
import { raceAbort } from '../../api/abort.ts'
import type { GenerateEndpoint, GenerateFunction, GenerateOptions } from '../../types/index.ts'
import { aiSdk, isAiSdkModel } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import type { CallModel } from './request.ts'

const TEXTS = ['baseURL', 'apiKey', 'model'] as const
const OWN = [...TEXTS, 'headers', 'body', 'fetch']

/** Keys belong to the caller: errors about an endpoint do not contain its values. */
const checkEndpoint = (name: string, value: GenerateEndpoint) => {
  if (typeof value !== 'object' || value === null)
    throw misuse(`the option \`${name}\` of generate() is an object, but got ${kindOf(value)}`)
  checkNames(`\`${name}\` of generate`, value, OWN)
  for (const key of TEXTS) {
    const isText = typeof value[key] === 'string' && value[key] !== ''
    if (value[key] !== undefined && !isText)
      throw misuse(`\`${name}.${key}\` of generate() is a string, but got ${value[key] === '' ? 'an empty one' : kindOf(value[key])}`)
  }
  if (value.model === undefined) throw misuse(`\`${name}\` of generate() needs \`model\`, the name of a model there`)
  if (value.baseURL !== undefined && !/^https?:\/\//.test(value.baseURL))
    throw misuse(`\`${name}.baseURL\` of generate() is an address that begins with http:// or https://`)
  return value
}

const fromFunction =
  (model: GenerateFunction): CallModel =>
  async ({ messages, schema, signal, maxTokens, temperature }) => {
    const result = await raceAbort((async () => model(messages, { signal, schema, maxTokens, temperature }))(), signal)
    const answer = typeof result === 'string' ? { text: result } : result
    if (typeof answer?.text !== 'string')
      throw misuse(`the function in \`model\` of generate() returns a string, or an object with \`text\`, but returned ${kindOf(result)}`)
    const { text, finish = '', usage } = answer
    if (!['', 'stop', 'length', 'refusal'].includes(finish))
      throw misuse('the `finish` that the function in `model` of generate() returns is `stop`, `length` or `refusal`')
    return { text, finish, usage }
  }

/** Creates the function that calls a model: it takes `{messages, schema, signal, onText, …}` and returns `{text, finish, usage}`. */
export const createModel = ({ model, endpoint, anthropic: claude }: GenerateOptions): CallModel => {
  const options = { model, endpoint, anthropic: claude }
  const names = (Object.keys(options) as (keyof typeof options)[]).filter((name) => options[name] !== undefined)
  if (names.length !== 1) {
    const got = names.length === 0 ? 'none of them' : names.map((name) => `\`${name}\``).join(' and ')
    throw misuse(
      `generate() takes one of \`model\`, \`endpoint\` and \`anthropic\`, but got ${got}; without a model there are generate.prompt() and generate.assess()`,
    )
  }
  if (endpoint !== undefined) return openai(checkEndpoint('endpoint', endpoint), readExchange)
  if (claude !== undefined) return anthropic(checkEndpoint('anthropic', claude), readExchange)
  if (typeof model === 'function') return fromFunction(model)
  if (isAiSdkModel(model)) return aiSdk(model)
  throw misuse(
    `the option \`model\` of generate() is a function or a model of the AI SDK, but got ${kindOf(model)}; pass the name of a model in \`endpoint\``,
  )
}
