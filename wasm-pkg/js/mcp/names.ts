// The names that the tools of servers go by: agents put that of the server before them, each in its own way.

/** A name as frameworks write it for models, which take few characters. */
const sanitize = (name: string) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/** The name that a tool of a server is recorded under where no model called it. */
export const fullName = (tool: string, server: string | undefined) => (server === undefined ? tool : `mcp__${sanitize(server)}__${tool}`)

const SERVER = /^mcp__.+?__(?=.)/

/** The prefixes before the name of a tool, as hosts write them: `mcp__files__`, `files_` and similar. */
const namePrefixes = (server: string) => {
  const name = sanitize(server)
  const marks = ['__', '_', '-']
  return marks.flatMap((mark) => [`mcp${mark}${name}${mark}`, `${name}${mark}`]).concat(`mcp__${name}_`)
}

/**
 * How well `name` matches `tool` of `server`: 2 and 1 for a match, 0 for none. With a server, its own tools come before those
 * without one; without, the exact name comes first.
 */
export const matchScore = (name: string, tool: string, server: string | undefined) => {
  const isSame = name === tool || sanitize(name) === sanitize(tool)
  if (server === undefined) {
    if (isSame) return 2
    return sanitize(name).endsWith(`__${sanitize(tool)}`) ? 1 : 0
  }
  if (namePrefixes(server).some((prefix) => sanitize(name) === prefix + sanitize(tool))) return 2
  return isSame ? 1 : 0
}

/** The name that a server knows a recorded tool by; undefined for a tool of another server. */
export const serverToolName = (name: string, server: string | undefined) => {
  if (server === undefined) return name
  const prefixes = namePrefixes(server).sort((a, b) => b.length - a.length)
  const prefix = prefixes.find((start) => name.startsWith(start) && name.length > start.length)
  if (prefix !== undefined) return name.slice(prefix.length)
  return SERVER.test(name) ? undefined : name
}
