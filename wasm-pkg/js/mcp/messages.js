// What is sent between a client and a server: JSON-RPC.

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRequest = (message) => isMap(message) && typeof message.method === 'string' && message.id !== undefined

export const isNotification = (message) => isMap(message) && typeof message.method === 'string' && message.id === undefined

export const isResponse = (message) => isMap(message) && message.method === undefined && message.id !== undefined

/** The messages of what is sent at once: older clients send several as a list. */
export const messagesIn = (message) => (Array.isArray(message) ? message : [message])

/** Whether something is a transport. */
export const isTransport = (value) => ['start', 'send', 'close'].every((name) => typeof value?.[name] === 'function')

/** Checks the options of a function. */
export const checkOptions = (call, options, kinds) => {
  if (!isMap(options)) throw new TypeError(`${call}() takes an object of options`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) throw new TypeError(`${call}() has no option \`${name}\`; there is: ${Object.keys(kinds).join(', ')}`)
    const { is, what } = kinds[name]
    if (value !== undefined && !is(value)) throw new TypeError(`the option \`${name}\` of ${call}() is ${what}`)
  }
}

/** The option `server`. */
export const SERVER = { is: (value) => typeof value === 'string' && value !== '', what: 'the name of a server' }
