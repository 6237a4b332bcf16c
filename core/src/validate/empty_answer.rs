//! T218: an answer has no content, no calls and no refusal.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::Content;
use crate::parse::{Entry, Kind};

/// What makes an answer valid even without content; length or filter as its end explains an empty one.
const OTHERS: [&str; 5] = ["parsed", "chunks", "citations", "annotations", "finish_reason"];

/// An answer needs at least one of these keys.
const REQUIRED: [&str; 3] = ["content", "tool_calls", "refusal"];

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        // Another rule reports an answer together with an error.
        let Some(response) = turn.response.as_ref().filter(|_| turn.error.is_none()) else { continue };
        if !response.tool_calls.is_empty()
            || [&response.content, &response.refusal, &response.reasoning].into_iter().any(has_text)
        {
            continue;
        }
        let node = facts.written(index, &["llm_response"]);
        // Unreadable calls are calls all the same.
        let has = |key: &&str| {
            let value = node.and_then(|node| node.present(key));
            value.is_some_and(|value| !matches!(value.as_str(), Some("" | "stop" | "end_turn")))
        };
        let has_calls =
            node.and_then(|node| node.present("tool_calls")).is_some_and(|calls| !calls.items().is_empty());
        // A misspelt key has its own diagnostic.
        let is_misspelt = |entry: &Entry| {
            let key = &*entry.key.text;
            !REQUIRED.contains(&key) && closest(key, REQUIRED).is_some()
        };
        if has_calls
            || OTHERS.iter().any(has)
            || node.is_some_and(|node| node.entries().iter().any(is_misspelt))
        {
            continue;
        }
        let message = "the model response is empty";
        let span = if response.span.is_empty() { turn.span } else { response.span };
        found.push(Diagnostic::new(codes::EMPTY_ANSWER, Severity::Warning, span, message).help(
            match facts.kind {
                Kind::Compact => "add text or a call",
                _ => "add `content`, `tool_calls` or a `refusal`",
            },
        ));
    }
}

fn has_text(content: &Option<Content>) -> bool {
    match content {
        None => false,
        Some(Content::Text(text)) => !text.trim().is_empty(),
        Some(Content::Data(data)) => data.as_array().is_none_or(|parts| !parts.is_empty()),
    }
}
