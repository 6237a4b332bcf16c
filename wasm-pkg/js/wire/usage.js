// The usage of an answer with the names of each vendor.
import { tokenCounts } from '../adapters/usage.js'

const difference = (total, ...parts) => Math.max(0, parts.reduce((left, part) => left - (part ?? 0), total ?? 0))

/** Anthropic counts what it read from a cache, or wrote to it, apart from the input; others within it. */
const countsCacheSeparately = (usage) =>
  typeof usage?.cache_read_input_tokens === 'number' || typeof usage?.cache_creation_input_tokens === 'number'

/** The usage of an answer of OpenAI, by its names of the two counts. What was not recorded is 0. */
export const openaiUsage = (usage, [inputName, outputName]) => {
  const { input = 0, output = 0, total, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = tokenCounts(usage)
  const whole = countsCacheSeparately(usage) ? input + cacheRead + cacheWrite : input
  return {
    [`${inputName}_tokens`]: whole,
    [`${inputName}_tokens_details`]: { cached_tokens: cacheRead },
    [`${outputName}_tokens`]: output,
    [`${outputName}_tokens_details`]: { reasoning_tokens: reasoning },
    total_tokens: countsCacheSeparately(usage) ? whole + output : total ?? whole + output,
  }
}

/** The usage of an answer of Anthropic. */
export const anthropicUsage = (usage) => {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = tokenCounts(usage)
  return {
    input_tokens: countsCacheSeparately(usage) ? input : difference(input, cacheRead),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}
