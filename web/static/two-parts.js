// A release has some of its wasm modules in two parts: what the first screens call, and the rest. The rest loads when there is time,
// or when the first part calls a function of it.

/** How long a script waits for the rest when it cannot go on without it, in milliseconds. */
const TIMEOUT = 30_000

/**
 * A module in two parts. `address` is that of the rest. `started(exports)` takes the exports of the first part, or those of a module
 * that was not split. `load()` and `loadNow(exports)` add the rest; they fail if it does not come, and the next call tries again.
 */
export function twoParts(address) {
  let first
  let isWhole = false
  let loading

  const add = (module) => {
    if (!isWhole) new WebAssembly.Instance(module, { first })
    isWhole = true
  }
  const fetchRest = async () => {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${answer.status} ${address}`)
    add(await WebAssembly.compile(await answer.arrayBuffer()))
  }
  return {
    started(exports) {
      first = exports
      isWhole = !('split_memory' in exports)
    },
    load() {
      loading ??= isWhole
        ? Promise.resolve()
        : fetchRest().catch((error) => {
            loading = undefined
            throw error
          })
      return loading
    },
    // It may be called before the module has started.
    loadNow(exports) {
      if (isWhole) return
      first = exports
      const request = new XMLHttpRequest()
      request.open('GET', address, false)
      // A page may not say how long it waits, and gets text alone, with each byte as a character.
      if (typeof document === 'undefined') {
        request.responseType = 'arraybuffer'
        request.timeout = TIMEOUT
      } else {
        request.overrideMimeType('text/plain; charset=x-user-defined')
      }
      request.send()
      if (request.status !== 200) throw new Error(`${request.status} ${address}`)
      const { response } = request
      add(new WebAssembly.Module(typeof response === 'string' ? Uint8Array.from(response, (byte) => byte.charCodeAt(0) & 0xff) : response))
    },
  }
}
