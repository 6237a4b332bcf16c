// Recorded token counts, whichever vendor's words they were recorded in.

const count = (...values) => values.find((value) => typeof value === 'number')

/** The counts of a recording; undefined for what was not recorded. */
export const countsOf = (usage) => {
  const given = usage ?? {}
  const input = count(given.prompt_tokens, given.input_tokens, given.inputTokens)
  const output = count(given.completion_tokens, given.output_tokens, given.outputTokens)
  const sum = input === undefined || output === undefined ? undefined : input + output
  const inputDetails = given.prompt_tokens_details ?? given.input_tokens_details ?? {}
  const outputDetails = given.completion_tokens_details ?? given.output_tokens_details ?? {}
  return {
    input,
    output,
    total: count(given.total_tokens, given.totalTokens, sum),
    cacheRead: count(inputDetails.cached_tokens, inputDetails.cache_read, given.cache_read_input_tokens),
    cacheWrite: count(inputDetails.cache_creation, given.cache_creation_input_tokens),
    reasoning: count(outputDetails.reasoning_tokens, outputDetails.reasoning),
  }
}

/** What of a map says something. */
export const present = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== ''))

/** Counts in the words of recordings; those that are undefined were not told. */
export const recordedUsage = ({ input, output, total, cached, reasoning }) => present({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
  completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
})
