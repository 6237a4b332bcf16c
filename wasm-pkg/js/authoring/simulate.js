// Simulations: the core goes on until code of the caller has to answer or a tool of the caller has to run.
import { plain, plainText } from '../api/data.js'
import { misuse } from '../api/misuse.js'
import { checkOptions, kindOf, openingOf } from '../api/options.js'
import { sourceOf } from '../api/source.js'
import { closest } from '../api/suggest.js'
import { beginSimulation } from './door.js'

const OWN = ['tools', 'handlers', 'signal', 'maxSteps', 'onEvent', 'user', 'agent', 'color']
const decoder = new TextDecoder()

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const functionsOf = (name, value = {}) => {
  const odd = isMap(value) ? Object.entries(value).find(([, entry]) => typeof entry !== 'function') : ['', value]
  if (odd === undefined) return value
  const place = odd[0] === '' ? `\`${name}\`` : `\`${name}.${odd[0]}\``
  throw misuse(`the option ${place} of simulate() is ${odd[0] === '' ? 'an object of functions' : 'a function'}, but got ${kindOf(odd[1])}`)
}

const checkOwn = ({ signal, maxSteps, onEvent, user, agent, color }) => {
  const wrong = (name, wanted, value) => misuse(`the option \`${name}\` of simulate() is ${wanted}, but got ${kindOf(value)}`)
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') throw wrong('signal', 'an AbortSignal', signal)
  if (maxSteps !== undefined && (!Number.isSafeInteger(maxSteps) || maxSteps < 0)) throw wrong('maxSteps', 'a whole number', maxSteps)
  if (onEvent !== undefined && typeof onEvent !== 'function') throw wrong('onEvent', 'a function', onEvent)
  if (agent !== undefined && typeof agent !== 'string') throw wrong('agent', 'a text', agent)
  if (color !== undefined && typeof color !== 'boolean') throw wrong('color', 'true or false', color)
  if (user === undefined) return []
  const said = Array.isArray(user) ? user : [user]
  if (said.some((text) => typeof text !== 'string')) throw wrong('user', 'a text, or a list of texts', user)
  return said
}

const has = (value, names) => names.some((name) => value[name] !== undefined)

/**
 * A simulation as data, where an agent of which nothing says who answers is left to its function in `handlers`, and a
 * tool of which nothing says what it does to that in `tools`.
 */
const withFunctions = (input, { handlers, tools }) => {
  if (!Array.isArray(input.agents)) return input
  const toolOf = (tool) => {
    const isOurs = isMap(tool) && Object.hasOwn(tools, tool.name ?? '')
    return isOurs && !has(tool, ['results', 'live', 'agent']) ? { ...tool, live: true } : tool
  }
  const agents = input.agents.map((given) => {
    if (!isMap(given)) return given
    const agent = Array.isArray(given.tools) ? { ...given, tools: given.tools.map(toolOf) } : given
    const isOurs = Object.hasOwn(handlers, agent.key ?? agent.name ?? '')
    return isOurs && !has(agent, ['handler', 'mock', 'external']) ? { ...agent, external: true } : agent
  })
  return { ...input, agents }
}

/** The text of a simulation, and the name of its file. */
const textOf = (input, functions, options) => {
  const isData = isMap(input) && input.text === undefined && input.bytes === undefined && !(input instanceof Uint8Array)
  if (isData) return { text: JSON.stringify(plain(withFunctions(input, functions), 'the simulation'), null, 2), file: '<simulation>' }
  const { text, bytes, file } = sourceOf('simulate', input, options)
  return { text: text ?? decoder.decode(bytes), file }
}

/** What a handler or a tool threw, as the simulation takes it. */
const faultOf = (thrown) =>
  JSON.stringify(thrown instanceof Error ? { type: thrown.name, message: thrown.message } : { type: 'Error', message: String(thrown) })

const missing = (kind, name, given) => {
  const near = closest(name, Object.keys(given))
  const help = near ? `; did you mean \`${near}\`?` : ''
  const what = kind === 'tools' ? `runs the tool \`${name}\`` : `asks for the agent \`${name}\``
  return misuse(`the simulation ${what}, for which there is no function in the option \`${kind}\` of simulate()${help}`)
}

/** Asks code of the caller, which may wait; `failures` gets what it throws. */
const host = (simulation, { tools, handlers, signal }, failures) => {
  const work = async (name, ask) => {
    try {
      return { value: await ask() }
    } catch (error) {
      signal?.throwIfAborted()
      failures.push({ ...name, error })
      return { thrown: faultOf(error) }
    }
  }
  return {
    needsReply: async ({ agent, context }) => {
      const handler = Object.hasOwn(handlers, agent) ? handlers[agent] : undefined
      if (handler === undefined) throw missing('handlers', agent, handlers)
      const { value, thrown } = await work({ agent, tool: null }, () => handler(context, { signal }))
      if (thrown !== undefined) return simulation.call('replyError', thrown)
      return simulation.call('reply', plainText(value, `what the handler of \`${agent}\` answered`))
    },
    needsTool: async ({ agent, call }) => {
      const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined
      if (tool === undefined) throw missing('tools', call.name, tools)
      const { value, thrown } = await work({ agent, tool: call.name }, () => tool(call.arguments, { agent, call, signal }))
      if (thrown !== undefined) return simulation.call('toolError', thrown)
      return simulation.call('toolResult', plainText(value, `the result of the tool \`${call.name}\``))
    },
  }
}

/** Gives the errors of steps what was thrown as their cause. */
const withCauses = (steps, failures) => {
  for (const { error } of steps) {
    const thrown = error && failures.find((failure) => failure.tool === null && failure.error?.message === error.message)
    if (thrown) Object.defineProperty(error, 'cause', { value: thrown.error, enumerable: false })
  }
  return steps
}

const EMPTY = { profile: null, done: false, steps: [], agents: [], toolExecutions: [], transcript: null, text: null }

export const simulator = (start) => async (input, options) => {
  const checked = checkOptions('simulate', options, OWN)
  const tools = functionsOf('tools', checked.tools)
  const handlers = functionsOf('handlers', checked.handlers)
  const user = checkOwn(checked)
  const { signal, maxSteps = Infinity, onEvent, agent, color } = checked
  signal?.throwIfAborted()
  const { text, file } = textOf(input, { handlers, tools }, checked)
  const opening = { ...openingOf('simulate', checked), ...(user.length > 0 && { user }), ...(agent && { agent }), file, color }
  const simulation = beginSimulation(start, text, JSON.stringify(opening))
  const failures = []
  try {
    const { problems } = simulation
    if (problems.length > 0) return { ok: false, file, problems, ...EMPTY, failures }
    const answer = host(simulation, { tools, handlers, signal }, failures)
    let asked = 0
    for (;;) {
      signal?.throwIfAborted()
      const next = simulation.call(onEvent ? 'poll' : 'run')
      if (next.kind === 'done') break
      if (next.kind === 'event') {
        onEvent(next.event)
        continue
      }
      if (asked >= maxSteps) throw new RangeError(`the simulation asked ${asked} times for an answer or a tool, and \`maxSteps\` allows no more`)
      asked += 1
      await answer[next.kind](next)
    }
    const report = simulation.call('report')
    const steps = withCauses(report.steps, failures)
    const ok = steps.every(({ error }) => error === undefined)
    return { ok, file, problems: [], ...report, steps, text: simulation.call('text'), failures }
  } finally {
    simulation.free()
  }
}
