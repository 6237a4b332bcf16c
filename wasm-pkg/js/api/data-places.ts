// Where a line of data is that was written with two spaces for each level.

/** The keys and indices that lead to a line of `text`, from 1, such as `states.start.next` or `responses[2]`. */
export const pathOfLine = (text: string, line: number) => {
  const path: (string | number)[] = []
  for (const each of text.split('\n').slice(1, line)) {
    const level = (each.length - each.trimStart().length) / 2
    if (/^\s*[\]}]/.test(each)) continue
    const key = /^\s*("(?:[^"\\]|\\.)*"): /.exec(each)?.[1]
    const before = path[level - 1]
    path.length = level
    path[level - 1] = key !== undefined ? JSON.parse(key) : typeof before === 'number' ? before + 1 : 0
  }
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${part}`)).join('')
}
