// Patterns of file names, for shells that do not expand them.
import { type Dirent, readdirSync } from 'node:fs'
import { join, parse } from 'node:path'

export const isPattern = (text: string) => /[*?[{]/.test(text)

const escape = (text: string) => text.replace(/[.+^$()|\\\]}]/g, '\\$&')

/** One segment of a pattern as a regular expression; an open bracket without its end is itself. */
const segment = (pattern: string) => {
  const parts = pattern.match(/\*+|\?|\[!?[^\]]+\]|\{[^{}]*\}|[^*?[{]+|[[{]/g) ?? []
  const source = parts.map((part) => {
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part === '[' || part === '{') return `\\${part}`
    if (part.startsWith('[')) return `[${part.slice(1, -1).replace(/^!/, '^').replace(/\\/g, '\\\\')}]`
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(escape).join('|')})`
    return escape(part)
  })
  return new RegExp(`^${source.join('')}$`, 'u')
}

/** Hidden folders and installed packages contain no transcripts of the user. */
export const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules'

/** The entries of a folder. A folder that cannot be read is added to `found` itself, so that reading it reports why. */
const entries = (folder: string, found: string[]): Dirent[] => {
  try {
    return readdirSync(folder || '.', { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code!)) found.push(folder)
    return []
  }
}

const match = (folder: string, [first, ...rest]: readonly string[], found: string[]) => {
  if (first === undefined) return
  const last = rest.length === 0
  if (first === '**') {
    match(folder, last ? ['*'] : rest, found)
    for (const entry of entries(folder, found)) {
      if (entry.isDirectory() && !isSkipped(entry.name)) match(join(folder, entry.name), ['**', ...rest], found)
    }
    return
  }
  if (!isPattern(first)) {
    match(join(folder, first), rest, found)
    if (last) found.push(join(folder, first))
    return
  }
  const wanted = segment(first)
  for (const entry of entries(folder, found)) {
    if (!wanted.test(entry.name) || (entry.name.startsWith('.') && !first.startsWith('.'))) continue
    const path = join(folder, entry.name)
    if (last && !entry.isDirectory()) found.push(path)
    if (!last && !entry.isFile()) match(path, rest, found)
  }
}

/** The files that match, sorted by name. `**` matches any number of folders. */
export const glob = (pattern: string) => {
  const found: string[] = []
  // A drive of Windows, `C:\`, is a folder only with its backslash.
  const { root } = parse(pattern)
  match(
    root,
    pattern
      .slice(root.length)
      .split(/[/\\]+/)
      .filter((part) => part !== ''),
    found,
  )
  return [...new Set(found)]
}
