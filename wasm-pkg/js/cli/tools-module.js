// The live tools of a module: what it exports by name, or the functions of the object that it exports.

/** The functions that the module at an address exports, by their names. */
export const toolsIn = async (address) => {
  if (address === undefined) return {}
  const { default: all = {}, ...named } = await import(address)
  const entries = Object.entries({ ...(typeof all === 'object' ? all : {}), ...named })
  const tools = Object.fromEntries(entries.filter(([, tool]) => typeof tool === 'function'))
  if (Object.keys(tools).length === 0) throw new Error('it exports no function')
  return tools
}
