// Did-you-mean for names of options and commands.

/** The edit distance of two short words; a swap of neighbours counts once. */
const distance = (a: string, b: string) => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
      }
    }
    before = row
    row = next
  }
  return row[b.length]!
}

/** The name of `names` that `word` most likely means, or undefined. */
export const closest = (word: string, names: readonly string[]) => {
  const most = Math.max(1, Math.floor(Math.min(word.length, 40) / 3))
  const near = names
    .map((name) => [distance(word.slice(0, 40).toLowerCase(), name.toLowerCase()), name] as const)
    .filter(([far]) => far <= most)
  near.sort(([a], [b]) => a - b)
  return near[0]?.[1]
}
