// A release has some of its wasm modules in two parts: what the first screens call, and the rest. The rest loads when there is time,
// or when the first part calls a function of it.

/** How long a script waits for the rest when it cannot go on without it, in milliseconds. */
const TIMEOUT = 30_000

/**
 * A module in two parts. `address` is that of the rest. `started(exports)` takes the exports of the first part, or those of a module
 * that was not split. `fetchRest()` only fetches the rest. `load()` adds it once the module has started, `loadNow(exports)` at once,
 * even during the start. They fail if it does not come, and the next call tries again.
 */
export function twoParts(address) {
  let first
  let isWhole = false
  let rest
  let loading
  let start
  const hasStarted = new Promise((resolve) => (start = resolve))

  const fetchRest = async () => {
    if (rest) return
    // What the first screen shows comes first.
    const answer = await fetch(address, { priority: 'low' })
    if (!answer.ok) throw new Error(`${answer.status} ${address}`)
    rest = await WebAssembly.compile(await answer.arrayBuffer())
  }
  const loadOnce = async () => {
    await hasStarted
    if (isWhole) return
    await fetchRest()
    // If `loadNow` adds it too, that does no harm: it has functions, and neither data nor a state.
    await WebAssembly.instantiate(rest, { first })
    isWhole = true
  }
  return {
    started(exports) {
      first = exports
      isWhole ||= !('split_memory' in exports)
      start()
    },
    fetchRest,
    load() {
      loading ??= loadOnce().catch((error) => {
        loading = undefined
        throw error
      })
      return loading
    },
    loadNow(exports) {
      if (isWhole) return
      first = exports
      rest ??= new WebAssembly.Module(bytesNow(address))
      new WebAssembly.Instance(rest, { first })
      isWhole = true
    },
  }
}

/** The bytes of a file, for a script that cannot wait. */
function bytesNow(address) {
  const request = new XMLHttpRequest()
  request.open('GET', address, false)
  // A page cannot set a time limit, and gets text alone, with each byte as a character.
  const isPage = typeof document !== 'undefined'
  if (isPage) request.overrideMimeType('text/plain; charset=x-user-defined')
  else Object.assign(request, { responseType: 'arraybuffer', timeout: TIMEOUT })
  request.send()
  if (request.status !== 200) throw new Error(`${request.status} ${address}`)
  return isPage ? Uint8Array.from(request.response, (byte) => byte.charCodeAt(0) & 0xff) : request.response
}
