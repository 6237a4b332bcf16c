//! Counts of tokens under the names of any vendor.

use serde_json::{Map, Value};

/// The names of each count in the usage of vendors, frameworks and logs. The first name that is present
/// counts. A `/` descends into a map. The tests write them into `wasm-pkg/js/adapters/vendor-names.ts`.
mod names {
    pub(super) const PROMPT: [&str; 8] = [
        "prompt_tokens",
        "input_tokens",
        "inputTokens",
        "inputTokens/total",
        "promptTokens",
        "promptTokenCount",
        "prompt_eval_count",
        "tokens/input_tokens",
    ];
    pub(super) const COMPLETION: [&str; 8] = [
        "completion_tokens",
        "output_tokens",
        "outputTokens",
        "outputTokens/total",
        "completionTokens",
        "candidatesTokenCount",
        "eval_count",
        "tokens/output_tokens",
    ];
    pub(super) const TOTAL: [&str; 3] = ["total_tokens", "totalTokens", "totalTokenCount"];
    /// Names of counts that the prompt includes.
    pub(super) const CACHED: [&str; 14] = [
        "prompt_tokens_details/cached_tokens",
        "input_tokens_details/cached_tokens",
        "prompt_tokens_details/cache_read",
        "input_tokens_details/cache_read",
        "input_token_details/cache_read",
        "inputTokens/cacheRead",
        "inputTokenDetails/cacheReadTokens",
        "cachedInputTokens",
        "cachedContentTokenCount",
        "cached_input_tokens",
        "cache_read.input_tokens",
        "prompt_details/cache_read",
        "prompt_cache_hit_tokens",
        "cached_tokens",
    ];
    /// Names of counts that the prompt does not include.
    pub(super) const SEPARATE_CACHED: [&str; 3] =
        ["cache_read_input_tokens", "cacheReadInputTokens", "input_tokens_cache_read"];
    /// Names of counts that the prompt includes.
    pub(super) const CACHE_WRITTEN: [&str; 9] = [
        "prompt_tokens_details/cache_creation",
        "input_tokens_details/cache_creation",
        "prompt_tokens_details/cache_write_tokens",
        "input_token_details/cache_creation",
        "inputTokens/cacheWrite",
        "inputTokenDetails/cacheWriteTokens",
        "cache_write_input_tokens",
        "cache_creation.input_tokens",
        "prompt_details/cache_write",
    ];
    /// Names of counts that the prompt does not include.
    pub(super) const SEPARATE_CACHE_WRITTEN: [&str; 3] =
        ["cache_creation_input_tokens", "cacheWriteInputTokens", "input_tokens_cache_write"];
    /// Names of counts that the completion includes.
    pub(super) const REASONING: [&str; 12] = [
        "completion_tokens_details/reasoning_tokens",
        "output_tokens_details/reasoning_tokens",
        "completion_tokens_details/reasoning",
        "output_tokens_details/reasoning",
        "output_token_details/reasoning",
        "outputTokens/reasoning",
        "outputTokenDetails/reasoningTokens",
        "reasoningTokens",
        "reasoning_output_tokens",
        "reasoning.output_tokens",
        "completion_details/reasoning",
        "reasoning_tokens",
    ];
    /// Names of counts that the completion does not include.
    pub(super) const SEPARATE_REASONING: [&str; 1] = ["thoughtsTokenCount"];
}

/// The tokens of a call, or of several together; unknown counts are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// All input, cached tokens included.
    pub prompt: Option<u64>,
    /// All output, reasoning included.
    pub completion: Option<u64>,
    /// Input tokens read from a cache.
    pub cached: Option<u64>,
    /// Input tokens written to a cache.
    pub cache_written: Option<u64>,
    /// The output for reasoning.
    pub reasoning: Option<u64>,
    total: Option<u64>,
}

