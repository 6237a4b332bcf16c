// The tools that a recording knows of, as a server lists them.
import { serverToolName } from './names.js'

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of arguments; that of a server is one of an object. */
const schemaOf = (schema) => (isMap(schema) && schema.type === 'object' ? schema : { type: 'object' })

const toDefinition = (tool) => {
  const {
    name,
    description,
    parameters,
    input_schema: schema = parameters,
  } = typeof tool === 'string' ? { name: tool } : (tool?.function ?? tool ?? {})
  return { name, ...(typeof description === 'string' ? { description } : {}), inputSchema: schemaOf(schema) }
}

/** The definitions of the tools that an agent declared, and of other tools that were called. */
export const definitionsOf = (tape, server) => {
  const { tools } = tape.expectedConfig ?? {}
  const called = tape.expectedToolCalls.map(({ name }) => ({ name, inputSchema: schemaOf() }))
  const found = new Map()
  for (const { name, ...tool } of [...(Array.isArray(tools) ? tools : []).map(toDefinition), ...called]) {
    const own = typeof name === 'string' ? serverToolName(name, server) : undefined
    if (own !== undefined && !found.has(own)) found.set(own, { name: own, ...tool })
  }
  return [...found.values()]
}
