// Recorded token counts, whichever vendor's names they were recorded with.
import type { Fields } from '../api/fields.ts'
import { TOKEN_NAMES } from './vendor-names.ts'

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** The sum of those that are known. */
export const sum = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : one + other

/**
 * The counts of a recording; undefined for what was not recorded. `input` includes what a cache had or took, `output` includes
 * reasoning, whatever the vendor does.
 */
export const tokenCounts = (usage: unknown) => {
  const at = (path: string) => path.split('/').reduce((value, key) => (value as Fields)?.[key], usage)
  const first = (names: readonly string[]) => names.map(at).find(isCount)
  const cached = first(TOKEN_NAMES.cached)
  const reasoning = first(TOKEN_NAMES.reasoning)
  // LiteLLM writes both names for the same tokens, so only one of them counts.
  const separate = (names: readonly string[], included: number | undefined) => (included === undefined ? first(names) : undefined)
  const cacheRead = separate(TOKEN_NAMES.separateCached, cached)
  const apart = sum(cacheRead, separate(TOKEN_NAMES.separateCacheWritten, cached))
  const thoughts = separate(TOKEN_NAMES.separateReasoning, reasoning)
  const sent = first(TOKEN_NAMES.prompt)
  const output = sum(first(TOKEN_NAMES.completion), thoughts)
  const total = first(TOKEN_NAMES.total)
  // In Inspect's names the input has the cached tokens or not, as with the vendor. The total tells.
  const isInspect = first(['input_tokens_cache_read', 'input_tokens_cache_write']) !== undefined
  const isIncluded = isInspect && total !== undefined && total < (sum(sum(sent, apart), output) ?? 0)
  const uncounted = isIncluded ? undefined : apart
  const input = sent === undefined ? undefined : sent + (uncounted ?? 0)
  const all = input === undefined || output === undefined ? undefined : input + output
  // A recorded total without the cached tokens is not the total of all tokens.
  const isWhole = total !== undefined && (uncounted === undefined || total >= (sum(input, output) ?? 0))
  return {
    input,
    output,
    total: isWhole ? total : all,
    cacheRead: cached ?? cacheRead,
    cacheWrite: first(TOKEN_NAMES.cacheWritten) ?? first(TOKEN_NAMES.separateCacheWritten),
    reasoning: reasoning ?? thoughts,
  }
}

/** A map without empty values. */
export const omitEmpty = <Entries extends object>(entries: Entries) =>
  Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Partial<Entries>

type Count = number | null | undefined

interface RecordedCounts {
  input: Count
  output: Count
  total: Count
  cached: Count
  reasoning: Count
}

/** Token counts with the names that recordings use; undefined counts are left out. */
export const recordedUsage = ({ input, output, total, cached, reasoning }: RecordedCounts) =>
  omitEmpty({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
  })
