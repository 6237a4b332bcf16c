// Functions in handlers. The core gets data with something harmless in their places, and a list of these places.
import type { MockContext, MockFunction, MockHandler } from '../types/index.ts'
import type { Fields } from './fields.ts'
import { misuse } from './misuse.ts'

/**
 * The placeholder of a function. Nothing executes it, but rules read it: it is valid, neither true nor false, and
 * unique for every condition.
 */
const PLACEHOLDERS = {
  condition: (number: number) => `context.function_${number}`,
  response: 'a function',
  handler: { type: 'repeat', respond: 'a function' },
}

/** A function of the host, whatever it answers. */
export type HostFunction = (context: MockContext, options: { signal?: AbortSignal | undefined }) => unknown

export const isMap = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)

/** Whether something is a model that answers, and so neither a handler nor a response. */
const isModel = (value: unknown) => isMap(value) && typeof value.call === 'function' && typeof value.on === 'function'

/** Rejects a model in place of a handler: as data it would be empty. */
export const rejectModel = <Value>(value: Value, path: string) => {
  if (!isModel(value)) return value
  throw misuse(`${path === '' ? 'this' : `\`${path}\``} is a model; pass its handler instead`)
}

/** Whether something is a handler of code: a function, or an object with the method `handle`. */
export const isFunctionHandler = (value: unknown): value is MockFunction | MockHandler =>
  typeof value === 'function' || (isMap(value) && typeof value.handle === 'function')

/** The function of a handler of code; the method of an object keeps its object, and with it what that remembers. */
export const toFunction = (value: HostFunction | { handle: HostFunction }): HostFunction => {
  if (typeof value !== 'function') return (...call) => value.handle(...call)
  if (typeof value.prototype?.handle !== 'function') return value
  throw misuse(`${value.name} is a class, not a handler; pass an instance: new ${value.name}(…)`)
}

const mapList = (value: unknown, change: (item: unknown, at: number) => unknown) => (Array.isArray(value) ? value.map(change) : value)

/** A copy of `value` in which `changes` were made: a function for each key that it has. */
const mapFields = (value: unknown, changes: { readonly [key: string]: (field: unknown) => unknown }) => {
  if (!isMap(value)) return value
  const copy = { ...value }
  for (const [key, change] of Object.entries(changes)) if (copy[key] !== undefined) copy[key] = change(copy[key])
  return copy
}

/** Collects functions with their paths; its methods give data without them. */
export class FunctionCollector {
  paths: string[] = []
  list: HostFunction[] = []

  #add(path: string, value: HostFunction, placeholder: unknown) {
    this.paths.push(path)
    this.list.push(value)
    return placeholder
  }

  condition(value: unknown, path: string): unknown {
    rejectModel(value, path)
    if (typeof value === 'function') return this.#add(path, value as HostFunction, PLACEHOLDERS.condition(this.list.length))
    const each = (key: string) => (parts: unknown) => mapList(parts, (part, at) => this.condition(part, `${path}.${key}[${at}]`))
    return mapFields(value, { all: each('all'), any: each('any'), not: (part) => this.condition(part, `${path}.not`) })
  }

  response(value: unknown, path: string) {
    return typeof value === 'function' ? this.#add(path, value as HostFunction, PLACEHOLDERS.response) : rejectModel(value, path)
  }

  #rule(rule: unknown, path: string) {
    return mapFields(rule, {
      when: (when) => this.condition(when, `${path}.when`),
      respond: (respond) => this.response(respond, `${path}.respond`),
    })
  }

  #state(state: unknown, path: string) {
    const ways = (list: unknown) => mapList(list, (transition, at) => this.#rule(transition, `${path}.transitions[${at}]`))
    return mapFields(state, { respond: (respond) => this.response(respond, `${path}.respond`), transitions: ways })
  }

  /** Responses in a list of their own. */
  responses(list: readonly unknown[], path: string) {
    return list.map((one, at) => this.response(one, `${path}[${at}]`))
  }

  handler(value: unknown, path: string): unknown {
    if (isFunctionHandler(value)) return this.#add(path, toFunction(value), PLACEHOLDERS.handler)
    rejectModel(value, path)
    const responses = (key: string) => (list: unknown) => mapList(list, (one, at) => this.response(one, `${path}.${key}[${at}]`))
    const response = (key: string) => (one: unknown) => this.response(one, `${path}.${key}`)
    const inner = (key: string) => (one: unknown) => this.handler(one, `${path}.${key}`)
    const states = (stateMap: unknown) =>
      isMap(stateMap)
        ? Object.fromEntries(Object.entries(stateMap).map(([name, state]) => [name, this.#state(state, `${path}.states.${name}`)]))
        : stateMap
    return mapFields(value, {
      responses: responses('responses'),
      entries: responses('entries'),
      rules: (rules) => mapList(rules, (rule, at) => this.#rule(rule, `${path}.rules[${at}]`)),
      default: response('default'),
      respond: response('respond'),
      states,
      handlers: (list) => mapList(list, (one, at) => this.handler(one, `${path}.handlers[${at}]`)),
      handler: inner('handler'),
      then: (value as Fields)?.type === 'fail' ? inner('then') : response('then'),
    })
  }
}
