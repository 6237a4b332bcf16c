//! Expands the compact form to a typed transcript, with defaults filled in.
//!
//! The rules are in the format page, section 3. Every made-up part points at its shorthand, so that
//! later stages report in the author's own text.

mod build;
mod expect;
mod item;
mod literal;
mod map_item;
mod shorthand;
mod slip;
mod top_level;
mod value;

use self::build::Builder;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::Transcript;
use crate::parse::{self, Data, Limits, Node};

pub(crate) use self::build::NO_MESSAGE_BEFORE;
pub(crate) use self::literal::DEPTH as LITERAL_DEPTH;
pub(crate) use self::shorthand::{CallPart, CompactLine, Part, calls, is_key, is_name};

/// The result of a tool line with `text` after its colon, if reading it needs no diagnostic.
pub(crate) fn result_of(text: &str, limits: &Limits) -> Option<serde_json::Value> {
    let mut found = Vec::new();
    let value = value::value(text, crate::text::Span::empty(0), limits, &mut found);
    found.is_empty().then_some(value)
}

/// Expands a compact document.
///
/// Items that cannot be read are left out and reported; the rest is expanded.
///
/// ```
/// use transcript_core::{expand, parse};
/// let text = "messages: ['user: Hi', 'assistant: Hello!']";
/// let limits = parse::Limits::default();
/// let (transcript, diagnostics) = expand::compact(text, &parse::parse(text, &limits).root.unwrap(), &limits);
/// assert!(diagnostics.is_empty());
/// assert_eq!((transcript.initial.len(), transcript.turns.len()), (1, 1));
/// ```
#[must_use]
pub fn compact(text: &str, root: &Node, limits: &Limits) -> (Transcript, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    top_level::check(text, root, &mut diagnostics);
    let mut builder = Builder::default();
    if let Some(context) = root.present("context") {
        builder.set_initial_context(context.to_map());
    }
    match root.get("messages") {
        Some(Node { data: Data::Seq(items), .. }) => {
            for node in items.iter() {
                match item::item(text, node, limits, &mut diagnostics) {
                    Some(item) => builder.push(item, node.span, &mut diagnostics),
                    None => builder.skip(),
                }
            }
        }
        Some(Node { data: Data::Null, span }) => {
            let found = Diagnostic::new(codes::MISSING_KEY, Severity::Error, *span, "`messages` is empty");
            diagnostics.push(found.help("add messages, such as `- \"user: Hello!\"`"));
        }
        Some(other) => {
            let message = format!("`messages`: expected a list, found {}", other.kind_name());
            let found = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, other.span, message);
            diagnostics.push(found.help("write a list of messages, such as `- \"user: Hello!\"`"));
        }
        None => {}
    }
    for node in root.get("assertions").map(Node::items).unwrap_or_default() {
        for assertion in expect::assertions(node, &mut diagnostics) {
            builder.assertion(assertion);
        }
    }
    let metadata = top_level::take(root, &["name", "description", "created", "author", "tags"]);
    let config = top_level::take(root, &["model", "temperature", "max_tokens", "tools"]);
    let mut transcript = builder.finish(metadata, config, top_level::extra(root));
    transcript.nested = parse::read::nested_runs(root);
    (transcript, diagnostics)
}
