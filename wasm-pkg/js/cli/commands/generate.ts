import { readFileSync } from 'node:fs'
import type {
  GenerateMessage,
  GenerateOptions,
  GenerateProgress,
  GeneratePromptOptions,
  GenerateUsage,
  Options,
} from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { GenerateError, generate as write } from '../authoring.ts'
import type { Arguments, Command, CommonValues } from '../command.ts'
import { UsageError, fileErrorText } from '../failure.ts'
import { readInput } from '../inputs.ts'
import { printable } from '../printable.ts'
import { pluralize, renderError, renderWarning } from '../report.ts'
import { writeOutputExactly } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  tools?: string
  name?: string
  turns?: number
  tone?: string
  'edge-cases'?: true
  'no-assertions'?: true
  rounds?: number
  endpoint?: string
  anthropic?: true
  model?: string
  'api-key-env'?: string
  'max-tokens'?: number
  prompt?: true
  response?: string
  output?: string
}

export const generate: Command<Values> = {
  name: 'generate',
  usage: 'generate DESCRIPTION|- [--tools FILE] [--turns N] [--edge-cases] [--endpoint URL] [--model M] [-o OUT]',
  about: [
    'DESCRIPTION describes the run; - reads it from stdin. The response of the model is validated and replayed. If it has problems,',
    'the model is asked to fix them. OUT gets valid transcripts only: otherwise the last response goes to stdout, its',
    'problems go to stderr, and the exit code is 1.',
    '',
    'Use an endpoint with the chat completions of OpenAI (--endpoint or OPENAI_BASE_URL), or Anthropic. The key is read from the',
    'environment only: OPENAI_API_KEY, ANTHROPIC_API_KEY, or the variable of --api-key-env.',
    '',
    'Without a network: --prompt prints a prompt to paste into a chat, and --response reads the response. It prints the transcript, or',
    'the next prompt and exits with 1.',
  ],
  examples: [
    ['transcript generate "greeting" --turns 2 --prompt', 'print a prompt for a chat'],
    ['transcript generate "weather" --response response.md -o weather.yaml', 'check the response of the chat and write it'],
  ],
  exits: {
    0: 'the transcript is valid',
    1: 'no valid transcript: the last response or the next prompt is printed',
    2: 'invalid arguments, or the endpoint does not answer',
  },
  reads: [
    ['OPENAI_BASE_URL, OPENAI_API_KEY', 'the endpoint and its key, unless options set them'],
    ['ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY', 'the same with --anthropic'],
  ],
  see: ['simulate', 'check', 'generate.md'],
  options: {
    tools: { name: 'FILE', help: 'a JSON file with the tools: names or declarations' },
    name: { name: 'NAME', help: 'the name of the transcript' },
    turns: { number: true, name: 'N', help: 'about how many turns: model calls and tool calls together' },
    tone: { name: 'TEXT', help: 'the tone of the messages' },
    'edge-cases': { flag: true, help: 'include something that goes wrong' },
    'no-assertions': { flag: true, help: 'without assertions' },
    rounds: { number: true, name: 'N', help: 'how often the model can fix its response; 3 by default' },
    endpoint: { name: 'URL', help: 'the endpoint, such as http://localhost:11434/v1' },
    anthropic: { flag: true, help: 'use an Anthropic endpoint' },
    model: { name: 'M', help: 'the name of the model' },
    'api-key-env': { name: 'NAME', help: 'the environment variable with the key' },
    'max-tokens': { number: true, name: 'N', help: 'the maximum number of tokens of a response' },
    prompt: { flag: true, help: 'print the prompt without calling a model' },
    response: { name: 'FILE', help: 'read a response from a file, or - for stdin, without calling a model' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

const decoder = new TextDecoder()

const toolsOf = (path: string | undefined): GenerateOptions['tools'] => {
  if (path === undefined) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read \`${path}\`: ${fileErrorText(error)}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `the tools in \`${path}\` are not JSON: ${(error as Error).message}`,
      '["weather"], or [{"name": "weather", "parameters": {…}}]',
    )
  }
}

/** A prompt as one text, for chats that take one. */
const promptText = ({ messages }: { messages: GenerateMessage[] }) => {
  const [system, user, ...rest] = messages
  // The model's own responses are in the chat already.
  return rest.length === 0 ? `${system!.content}\n${user!.content}` : rest.at(-1)!.content
}

const envVariable = (name: string) => (process.env[name] === '' ? undefined : process.env[name])

const endpointOf = ({ endpoint, anthropic, model, 'api-key-env': variable }: Values): Pick<GenerateOptions, 'endpoint' | 'anthropic'> => {
  if (model === undefined)
    throw new UsageError(
      '`generate` needs `--model`, the name of the model at the endpoint',
      '`--prompt` prints a prompt to paste into any chat instead',
    )
  const [base, key] = anthropic ? ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'] : ['OPENAI_BASE_URL', 'OPENAI_API_KEY']
  const baseURL = endpoint ?? envVariable(base)
  if (variable !== undefined && envVariable(variable) === undefined)
    throw new UsageError(`the environment variable \`${variable}\` is not set`)
  // The usual key is for the usual endpoint: another address gets it only if it is named explicitly.
  const apiKey = envVariable(variable ?? (endpoint === undefined ? key : ''))
  if (apiKey === undefined && baseURL === undefined)
    throw new UsageError(`no API key: \`${key}\` is not set`, 'name its variable with --api-key-env')
  const endpointData = { model, ...(baseURL && { baseURL }), ...(apiKey && { apiKey }) }
  return anthropic ? { anthropic: endpointData } : { endpoint: endpointData }
}

const usageText = ({ calls, totalTokens }: GenerateUsage) =>
  `${pluralize(calls, 'call')}${totalTokens === null ? '' : `, ${pluralize(totalTokens, 'token')}`}`

/** What to do with a pasted response: its transcript, or what to paste next. */
const assessResponse = (
  description: string,
  wanted: GeneratePromptOptions,
  opening: Options,
  responseText: string,
  { values, terminal }: { values: Values & CommonValues; terminal: Terminal },
) => {
  const state = write.prompt(description, { ...wanted, ...opening })
  const found = write.assess(responseText, { state, ...opening })
  if (found.ok) {
    writeOutputExactly(found.text!, values.output, terminal)
    return 0
  }
  terminal.err(found.rendered)
  const next = write.repair(state, responseText, opening)
  if (next === null) terminal.err(renderError('the response declines to write a transcript', 'rephrase the description'))
  else {
    terminal.err(
      renderError(`the response has no valid transcript: ${found.status.replace('_', ' ')}`, 'paste the output into the same chat'),
    )
    terminal.out(promptText(next))
  }
  return 1
}

const progressReporter = (terminal: Terminal) => {
  if (!terminal.showsProgress) return undefined
  return ({ phase, round, characters, delayMs }: GenerateProgress) => {
    const what = {
      asking: 'asking',
      writing: `${characters} characters`,
      waiting: `waiting ${Math.ceil(delayMs! / 1000)} s`,
      checked: 'checked',
    }[phase]
    terminal.progress(`round ${round + 1}: ${what}`)
  }
}

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const { response, prompt } = values
  if (prompt && response !== undefined) throw new UsageError('`--prompt` and `--response` cannot be used together')
  if (files.length > 1) throw new UsageError(`\`generate\` takes one description, but got ${files.length}`, 'put it in quotes')
  if (files.length === 0 && response === undefined) throw new UsageError('`generate` needs a description', `transcript ${generate.usage}`)
  if (files[0] === '-' && response === '-') throw new UsageError('stdin can be the description or the response, not both')
  const read = async (name: string) => decoder.decode((await readInput(name, terminal, values)).bytes)
  // A response can be checked without its prompt.
  const description = files[0] === '-' ? await read('-') : (files[0] ?? 'the run that was described before')
  const tools = toolsOf(values.tools)
  const { name, turns, tone, rounds } = values
  const wantedOptions = {
    name,
    turns,
    tone,
    rounds,
    tools,
    edgeCases: values['edge-cases'],
    ...(values['no-assertions'] && { assertions: false }),
  }
  // The rest of each is unchanged.
  const wanted = Object.fromEntries(Object.entries(wantedOptions).filter(([, value]) => value !== undefined)) as GeneratePromptOptions
  const opening = Object.fromEntries(
    Object.entries(openOptions(values, values.output ?? 'transcript.yaml', terminal)).filter(([, value]) => value !== undefined),
  ) as Options
  if (prompt) {
    writeOutputExactly(promptText(write.prompt(description, { ...wanted, ...opening })), values.output, terminal)
    return 0
  }
  if (response !== undefined) return assessResponse(description, wanted, opening, await read(response), { values, terminal })
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  try {
    const found = await write(description, {
      ...wanted,
      ...opening,
      ...endpointOf(values),
      signal: stop.signal,
      onProgress: progressReporter(terminal),
      maxTokens: values['max-tokens'],
      color: terminal.colorErr(values.color),
    })
    writeOutputExactly(found.text, values.output, terminal)
    for (const { message, help } of found.problems) terminal.err(renderWarning(message, help))
    terminal.err(
      `${found.rendered}${pluralize(found.steps, 'step')}, ${pluralize(found.assertions.length, 'assertion')}; ${usageText(found.usage)}\n`,
    )
    return 0
  } catch (error) {
    if (stop.signal.aborted) {
      terminal.err(renderError('stopped', 'nothing was written'))
      return 2
    }
    if (!(error instanceof GenerateError)) throw error
    // What there is of a transcript is not lost, but it is not put where one in order belongs.
    if (error.text !== null) terminal.out(error.text.endsWith('\n') ? error.text : `${error.text}\n`)
    terminal.err(
      renderError(printable(error.message.split('\n\n')[0]), `${usageText(error.usage)}; continue by hand with --prompt and --response`),
    )
    terminal.err(error.rendered)
    return error.status === 'endpoint' ? 2 : 1
  } finally {
    process.removeListener('SIGINT', onSignal)
  }
}
