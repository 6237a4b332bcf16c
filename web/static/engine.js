// Starts the module of the workers for one that needs more than its reader. A release has the module in parts
// (`build/split-engine.mjs`), which the reader has often loaded before, so that they come from the cache.

async function compiled(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${answer.status} ${address}`)
  return WebAssembly.compile(await answer.arrayBuffer())
}

/**
 * Starts the module at the address `module` with `init` of its glue. `later` has the addresses of the parts to add, in their order: a
 * part calls functions of those before it. `addExports` is of the glue, too. Returns what `addPart` needs to add one more later.
 */
export async function startEngine({ init, addExports, module, later }) {
  // The first part calls it before it calls the rest for the first time, which is there by then.
  globalThis.loadRestNow = () => {}
  const first = await init({ module_or_path: module })
  if (!('split_memory' in first)) return undefined
  for (const part of await Promise.all(later.map(compiled))) await add(first, addExports, part)
  return first
}

async function add(first, addExports, part) {
  const { exports } = await WebAssembly.instantiate(part, { first })
  addExports(exports)
}

/** Adds the part at that address. A module that is whole has everything already. */
export async function addPart(first, addExports, address) {
  if (first) await add(first, addExports, await compiled(address))
}
