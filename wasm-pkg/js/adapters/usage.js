// Recorded token counts, whichever vendor's names they were recorded with.

const count = (...values) => values.find((value) => typeof value === 'number')

/** The counts of a recording; undefined for what was not recorded. */
export const tokenCounts = (usage) => {
  const recorded = usage ?? {}
  const input = count(recorded.prompt_tokens, recorded.input_tokens, recorded.inputTokens)
  const output = count(recorded.completion_tokens, recorded.output_tokens, recorded.outputTokens)
  const sum = input === undefined || output === undefined ? undefined : input + output
  const inputDetails = recorded.prompt_tokens_details ?? recorded.input_tokens_details ?? {}
  const outputDetails = recorded.completion_tokens_details ?? recorded.output_tokens_details ?? {}
  return {
    input,
    output,
    total: count(recorded.total_tokens, recorded.totalTokens, sum),
    cacheRead: count(inputDetails.cached_tokens, inputDetails.cache_read, recorded.cache_read_input_tokens),
    cacheWrite: count(inputDetails.cache_creation, recorded.cache_creation_input_tokens),
    reasoning: count(outputDetails.reasoning_tokens, outputDetails.reasoning),
  }
}

/** A map without empty values. */
export const omitEmpty = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== ''))

/** Token counts with the names that recordings use; undefined counts are left out. */
export const recordedUsage = ({ input, output, total, cached, reasoning }) => omitEmpty({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
  completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
})
