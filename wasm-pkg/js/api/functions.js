// Functions in handlers. The core gets data with something harmless in their places, and a list of these places.
import { misuse } from './misuse.js'

/**
 * What stands in the place of a function. Nobody acts on it, but rules read it: it is sound, neither true nor false, and
 * another for every condition.
 */
const STANDS = {
  condition: (number) => `context.function_${number}`,
  response: 'a function',
  handler: { type: 'repeat', respond: 'a function' },
}

export const isMap = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)

/** Whether something is a model that answers, and so neither a handler nor a response. */
const isModel = (value) => isMap(value) && typeof value.call === 'function' && typeof value.on === 'function'

/** Refuses a model where a handler stands: as data it would be empty. */
export const noModel = (value, path) => {
  if (!isModel(value)) return value
  throw misuse(`${path === '' ? 'this' : `\`${path}\``} is a model; give the handler that it was made of`)
}

/** Whether something is a handler of code: a function, or an object with the method `handle`. */
export const isCode = (value) => typeof value === 'function' || (isMap(value) && typeof value.handle === 'function')

/** The function of a handler of code; the method of an object keeps its object, and with it what that remembers. */
export const functionOf = (value) => {
  if (typeof value !== 'function') return (...call) => value.handle(...call)
  if (typeof value.prototype?.handle !== 'function') return value
  throw misuse(`the class ${value.name} stands in place of a handler; give an object of it: new ${value.name}(…)`)
}

const mapped = (value, change) => (Array.isArray(value) ? value.map(change) : value)

/** A copy of `value` in which `changes` were made: a function for each key that it has. */
const changed = (value, changes) => {
  if (!isMap(value)) return value
  const copy = { ...value }
  for (const [key, change] of Object.entries(changes)) if (copy[key] !== undefined) copy[key] = change(copy[key])
  return copy
}

/** Collects functions with their paths; its methods give data without them. */
export class Functions {
  paths = []
  list = []

  #take(path, found, instead) {
    this.paths.push(path)
    this.list.push(found)
    return instead
  }

  condition(value, path) {
    noModel(value, path)
    if (typeof value === 'function') return this.#take(path, value, STANDS.condition(this.list.length))
    const each = (key) => (parts) => mapped(parts, (part, at) => this.condition(part, `${path}.${key}[${at}]`))
    return changed(value, { all: each('all'), any: each('any'), not: (part) => this.condition(part, `${path}.not`) })
  }

  response(value, path) {
    return typeof value === 'function' ? this.#take(path, value, STANDS.response) : noModel(value, path)
  }

  #rule(rule, path) {
    return changed(rule, {
      when: (when) => this.condition(when, `${path}.when`),
      respond: (respond) => this.response(respond, `${path}.respond`),
    })
  }

  #state(state, path) {
    const ways = (list) => mapped(list, (way, at) => this.#rule(way, `${path}.transitions[${at}]`))
    return changed(state, { respond: (respond) => this.response(respond, `${path}.respond`), transitions: ways })
  }

  /** Responses that stand in a list by themselves. */
  responses(list, path) {
    return list.map((one, at) => this.response(one, `${path}[${at}]`))
  }

  handler(value, path) {
    if (isCode(value)) return this.#take(path, functionOf(value), STANDS.handler)
    noModel(value, path)
    const responses = (key) => (list) => mapped(list, (one, at) => this.response(one, `${path}.${key}[${at}]`))
    const response = (key) => (one) => this.response(one, `${path}.${key}`)
    const inner = (key) => (one) => this.handler(one, `${path}.${key}`)
    const states = (given) =>
      isMap(given)
        ? Object.fromEntries(Object.entries(given).map(([name, state]) => [name, this.#state(state, `${path}.states.${name}`)]))
        : given
    return changed(value, {
      responses: responses('responses'),
      entries: responses('entries'),
      rules: (rules) => mapped(rules, (rule, at) => this.#rule(rule, `${path}.rules[${at}]`)),
      default: response('default'),
      respond: response('respond'),
      states,
      handlers: (list) => mapped(list, (one, at) => this.handler(one, `${path}.handlers[${at}]`)),
      handler: inner('handler'),
      then: value?.type === 'fail' ? inner('then') : response('then'),
    })
  }
}