impl Tokens {
    /// The names of each count, for programs that read usage themselves. The first name that is present counts; a
    /// `/` descends into a map.
    ///
    /// ```
    /// use transcript_core::model::Tokens;
    /// let (count, names) = Tokens::names()[0];
    /// assert_eq!((count, names[0]), ("prompt", "prompt_tokens"));
    /// ```
    #[must_use]
    pub fn names() -> [(&'static str, &'static [&'static str]); 9] {
        [
            ("prompt", &names::PROMPT),
            ("completion", &names::COMPLETION),
            ("total", &names::TOTAL),
            ("cached", &names::CACHED),
            ("separateCached", &names::SEPARATE_CACHED),
            ("cacheWritten", &names::CACHE_WRITTEN),
            ("separateCacheWritten", &names::SEPARATE_CACHE_WRITTEN),
            ("reasoning", &names::REASONING),
            ("separateReasoning", &names::SEPARATE_REASONING),
        ]
    }

    /// Reads the usage of an answer in any vendor's names. Anthropic and Bedrock count cached input
    /// separately from the rest, and Gemini counts thoughts separately from the other output: both are added.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::model::Tokens;
    /// let usage = json!({"input_tokens": 4, "cache_read_input_tokens": 900, "output_tokens": 6});
    /// assert_eq!(Tokens::read(&usage).total(), Some(910));
    /// ```
    #[must_use]
    pub fn read(usage: &Value) -> Self {
        let number = |path: &&str| path.split('/').try_fold(usage, |value, key| value.get(key))?.as_u64();
        let first = |paths: &[&str]| paths.iter().find_map(number);
        let cached = first(&names::CACHED);
        let reasoning = first(&names::REASONING);
        // LiteLLM writes both names for the same tokens, so only one of them counts.
        let separate =
            |names: &[&str], included: Option<u64>| if included.is_none() { first(names) } else { None };
        let cache_read = separate(&names::SEPARATE_CACHED, cached);
        let cache_written = separate(&names::SEPARATE_CACHE_WRITTEN, cached);
        let thoughts = separate(&names::SEPARATE_REASONING, reasoning);
        let completion = sum(first(&names::COMPLETION), thoughts);
        let recorded = first(&names::TOTAL);
        let sent = first(&names::PROMPT);
        let whole = |apart: Option<u64>| sum(sum(sent, apart), completion);
        // In Inspect's names the input has the cached tokens or not, as with the vendor. The total tells.
        let is_inspect = first(&["input_tokens_cache_read", "input_tokens_cache_write"]).is_some();
        let uncounted = sum(cache_read, cache_written)
            .filter(|apart| !is_inspect || recorded.is_none() || recorded >= whole(Some(*apart)));
        let prompt = sent.map(|sent| sent.saturating_add(uncounted.unwrap_or(0)));
        // A recorded total without the cached tokens is not the total of all tokens.
        let is_whole =
            |total: &u64| uncounted.is_none() || sum(prompt, completion).is_none_or(|all| *total >= all);
        Self {
            prompt,
            completion,
            cached: cached.or(cache_read),
            cache_written: first(&names::CACHE_WRITTEN).or_else(|| first(&names::SEPARATE_CACHE_WRITTEN)),
            reasoning: reasoning.or(thoughts),
            total: recorded.filter(is_whole),
        }
    }

    /// The input without cached tokens, as Anthropic counts it.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::model::Tokens;
    /// let usage = json!({"prompt_tokens": 904, "prompt_tokens_details": {"cached_tokens": 900}});
    /// assert_eq!(Tokens::read(&usage).uncached(), Some(4));
    /// ```
    #[must_use]
    pub fn uncached(&self) -> Option<u64> {
        let cache = sum(self.cached, self.cache_written).unwrap_or(0);
        // Where more is cached than sent, the log counts the two apart.
        self.prompt.map(|sent| sent.checked_sub(cache).unwrap_or(sent))
    }

    /// The output with the reasoning that some vendors leave out of it: the recorded total tells.
    pub(crate) fn billed_output(&self) -> Option<u64> {
        let whole = sum(self.completion, self.reasoning);
        if self.total.is_some() && self.total == sum(self.prompt, whole) { whole } else { self.completion }
    }

    /// The total as recorded, else the sum of prompt and completion.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total.or_else(|| Some(self.prompt?.saturating_add(self.completion?)))
    }

    /// Adds those of another call.
    pub fn add(&mut self, other: &Self) {
        self.prompt = sum(self.prompt, other.prompt);
        self.completion = sum(self.completion, other.completion);
        self.cached = sum(self.cached, other.cached);
        self.cache_written = sum(self.cache_written, other.cache_written);
        self.reasoning = sum(self.reasoning, other.reasoning);
    }

    /// By the names of a trajectory.
    #[must_use]
    pub fn metrics(&self) -> Map<String, Value> {
        self.named(["prompt_tokens", "completion_tokens", "cached_tokens"])
    }

    /// The same for a whole trajectory.
    #[must_use]
    pub fn totals(&self) -> Map<String, Value> {
        self.named(["total_prompt_tokens", "total_completion_tokens", "total_cached_tokens"])
    }

    fn named(&self, names: [&str; 3]) -> Map<String, Value> {
        let counts = [self.prompt, self.completion, self.cached];
        names
            .iter()
            .zip(counts)
            .filter_map(|(name, count)| Some(((*name).to_owned(), count?.into())))
            .collect()
    }
}

/// The sum of the known ones.
fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Prompt, completion, cached, written to the cache, reasoning, total.
    fn counts(usage: &Value) -> [Option<u64>; 6] {
        let tokens = Tokens::read(usage);
        let Tokens { prompt, completion, cached, cache_written, reasoning, .. } = tokens;
        [prompt, completion, cached, cache_written, reasoning, tokens.total()]
    }

