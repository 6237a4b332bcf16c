// Recorded token counts as each version of the SDK has them.
import type { AiSdkShapes, SpecificationVersion } from '../types/ai-sdk.ts'
import type { Json } from '../types/index.ts'
import { sum, tokenCounts } from '../adapters/usage.ts'

const difference = (total: number | undefined, part: number | undefined) =>
  total === undefined || part === undefined ? undefined : total - part

/** Usage in the shape of `version`. It is always there: the SDK adds the counts of the steps up. */
export const usageOf = (
  usage: { [key: string]: Json } | null,
  version: SpecificationVersion,
): AiSdkShapes[SpecificationVersion]['usage'] => {
  const { input, output, total, cacheRead, cacheWrite, reasoning } = tokenCounts(usage)
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
    inputTokens: { total: input, noCache: difference(input, sum(cacheRead, cacheWrite)), cacheRead, cacheWrite },
    outputTokens: { total: output, text: difference(output, reasoning), reasoning },
    ...(usage ? { raw: usage } : {}),
  }
}
