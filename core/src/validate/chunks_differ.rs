//! T405: the chunks of a streamed answer do not add up to its content.

use super::facts::{Facts, at};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::Node;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for index in 0..facts.transcript.turns.len() {
        let Some(response) = facts.written(index, &["llm_response"]) else { continue };
        let Some(chunks) = at(response, &["chunks"]) else { continue };
        for (part, whole) in [("text", "content"), ("reasoning", "reasoning")] {
            let texts: Vec<&str> =
                chunks.items().iter().filter_map(|chunk| chunk.get(part)?.as_str()).collect();
            let node = response.get(whole);
            // Content that is no text, and a part that was not streamed, cannot be compared.
            if texts.is_empty() || node.is_some_and(|node| node.as_str().is_none() && !node.is_null()) {
                continue;
            }
            let (streamed, stated) = (texts.concat(), node.and_then(Node::as_str).unwrap_or(""));
            if streamed != stated && !(whole == "reasoning" && node.is_none_or(Node::is_null)) {
                found.push(diagnostic(whole, chunks, node, &streamed, stated));
            }
        }
    }
}

fn diagnostic(whole: &str, chunks: &Node, node: Option<&Node>, streamed: &str, stated: &str) -> Diagnostic {
    let alike: String = streamed
        .chars()
        .zip(stated.chars())
        .take_while(|(a, b)| a == b)
        .map(|(character, _)| character)
        .collect();
    let message = match alike.chars().count() {
        0 => format!("the chunks differ from `{whole}`"),
        count => {
            let tail: String = alike.chars().skip(count.saturating_sub(20)).collect();
            format!("the chunks differ from `{whole}` after `{tail}`")
        }
    };
    let new = |span, message| Diagnostic::new(codes::CHUNKS_DIFFER, Severity::Warning, span, message);
    let help = "the chunks must add up to the response";
    let Some(node) = node.filter(|node| !node.is_null()) else {
        return new(chunks.span, format!("the chunks have text, but the response has no `{whole}`"))
            .help(help);
    };
    new(node.span, message).related(chunks.span, "the chunks").help(help).fix(
        Applicability::Suggested,
        format!("use the chunks as `{whole}`"),
        node.span,
        super::fixes::quoted(streamed),
    )
}
