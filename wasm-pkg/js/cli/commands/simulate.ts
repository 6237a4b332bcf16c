import type { SimulatedAgent, SimulatedCall, SimulatedMessage, SimulatedModelCall, SimulationResult } from '../../types/index.ts'
import { openOptions } from '../arguments.ts'
import { simulate as play } from '../authoring.ts'
import type { Arguments, Command } from '../command.ts'
import { detect } from '../core.ts'
import { UsageError } from '../failure.ts'
import { onlyInput, readInput } from '../inputs.ts'
import { cut, printable } from '../printable.ts'
import { REFERENCED_FILES } from '../manual-files.ts'
import { pluralize, renderError, renderWarning } from '../report.ts'
import { writeOutput } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Values {
  user?: string[]
  agent?: string
  trace?: true
  format: 'text' | 'json' | 'transcript'
  output?: string
}

export const simulate: Command<Values> = {
  name: 'simulate',
  usage: 'simulate FILE [--user TEXT]… [--agent NAME] [--trace] [--format text|json|transcript] [-o OUT]',
  about: [
    'FILE is a simulation in YAML or JSON, or a document with handlers, which gets each TEXT as a user message.',
    'For live tools, or agents that are functions, use simulate() of the library.',
  ],
  examples: [
    ['transcript simulate handlers.yaml --user Hi --user Bye', 'send two messages to a handler'],
    ['transcript simulate handlers.yaml --user Hi --trace', 'show which rules were tried'],
    ['transcript simulate handlers.yaml --user Hi --format transcript -o conversation.yaml', 'write the conversation as a transcript'],
  ],
  exits: { 0: 'finished', 1: 'an agent failed, or the document has errors', 2: 'invalid arguments, or an unreadable file' },
  reads: [REFERENCED_FILES],
  see: ['replay', 'simulate.md', 'handlers.md'],
  options: {
    user: { name: 'TEXT', repeated: true, help: 'a user message for the handlers; repeatable' },
    agent: { name: 'NAME', help: 'the agent that gets it; the first by default' },
    trace: { flag: true, help: 'show which rules were tried for each call, and why they matched or not' },
    format: { values: ['text', 'json', 'transcript'], help: 'print the conversation, the whole result, or the transcript' },
    output: { short: 'o', name: 'OUT', help: 'write to this file instead of stdout' },
  },
  run,
}

const messageText = ({ role, agent, content, tool_calls: calls, toolCalls = (calls ?? []) as SimulatedCall[] }: SimulatedMessage) => {
  const text = typeof content === 'string' ? content : content === null || content === undefined ? '' : JSON.stringify(content)
  // Calls have these in both forms.
  const callsText = toolCalls.map(({ name, arguments: args }) => `${name}(${JSON.stringify(args ?? {})})`).join(', ')
  const line = [text, callsText && `calls ${callsText}`].filter(Boolean).join(' · ')
  return `${agent ? `${agent} ` : ''}${role}: ${line}`
}

const decisionLines = (calls: readonly SimulatedModelCall[], columns: number) =>
  calls.flatMap((call) => [
    `    call ${call.callCount}`,
    ...call.trace.decisions.map(({ path, matched, reason }) =>
      cut(`      ${matched ? 'yes' : 'no '}  ${printable(path)}: ${printable(reason)}`, columns),
    ),
  ])

/** The calls of agents in a step, with their messages. */
const callsInStep = (agents: readonly SimulatedAgent[], at: number) =>
  agents.flatMap(({ name, calls, messages }) => calls.filter(({ step }) => step === at).map((call) => ({ name, call, messages })))

const renderConversation = (result: SimulationResult, trace: boolean, columns: number) => {
  const lines: string[] = []
  const shown = new Set<string>()
  result.steps.forEach((step, at) => {
    lines.push(`step ${at + 1}: ${step.op} ${step.agents.map(printable).join(', ')}`)
    const calls = callsInStep(result.agents, at)
    for (const { name, call, messages } of calls) {
      messages.slice(0, call.sent).forEach((message, index) => {
        const key = `${name}\n${index}`
        if (shown.has(key) || message.role !== 'user') return
        shown.add(key)
        lines.push(cut(`  ${printable(messageText(message))}`, columns))
      })
    }
    for (const message of step.yielded ?? (step.returned ? [step.returned] : []))
      lines.push(cut(`  ${printable(messageText(message))}`, columns))
    if (trace)
      lines.push(
        ...decisionLines(
          calls.map(({ call }) => call),
          columns,
        ),
      )
    if (step.error)
      lines.push(`  ${printable(`${step.error.type}: ${step.error.message}`)}${step.error.path ? ` (${printable(step.error.path)})` : ''}`)
  })
  return `${lines.join('\n')}\n`
}

const needsCode = (error: Error) => /for which there is no function/.test(error.message)

async function run({ files, values }: Arguments<Values>, terminal: Terminal): Promise<number> {
  const name = onlyInput(simulate, files)
  const input = await readInput(name, terminal, values)
  const { rules: _, ...options } = openOptions(values, name, terminal)
  const { user, agent } = values
  if (terminal.unreadable) throw new UsageError(`cannot read \`${input.file}\`: ${detect(input).reason}`)
  const { kind } = detect(input)
  if (user === undefined && kind === 'handlers')
    throw new UsageError(`\`${input.file}\` has handlers, which need a user message`, 'pass one with --user TEXT')
  const color = terminal.colorErr(values.color)
  const result = await play(input, { ...options, user, agent, color }).catch((error: Error) => {
    if (!needsCode(error)) throw error
    const [, tool] = / the tool `(.*?)`/.exec(error.message) ?? []
    const results = tool === undefined ? '' : `write the tool as \`{name: ${tool}, results: [{return: …}]}\`, or `
    throw new UsageError(error.message.replace(/, for which .*/, ', which needs code'), `${results}use simulate() of the library`)
  })
  if (result.problems.length > 0) {
    for (const { rendered } of result.problems) terminal.err(rendered)
    return 1
  }
  // Only warnings about functions are not rendered, and there are none here.
  for (const { rendered } of result.warnings) terminal.err(rendered!)
  const { text, ...rest } = result
  const columns = Math.max(40, terminal.columns)
  const out = {
    json: () => JSON.stringify(rest, null, 2),
    transcript: () => text!,
    text: () => renderConversation(result, values.trace === true, columns),
  }
  writeOutput(out[values.format](), values.output, terminal)
  for (const { agent, maxIterations } of result.steps
    .flatMap(({ events }) => events ?? [])
    .filter(({ event }) => event === 'execute:max_iterations')) {
    const help = 'a handler that always calls a tool never ends; `max_iterations` sets the maximum'
    terminal.err(renderWarning(`\`${agent}\` was called ${maxIterations} times, the maximum, without a final response`, help))
  }
  const failed = result.steps.filter(({ error }) => error !== undefined).length
  if (failed > 0) terminal.err(renderError(`${pluralize(failed, 'step')} failed`, 'use --trace to see which rules were tried'))
  return failed > 0 ? 1 : 0
}
