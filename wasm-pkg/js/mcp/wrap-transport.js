// Wraps a transport: sent and received messages go through the wrapper, all else is passed through.

/** What a host listens with. */
const LISTENERS = ['onmessage', 'onclose']

/**
 * Wraps `transport` with another `send`, and with `onmessage(message, pass)` and `onclose(pass)`, which get the events for the
 * host and pass them on. `host` returns the listeners of the host.
 */
export const wrapTransport = (transport, { send, onmessage, onclose }) => {
  const hosts = new Map()
  const wrappers = {
    onmessage: (listener) =>
      function listening(message, ...more) {
        return onmessage(message, () => listener.call(this, message, ...more))
      },
    onclose: (listener) =>
      function listening(...args) {
        return onclose(() => listener?.apply(this, args))
      },
  }
  const listen = (name, listener) => {
    hosts.set(name, listener)
    // A transport may keep messages until somebody listens.
    transport[name] = typeof listener === 'function' || name === 'onclose' ? wrappers[name](listener) : listener
  }
  for (const name of LISTENERS) if (name === 'onclose' || typeof transport[name] === 'function') listen(name, transport[name])
  const methods = new Map()
  const wrapper = new Proxy(transport, {
    get: (own, key) => {
      if (key === 'send') return send
      if (hosts.has(key)) return hosts.get(key)
      const value = Reflect.get(own, key, own)
      if (typeof value !== 'function' || key === 'constructor' || key === 'onerror') return value
      // Fields of its own may be private: its methods have to run on itself.
      if (methods.get(key)?.value !== value) methods.set(key, { value, method: value.bind(own) })
      return methods.get(key).method
    },
    set: (own, key, value) => {
      if (LISTENERS.includes(key)) listen(key, value)
      else own[key] = value
      return true
    },
  })
  return { transport: wrapper, host: (name) => hosts.get(name) }
}
