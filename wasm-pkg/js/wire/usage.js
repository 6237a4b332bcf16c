// Recorded token counts, whichever vendor's words they were recorded in.

const count = (...values) => values.find((value) => typeof value === 'number')

const difference = (total, ...parts) => Math.max(0, parts.reduce((left, part) => left - (part ?? 0), total ?? 0))

/** The counts of a recording; undefined for what was not recorded. */
export const countsOf = (usage) => {
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

/** Anthropic counts what it read from a cache, or wrote to it, apart from the input; others within it. */
const isApart = (usage) => count(usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens) !== undefined

/** The usage of an answer of OpenAI, by its names of the two counts. What was not recorded is 0. */
export const openaiUsage = (usage, [inputName, outputName]) => {
  const { input = 0, output = 0, total, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = countsOf(usage)
  const whole = isApart(usage) ? input + cacheRead + cacheWrite : input
  return {
    [`${inputName}_tokens`]: whole,
    [`${inputName}_tokens_details`]: { cached_tokens: cacheRead },
    [`${outputName}_tokens`]: output,
    [`${outputName}_tokens_details`]: { reasoning_tokens: reasoning },
    total_tokens: isApart(usage) ? whole + output : total ?? whole + output,
  }
}

/** The usage of an answer of Anthropic. */
export const anthropicUsage = (usage) => {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = countsOf(usage)
  return {
    input_tokens: isApart(usage) ? input : difference(input, cacheRead),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}
