// Functions in handlers. The core gets data with something harmless in their places, and a list of these places.
import { misuse } from './misuse.ts'

/**
 * What stands in the place of a function. Nobody acts on it, but rules read it: it is sound, neither true nor false, and
 * another for every condition.
 */
const PLACEHOLDERS = {
  condition: (number) => `context.function_${number}`,
  response: 'a function',
  handler: { type: 'repeat', respond: 'a function' },
}

export const isMap = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)

/** Whether something is a model that answers, and so neither a handler nor a response. */
const isModel = (value) => isMap(value) && typeof value.call === 'function' && typeof value.on === 'function'

/** Refuses a model where a handler stands: as data it would be empty. */
export const rejectModel = (value, path) => {
  if (!isModel(value)) return value
  throw misuse(`${path === '' ? 'this' : `\`${path}\``} is a model; give the handler that it was made of`)
}

/** Whether something is a handler of code: a function, or an object with the method `handle`. */
export const isFunctionHandler = (value) => typeof value === 'function' || (isMap(value) && typeof value.handle === 'function')

/** The function of a handler of code; the method of an object keeps its object, and with it what that remembers. */
export const toFunction = (value) => {
  if (typeof value !== 'function') return (...call) => value.handle(...call)
  if (typeof value.prototype?.handle !== 'function') return value
  throw misuse(`the class ${value.name} stands in place of a handler; give an object of it: new ${value.name}(…)`)
}

const mapList = (value, change) => (Array.isArray(value) ? value.map(change) : value)

/** A copy of `value` in which `changes` were made: a function for each key that it has. */
const mapFields = (value, changes) => {
  if (!isMap(value)) return value
  const copy = { ...value }
  for (const [key, change] of Object.entries(changes)) if (copy[key] !== undefined) copy[key] = change(copy[key])
  return copy
}

/** Collects functions with their paths; its methods give data without them. */
export class FunctionCollector {
  paths = []
  list = []

  #add(path, value, placeholder) {
    this.paths.push(path)
    this.list.push(value)
    return placeholder
  }

  condition(value, path) {
    rejectModel(value, path)
    if (typeof value === 'function') return this.#add(path, value, PLACEHOLDERS.condition(this.list.length))
    const each = (key) => (parts) => mapList(parts, (part, at) => this.condition(part, `${path}.${key}[${at}]`))
    return mapFields(value, { all: each('all'), any: each('any'), not: (part) => this.condition(part, `${path}.not`) })
  }

  response(value, path) {
    return typeof value === 'function' ? this.#add(path, value, PLACEHOLDERS.response) : rejectModel(value, path)
  }

  #rule(rule, path) {
    return mapFields(rule, {
      when: (when) => this.condition(when, `${path}.when`),
      respond: (respond) => this.response(respond, `${path}.respond`),
    })
  }

  #state(state, path) {
    const ways = (list) => mapList(list, (transition, at) => this.#rule(transition, `${path}.transitions[${at}]`))
    return mapFields(state, { respond: (respond) => this.response(respond, `${path}.respond`), transitions: ways })
  }

  /** Responses that stand in a list by themselves. */
  responses(list, path) {
    return list.map((one, at) => this.response(one, `${path}[${at}]`))
  }

  handler(value, path) {
    if (isFunctionHandler(value)) return this.#add(path, toFunction(value), PLACEHOLDERS.handler)
    rejectModel(value, path)
    const responses = (key) => (list) => mapList(list, (one, at) => this.response(one, `${path}.${key}[${at}]`))
    const response = (key) => (one) => this.response(one, `${path}.${key}`)
    const inner = (key) => (one) => this.handler(one, `${path}.${key}`)
    const states = (stateMap) =>
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
      then: value?.type === 'fail' ? inner('then') : response('then'),
    })
  }
}
