//! Counts of tokens under the names of any vendor.

use serde_json::{Map, Value};

/// The tokens of a call, or of several together; unknown counts are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// All that was sent, what a cache had included.
    pub prompt: Option<u64>,
    /// All that came back.
    pub completion: Option<u64>,
    /// What a cache had of what was sent.
    pub cached: Option<u64>,
    total: Option<u64>,
}

impl Tokens {
    /// Reads the usage of an answer. Anthropic counts what a cache had or took apart from the rest that was sent.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::model::Tokens;
    /// let usage = json!({"input_tokens": 4, "cache_read_input_tokens": 900, "output_tokens": 6});
    /// assert_eq!(Tokens::read(&usage).total(), Some(910));
    /// ```
    #[must_use]
    pub fn read(usage: &Value) -> Self {
        let number = |path: &str| {
            let mut value = usage;
            for key in path.split('.') {
                value = value.get(key)?;
            }
            value.as_u64()
        };
        let first = |paths: &[&str]| paths.iter().find_map(|path| number(path));
        let read = first(&["cache_read_input_tokens", "cacheReadInputTokens"]);
        let written = first(&["cache_creation_input_tokens", "cacheWriteInputTokens"]);
        let cached = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
        Self {
            prompt: first(&[
                "prompt_tokens",
                "input_tokens",
                "inputTokens",
                "promptTokens",
                "promptTokenCount",
            ])
            .map(|sent| sent.saturating_add(cached)),
            completion: first(&[
                "completion_tokens",
                "output_tokens",
                "outputTokens",
                "completionTokens",
                "candidatesTokenCount",
            ]),
            cached: first(&[
                "prompt_tokens_details.cached_tokens",
                "input_tokens_details.cached_tokens",
                "cachedInputTokens",
                "cachedContentTokenCount",
            ])
            .or(read),
            total: first(&["total_tokens", "totalTokens", "totalTokenCount"]),
        }
    }

    /// The total as recorded, else the sum of prompt and completion.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total.or_else(|| Some(self.prompt?.saturating_add(self.completion?)))
    }

    /// Adds those of another call.
    pub fn add(&mut self, other: &Self) {
        let sum = |one: &mut Option<u64>, other: Option<u64>| {
            if let Some(other) = other {
                *one = Some(one.unwrap_or(0).saturating_add(other));
            }
        };
        sum(&mut self.prompt, other.prompt);
        sum(&mut self.completion, other.completion);
        sum(&mut self.cached, other.cached);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_words_of_the_vendors_mean_the_same_counts() {
        let all = |prompt, completion, cached| Tokens {
            prompt: Some(prompt),
            completion: Some(completion),
            cached: Some(cached),
            total: None,
        };
        let openai = json!({"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}});
        assert_eq!(Tokens::read(&openai), all(100, 7, 60));
        // The 40 that were neither read from the cache nor written to it, and both.
        let anthropic = json!({
            "input_tokens": 40, "cache_read_input_tokens": 50, "cache_creation_input_tokens": 10, "output_tokens": 7
        });
        assert_eq!(Tokens::read(&anthropic), all(100, 7, 50));
        assert_eq!(Tokens::read(&anthropic).total(), Some(107));
        let gemini = json!({"promptTokenCount": 100, "candidatesTokenCount": 7, "totalTokenCount": 110});
        assert_eq!((Tokens::read(&gemini).prompt, Tokens::read(&gemini).total()), (Some(100), Some(110)));
        assert_eq!(Tokens::read(&json!("many")), Tokens::default());
    }
}
