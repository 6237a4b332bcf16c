// The messages between a client and a server: JSON-RPC.
import { misuse } from '../api/misuse.ts'
import type { Fields } from '../api/fields.ts'
import type { McpTransport } from '../types/mcp.ts'
import type { ServerError } from './errors.ts'
import type { ToolAnswer } from './results.ts'

/** The parameters of requests and notifications, as far as they are read. */
export interface Params {
  readonly name?: unknown
  readonly arguments?: unknown
  readonly protocolVersion?: unknown
  readonly cursor?: unknown
  readonly clientInfo?: Fields
  readonly taskId?: unknown
  readonly requestId?: unknown
  readonly reason?: unknown
}

export interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: Params
}

export type Notification = Omit<Request, 'id'>

/** What answers a request. */
export type Answer = { readonly result: Result; readonly error?: undefined } | { readonly result?: undefined; readonly error: ServerError }

/** The used part of a result: that of a call, or of a list of tools. */
export interface Result extends ToolAnswer {
  readonly tools?: unknown
  readonly task?: { readonly taskId?: unknown }
}

export type Response = { readonly id: unknown } & Partial<Answer>

const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRequest = (message: unknown): message is Request =>
  isMap(message) && typeof message.method === 'string' && message.id !== undefined

export const isNotification = (message: unknown): message is Notification =>
  isMap(message) && typeof message.method === 'string' && message.id === undefined

export const isResponse = (message: unknown): message is Response =>
  isMap(message) && message.method === undefined && message.id !== undefined

/** The messages of what is sent at once: older clients send several as a list. */
export const messagesIn = (message: unknown): readonly unknown[] => (Array.isArray(message) ? message : [message])

/** Whether something is a transport. */
export const isTransport = (value: unknown): value is McpTransport =>
  ['start', 'send', 'close'].every((name) => typeof (value as Fields)?.[name] === 'function')

/** What an option is, by its name. */
export type OptionKinds = { readonly [name: string]: { is(value: unknown): boolean; what: string } }

/** Checks the options of a function. */
export const checkOptions = (call: string, options: unknown, kinds: OptionKinds) => {
  if (!isMap(options)) throw misuse(`${call}() takes an object of options`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) throw misuse(`${call}() has no option \`${name}\`; there is: ${Object.keys(kinds).join(', ')}`)
    const { is, what } = kinds[name]!
    if (value !== undefined && !is(value)) throw misuse(`the option \`${name}\` of ${call}() is ${what}`)
  }
}

/** The option `server`. */
export const SERVER = { is: (value: unknown) => typeof value === 'string' && value !== '', what: 'the name of a server' }
