//! The usage of an answer by the names of each vendor. A count that was not recorded is 0.

use serde_json::{Map, Value};

use super::object;
use crate::model::Tokens;
use crate::text::JsonMap;

fn read(usage: Option<&Value>) -> Tokens {
    usage.map(Tokens::read).unwrap_or_default()
}

pub(super) fn count(tokens: Option<u64>) -> Value {
    tokens.unwrap_or(0).into()
}

fn counts(all: &[(&'static str, Option<u64>)]) -> Value {
    let mut out = Map::new();
    for (name, tokens) in all {
        out.put(name, count(*tokens));
    }
    out.into()
}

/// The usage of an answer of OpenAI, by its names of the input, of its details, of the output, and of its details.
pub(super) fn openai(usage: Option<&Value>, names: [&'static str; 4]) -> Value {
    let tokens = read(usage);
    let [input, input_details, output, output_details] = names;
    // A single count is the total.
    let total = tokens.total().or(tokens.prompt).or(tokens.completion);
    object(vec![
        (input, count(tokens.prompt)),
        (input_details, object(vec![("cached_tokens", count(tokens.cached))])),
        (output, count(tokens.completion)),
        (output_details, object(vec![("reasoning_tokens", count(tokens.reasoning))])),
        ("total_tokens", count(total)),
    ])
}

/// The usage of an answer of Gemini, which counts thoughts separately and leaves out what it does not count.
pub(super) fn gemini(usage: Option<&Value>) -> Value {
    let tokens = read(usage);
    let answer = tokens.completion.map(|all| all.saturating_sub(tokens.reasoning.unwrap_or(0)));
    let mut out = vec![("promptTokenCount", count(tokens.prompt)), ("candidatesTokenCount", count(answer))];
    for (name, tokens) in [
        ("totalTokenCount", tokens.total()),
        ("cachedContentTokenCount", tokens.cached),
        ("thoughtsTokenCount", tokens.reasoning),
    ] {
        out.extend(tokens.map(|tokens| (name, tokens.into())));
    }
    object(out)
}

/// The usage of an answer of Bedrock.
pub(super) fn bedrock(usage: Option<&Value>) -> Value {
    let tokens = read(usage);
    counts(&[
        ("inputTokens", tokens.uncached()),
        ("outputTokens", tokens.completion),
        ("totalTokens", tokens.total()),
        ("cacheReadInputTokens", tokens.cached),
        ("cacheWriteInputTokens", tokens.cache_written),
    ])
}

/// The usage of an answer of Anthropic, whole or at the start of a stream, without output.
pub(super) fn anthropic(usage: Option<&Value>, is_whole: bool) -> Value {
    let tokens = read(usage);
    counts(&[
        ("input_tokens", tokens.uncached()),
        ("cache_creation_input_tokens", tokens.cache_written),
        ("cache_read_input_tokens", tokens.cached),
        ("output_tokens", tokens.completion.filter(|_| is_whole)),
    ])
}