    #[test]
    fn openai_and_the_sdk_include_the_cache_and_reasoning() {
        let openai = json!({
            "prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60},
            "completion_tokens_details": {"reasoning_tokens": 3}
        });
        assert_eq!(counts(&openai), [Some(100), Some(7), Some(60), None, Some(3), Some(107)]);
        let ai_sdk = json!({
            "inputTokens": {"total": 100, "noCache": 30, "cacheRead": 60, "cacheWrite": 10},
            "outputTokens": {"total": 7, "text": 4, "reasoning": 3}
        });
        assert_eq!(counts(&ai_sdk), [Some(100), Some(7), Some(60), Some(10), Some(3), Some(107)]);
        assert_eq!(Tokens::read(&ai_sdk).uncached(), Some(30));
    }

    #[test]
    fn anthropic_counts_the_cache_apart() {
        let anthropic = json!({
            "input_tokens": 40, "cache_read_input_tokens": 50, "cache_creation_input_tokens": 10, "output_tokens": 7
        });
        assert_eq!(counts(&anthropic), [Some(100), Some(7), Some(50), Some(10), None, Some(107)]);
        assert_eq!(Tokens::read(&anthropic).uncached(), Some(40));
    }

    #[test]
    fn a_total_without_the_cache_is_not_that_of_all() {
        let mut usage =
            json!({"input_tokens": 4, "cache_read_input_tokens": 90, "output_tokens": 6, "total_tokens": 10});
        assert_eq!(Tokens::read(&usage).total(), Some(100));
        usage["total_tokens"] = json!(103);
        assert_eq!(Tokens::read(&usage).total(), Some(103));
    }

    #[test]
    fn the_total_tells_whether_the_input_of_inspect_has_the_cache() {
        let mut usage = json!({
            "input_tokens": 40, "output_tokens": 7, "total_tokens": 107,
            "input_tokens_cache_read": 50, "input_tokens_cache_write": 10
        });
        assert_eq!(counts(&usage), [Some(100), Some(7), Some(50), Some(10), None, Some(107)]);
        usage = json!({"input_tokens": 90, "output_tokens": 7, "total_tokens": 97, "input_tokens_cache_read": 50});
        assert_eq!(counts(&usage), [Some(90), Some(7), Some(50), None, None, Some(97)]);
    }

    #[test]
    fn counts_that_are_there_by_both_names_count_once() {
        let lite_llm = json!({
            "prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 50},
            "cache_read_input_tokens": 50, "cache_creation_input_tokens": 10
        });
        assert_eq!(counts(&lite_llm), [Some(100), Some(7), Some(50), Some(10), None, Some(107)]);
    }

    #[test]
    fn gemini_counts_thoughts_apart() {
        let gemini = json!({
            "promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 7, "thoughtsTokenCount": 3
        });
        assert_eq!(counts(&gemini), [Some(100), Some(10), Some(60), None, Some(3), Some(110)]);
        let cut = json!({"promptTokenCount": 100, "thoughtsTokenCount": 3, "totalTokenCount": 105});
        assert_eq!(counts(&cut), [Some(100), Some(3), None, None, Some(3), Some(105)]);
    }

    #[test]
    fn what_is_no_count_is_unknown() {
        assert_eq!(Tokens::read(&json!("many")), Tokens::default());
        assert_eq!(Tokens::read(&json!({"prompt_tokens": null, "output_tokens": -1})), Tokens::default());
        assert_eq!(Tokens::read(&json!({"inputTokens": "4"})), Tokens::default());
    }

    #[test]
    fn calls_add_up() {
        let mut sum = Tokens::read(&json!({"input_tokens": 4, "cache_creation_input_tokens": 6}));
        sum.add(&Tokens::read(&json!({"promptTokens": 5, "completionTokens": 2, "reasoningTokens": 1})));
        let Tokens { prompt, completion, cache_written, reasoning, .. } = sum;
        assert_eq!([prompt, completion, cache_written, reasoning], [Some(15), Some(2), Some(6), Some(1)]);
    }
}
