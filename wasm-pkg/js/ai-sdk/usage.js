// Recorded token counts, whichever vendor's words they were recorded in, as each version of the SDK has them.

const count = (...values) => values.find((value) => typeof value === 'number')

const difference = (total, part) => (total === undefined || part === undefined ? undefined : total - part)

/** The counts of a recording; undefined for what was not recorded. */
const read = (usage) => {
  const given = usage ?? {}
  const input = count(given.prompt_tokens, given.input_tokens)
  const output = count(given.completion_tokens, given.output_tokens)
  const sum = input === undefined || output === undefined ? undefined : input + output
  const inputDetails = given.prompt_tokens_details ?? given.input_tokens_details ?? {}
  const outputDetails = given.completion_tokens_details ?? given.output_tokens_details ?? {}
  return {
    input,
    output,
    total: count(given.total_tokens, sum),
    cacheRead: count(inputDetails.cached_tokens, given.cache_read_input_tokens),
    cacheWrite: count(given.cache_creation_input_tokens),
    reasoning: count(outputDetails.reasoning_tokens),
  }
}

/** Usage in the shape of `version`. It is always there: the SDK adds the counts of the steps up. */
export const usageOf = (usage, version) => {
  const { input, output, total, cacheRead, cacheWrite, reasoning } = read(usage)
  if (version === 'v2') {
    return {
      inputTokens: input,
      outputTokens: output,
      totalTokens: total,
      reasoningTokens: reasoning,
      cachedInputTokens: cacheRead,
    }
  }
  return {
    inputTokens: { total: input, noCache: difference(input, cacheRead), cacheRead, cacheWrite },
    outputTokens: { total: output, text: difference(output, reasoning), reasoning },
    ...(usage ? { raw: usage } : {}),
  }
}
