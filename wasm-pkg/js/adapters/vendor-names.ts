// Written by the tests from the Rust tables.

/**
 * The names of each token count. The first that is present counts; a `/` leads into a map. The prompt includes `cached`
 * and `cacheWritten`, and the completion includes `reasoning`. Neither includes the counts whose name begins with `separate`.
 */
export const TOKEN_NAMES = {
  prompt: [
    'prompt_tokens',
    'input_tokens',
    'inputTokens',
    'inputTokens/total',
    'promptTokens',
    'promptTokenCount',
    'prompt_eval_count',
    'tokens/input_tokens',
  ],
  completion: [
    'completion_tokens',
    'output_tokens',
    'outputTokens',
    'outputTokens/total',
    'completionTokens',
    'candidatesTokenCount',
    'eval_count',
    'tokens/output_tokens',
  ],
  total: [
    'total_tokens',
    'totalTokens',
    'totalTokenCount',
  ],
  cached: [
    'prompt_tokens_details/cached_tokens',
    'input_tokens_details/cached_tokens',
    'prompt_tokens_details/cache_read',
    'input_tokens_details/cache_read',
    'input_token_details/cache_read',
    'inputTokens/cacheRead',
    'inputTokenDetails/cacheReadTokens',
    'cachedInputTokens',
    'cachedContentTokenCount',
    'cached_input_tokens',
    'cache_read.input_tokens',
    'prompt_details/cache_read',
    'prompt_cache_hit_tokens',
    'cached_tokens',
  ],
  separateCached: [
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'input_tokens_cache_read',
  ],
  cacheWritten: [
    'prompt_tokens_details/cache_creation',
    'input_tokens_details/cache_creation',
    'prompt_tokens_details/cache_write_tokens',
    'input_token_details/cache_creation',
    'inputTokens/cacheWrite',
    'inputTokenDetails/cacheWriteTokens',
    'cache_write_input_tokens',
    'cache_creation.input_tokens',
    'prompt_details/cache_write',
  ],
  separateCacheWritten: [
    'cache_creation_input_tokens',
    'cacheWriteInputTokens',
    'input_tokens_cache_write',
  ],
  reasoning: [
    'completion_tokens_details/reasoning_tokens',
    'output_tokens_details/reasoning_tokens',
    'completion_tokens_details/reasoning',
    'output_tokens_details/reasoning',
    'output_token_details/reasoning',
    'outputTokens/reasoning',
    'outputTokenDetails/reasoningTokens',
    'reasoningTokens',
    'reasoning_output_tokens',
    'reasoning.output_tokens',
    'completion_details/reasoning',
    'reasoning_tokens',
  ],
  separateReasoning: [
    'thoughtsTokenCount',
  ],
}

/** The finish reasons of vendors and frameworks, in lower case. Any other reason means a normal end. */
export const FINISH_REASONS = {
  length: [
    'length',
    'max_tokens',
    'max-tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  filter: [
    'content_filter',
    'content-filter',
    'content_filtered',
    'guardrail_intervened',
    'refusal',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
  ],
}
