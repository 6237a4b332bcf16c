//! The usage of an answer by the names of each vendor. A count that was not recorded is 0.

use serde_json::Value;

use super::{Fields, object};

/// Recorded counts, whichever vendor's names they were recorded with.
struct Counts {
    input: u64,
    output: u64,
    total: Option<u64>,
    cache_read: u64,
    cache_write: u64,
    reasoning: u64,
    /// Whether the input is counted without the tokens of the cache, as Anthropic does.
    is_cache_separate: bool,
}

fn read(usage: Option<&Value>) -> Counts {
    let usage = usage.unwrap_or(&Value::Null);
    let first = |paths: &[&str]| paths.iter().find_map(|path| usage.pointer(path)?.as_u64());
    let separate = ["/cache_read_input_tokens", "/cache_creation_input_tokens"];
    let [read, written] = separate;
    Counts {
        input: first(&["/prompt_tokens", "/input_tokens", "/inputTokens"]).unwrap_or(0),
        output: first(&["/completion_tokens", "/output_tokens", "/outputTokens"]).unwrap_or(0),
        total: first(&["/total_tokens", "/totalTokens"]),
        cache_read: first(&[
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_tokens_details/cache_read",
            "/input_tokens_details/cache_read",
            read,
        ])
        .unwrap_or(0),
        cache_write: first(&[
            "/prompt_tokens_details/cache_creation",
            "/input_tokens_details/cache_creation",
            written,
        ])
        .unwrap_or(0),
        reasoning: first(&[
            "/completion_tokens_details/reasoning_tokens",
            "/output_tokens_details/reasoning_tokens",
            "/completion_tokens_details/reasoning",
            "/output_tokens_details/reasoning",
        ])
        .unwrap_or(0),
        is_cache_separate: first(&separate).is_some(),
    }
}

/// The usage of an answer of OpenAI, by its names of the input, of its details, of the output, and of its details.
pub(super) fn openai(usage: Option<&Value>, names: [&'static str; 4]) -> Value {
    let counts = read(usage);
    let [input, input_details, output, output_details] = names;
    let (sent, total) = match counts.is_cache_separate {
        true => (counts.input.saturating_add(counts.cache_read).saturating_add(counts.cache_write), None),
        false => (counts.input, counts.total),
    };
    object(vec![
        (input, sent.into()),
        (input_details, object(vec![("cached_tokens", counts.cache_read.into())])),
        (output, counts.output.into()),
        (output_details, object(vec![("reasoning_tokens", counts.reasoning.into())])),
        ("total_tokens", total.unwrap_or(sent.saturating_add(counts.output)).into()),
    ])
}

/// The usage of an answer of Anthropic, whole or at the start of a stream, when there is no output.
pub(super) fn anthropic(usage: Option<&Value>, is_whole: bool) -> Value {
    let counts = read(usage);
    let cached = if counts.is_cache_separate { 0 } else { counts.cache_read };
    let fields: Fields = vec![
        ("input_tokens", counts.input.saturating_sub(cached).into()),
        ("cache_creation_input_tokens", counts.cache_write.into()),
        ("cache_read_input_tokens", counts.cache_read.into()),
        ("output_tokens", if is_whole { counts.output } else { 0 }.into()),
    ];
    object(fields)
}
