// Wraps a transport: sent and received messages go through the wrapper, all else is passed through.
import type { McpTransport } from '../types/mcp.ts'

type Listener = (this: unknown, ...args: unknown[]) => unknown

type ListenerName = 'onmessage' | 'onclose'

/** A transport by what it calls: the SDKs know the arguments. */
type Listened = { [Name in ListenerName]?: Listener | undefined }

/** How a wrapper handles sent and received messages. */
interface Wrapping {
  send: McpTransport['send']
  onmessage(message: unknown, pass: () => unknown): unknown
  onclose(pass: () => unknown): unknown
}

/** What a host listens with. */
const LISTENERS: readonly ListenerName[] = ['onmessage', 'onclose']

/**
 * Wraps `transport` with another `send`, and with `onmessage(message, pass)` and `onclose(pass)`, which get the events for the
 * host and pass them on. `host` returns the listeners of the host.
 */
export const wrapTransport = <Transport extends McpTransport>(transport: Transport, { send, onmessage, onclose }: Wrapping) => {
  const hosts = new Map<PropertyKey, Listener | undefined>()
  const wrappers = {
    onmessage: (listener: Listener) =>
      function listening(this: unknown, message: unknown, ...more: unknown[]) {
        return onmessage(message, () => listener.call(this, message, ...more))
      },
    onclose: (listener: Listener | undefined) =>
      function listening(this: unknown, ...args: unknown[]) {
        return onclose(() => listener?.apply(this, args))
      },
  }
  const listen = (name: ListenerName, listener: Listener | undefined) => {
    hosts.set(name, listener)
    // A transport may keep messages until somebody listens.
    ;(transport as Listened)[name] = typeof listener === 'function' || name === 'onclose' ? wrappers[name](listener!) : listener
  }
  for (const name of LISTENERS) if (name === 'onclose' || typeof transport[name] === 'function') listen(name, (transport as Listened)[name])
  const methods = new Map<PropertyKey, { value: Listener; method: Listener }>()
  const wrapper = new Proxy(transport, {
    get: (own, key) => {
      if (key === 'send') return send
      if (hosts.has(key)) return hosts.get(key)
      const value: unknown = Reflect.get(own, key, own)
      if (typeof value !== 'function' || key === 'constructor' || key === 'onerror') return value
      // Fields of its own may be private: its methods have to run on itself.
      if (methods.get(key)?.value !== value) methods.set(key, { value: value as Listener, method: value.bind(own) })
      return methods.get(key)!.method
    },
    set: (own, key, value) => {
      if (LISTENERS.includes(key as ListenerName)) listen(key as ListenerName, value)
      else own[key as keyof Transport] = value
      return true
    },
  })
  return { transport: wrapper, host: (name: ListenerName) => hosts.get(name) }
}
