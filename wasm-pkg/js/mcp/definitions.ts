// The tools that a recording knows of, as a server lists them.
import { serverToolName } from './names.ts'
import type { Fields } from '../api/fields.ts'
import type { ToolTape } from '../types/index.ts'
import type { McpTool } from '../types/mcp.ts'

const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of arguments; that of a server is one of an object. */
// It was just seen to be one of an object.
const schemaOf = (schema?: unknown) => (isMap(schema) && schema.type === 'object' ? schema : { type: 'object' }) as McpTool['inputSchema']

const toDefinition = (tool: unknown) => {
  const {
    name,
    description,
    parameters,
    input_schema: schema = parameters,
  } = (typeof tool === 'string' ? { name: tool } : ((tool as Fields)?.function ?? tool ?? {})) as NonNullable<Fields>
  return { name, ...(typeof description === 'string' ? { description } : {}), inputSchema: schemaOf(schema) }
}

/** The definitions of the tools that an agent declared, and of other tools that were called. */
export const definitionsOf = (tape: ToolTape, server: string | undefined): McpTool[] => {
  const { tools } = tape.expectedConfig ?? {}
  const called = tape.expectedToolCalls.map(({ name }) => ({ name, inputSchema: schemaOf() }))
  const found = new Map<string, McpTool>()
  for (const { name, ...tool } of [...(Array.isArray(tools) ? tools : []).map(toDefinition), ...called]) {
    const own = typeof name === 'string' ? serverToolName(name, server) : undefined
    if (own !== undefined && !found.has(own)) found.set(own, { name: own, ...tool })
  }
  return [...found.values()]
}
