// Logs of events: reading and writing them, their order, and the proof that they replay the same each time.
import { misuse } from '../api/misuse.js'
import { kindOf } from '../api/options.js'
import { sourceOf } from '../api/source.js'
import { eventModule } from './door.js'

/** The `$id` of the JSON Schema of an event, which lies under `transcript-workbench/schema/`. */
const SCHEMA_URI = 'event.schema.json'

const ORDERS = ['kahn', 'layers']
const encoder = new TextEncoder()

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const optionsOf = (name, options, known) => {
  const given = options ?? {}
  if (!isMap(given)) throw misuse(`the options of ${name}() are an object, but got ${kindOf(given)}`)
  const odd = Object.keys(given).find((key) => !known.includes(key))
  if (odd !== undefined) throw misuse(`${name}() has no option \`${odd}\`; it has ${known.map((key) => `\`${key}\``).join(', ')}`)
  for (const key of ['maxBytes', 'seed', 'runs', 'from', 'count']) {
    const value = given[key]
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0 || value > 0xffffffff)) {
      throw misuse(`the option \`${key}\` of ${name}() is a whole number, but got ${kindOf(value)}`)
    }
  }
  if (given.order !== undefined && !ORDERS.includes(given.order)) {
    throw misuse(`the option \`order\` of ${name}() is 'kahn' or 'layers', but got ${JSON.stringify(given.order) ?? kindOf(given.order)}`)
  }
  return given
}

const toolsOf = (name, tools = {}) => {
  if (!isMap(tools)) throw misuse(`the option \`tools\` of ${name}() is an object of functions, but got ${kindOf(tools)}`)
  for (const [tool, run] of Object.entries(tools)) {
    if (typeof run !== 'function') throw misuse(`the option \`tools.${tool}\` of ${name}() is a function, but got ${kindOf(run)}`)
  }
  return tools
}

/** Data as JSON in which whole numbers of any size, given as a BigInt, stay what they are. */
const jsonOf = (value, what) => {
  const mark = '\u0000'
  const text = JSON.stringify(value, (_, entry) => (typeof entry === 'bigint' ? `${mark}${entry}` : entry))
  if (text === undefined) throw misuse(`${what} is no data, but ${kindOf(value)}`)
  return text.replaceAll(/"\\u0000(-?\d+)"/g, '$1')
}

const outcomeOf = async (run, ask) => {
  try {
    const result = await run(JSON.parse(ask.arguments), { event: ask.event, agent: ask.agent, callId: ask.call ?? undefined })
    return `{"result":${result === undefined ? 'null' : jsonOf(result, `what the tool \`${ask.tool}\` returned`)}}`
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}

/** An opened log. */
const logOf = ({ call, free }) => {
  const data = (method, argument) => {
    const text = call(method, argument)
    return text === undefined ? undefined : JSON.parse(text)
  }
  const ordered = (name, options, known = []) => {
    const { order = 'kahn', ...rest } = optionsOf(name, options, ['order', ...known])
    return { ...rest, order }
  }
  return {
    ok: data('ok'),
    get diagnostics() {
      return data('diagnostics')
    },
    get card() {
      return data('card')
    },
    get tools() {
      return data('tools')
    },
    render: ({ color = false } = {}) => call('render', { color }),
    order: (options) => call('order', ordered('order', options)).split('\n').filter((id) => id !== ''),
    layers: () => data('layers'),
    rows: (options) => {
      const { order, from = 0, count = 0xffffffff } = ordered('rows', options, ['from', 'count'])
      return data('rows', { order, from, count })
    },
    event: (id) => data('event', { id }),
    past: (id) => data('past', { id }),
    future: (id) => data('future', { id }),
    explain: (place, options) => data('explain', { place, ...ordered('explain', options) }),
    shuffled: (seed) => call('shuffled', { seed }),
    replay: async (options) => {
      const { order, tools: given } = ordered('replay', options, ['tools'])
      const tools = toolsOf('replay', given)
      const replay = data('begin', { order, live: Object.keys(tools) })
      for (let ask = data('advance', { replay }); ask !== undefined; ask = data('advance', { replay })) {
        call('answer', { replay, outcome: await outcomeOf(tools[ask.tool], ask) })
      }
      return { trace: call('trace', { replay }), ...data('summary', { replay }) }
    },
    free,
  }
}

/** The functions about logs of events; `start` starts the module at the first call. */
export const eventOperations = (start) => {
  const module = () => eventModule(start)
  const opened = (name, source, { maxBytes } = {}) => {
    const { text, bytes, file } = sourceOf(name, source, { maxBytes })
    return logOf(module().open(bytes ?? encoder.encode(text), file, maxBytes))
  }

  /** Opens a log: lines of JSON, a list, or a recording with `_inter_agent_events`. */
  const readEvents = (source, options) => opened('readEvents', source, optionsOf('readEvents', options, ['maxBytes']))

  /** The text of events, one a line; a hash of the payload that is missing is worked out. */
  const writeEvents = (events) => {
    if (!Array.isArray(events)) throw misuse(`writeEvents() takes a list of events, but got ${kindOf(events)}`)
    return events.map((event) => module().call('line', jsonOf(event, 'an event'))).join('')
  }

  /** The ids of the events in order: `{ok, diagnostics, ids}`. */
  const orderEvents = (source, options) => {
    const { order = 'kahn', maxBytes } = optionsOf('orderEvents', options, ['order', 'maxBytes'])
    const log = opened('orderEvents', source, { maxBytes })
    const { ok, diagnostics } = log
    const ids = ok ? log.order({ order }) : []
    log.free()
    return { ok, diagnostics, ids }
  }

  /** The hash of a payload: 16 hexadecimal digits of the SHA-256 of what Python writes of it. */
  const payloadHash = (payload) => module().call('hash', jsonOf(payload, 'the payload'))

  /** Where two traces part; null when they are the same. */
  const compareTraces = (first, second) => JSON.parse(module().call('compare', first, second) ?? 'null')

  /**
   * Replays a log several times, each time with its events in other lines, and compares the traces byte for byte. The
   * tools run in this program; `transcript verify-determinism` has one run apart, with another clock.
   */
  const verifyDeterminism = async (source, options) => {
    const { order, maxBytes, runs = 2, seed = 1, tools } = optionsOf('verifyDeterminism', options, ['order', 'maxBytes', 'runs', 'seed', 'tools'])
    if (runs < 2) throw misuse('the option `runs` of verifyDeterminism() is 2 or more')
    toolsOf('verifyDeterminism', tools)
    const log = opened('verifyDeterminism', source, { maxBytes })
    const { ok: readable, diagnostics } = log
    if (!readable) {
      log.free()
      return { ok: false, readable, identical: false, divergence: null, failures: [], drifted: 0, ran: 0, runs: 0, diagnostics }
    }
    const first = await log.replay({ order, tools })
    let divergence = null
    let made = 1
    for (; made < runs && divergence === null; made += 1) {
      const other = opened('verifyDeterminism', log.shuffled((seed + made - 1) % 0xffffffff), {})
      divergence = compareTraces(first.trace, (await other.replay({ order, tools })).trace)
      other.free()
    }
    log.free()
    const { failures, drifted, ran } = first
    const identical = divergence === null
    return { ok: identical && first.failed === 0, readable, identical, divergence, failures, drifted, ran, runs: made, diagnostics }
  }

  return { SCHEMA_URI, compareTraces, orderEvents, payloadHash, readEvents, verifyDeterminism, writeEvents }
}
