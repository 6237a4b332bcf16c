//! The compact form to a typed transcript: what its author left out is filled in.
//!
//! The rules stand in the format page, section 3. Every part that is made up points at the
//! shorthand it was made up for, so that later stages report in the author's own text.

mod build;
mod expect;
mod item;
mod literal;
mod locate;
mod shorthand;

use std::sync::Arc;

use serde_json::{Map, Value};

use self::build::Builder;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::Transcript;
use crate::parse::{Data, Limits, Node, read};
use crate::text::Span;

/// The keys of a compact document, besides `messages`.
pub const COMPACT_KEYS: [&str; 13] = [
    "version",
    "name",
    "description",
    "tags",
    "author",
    "created",
    "model",
    "temperature",
    "max_tokens",
    "tools",
    "context",
    "handlers",
    "assertions",
];

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
    let mut builder = Builder::default();
    let mut diagnostics = Vec::new();
    check_keys(root, &mut diagnostics);
    let mut config = Map::new();
    for key in ["model", "temperature", "max_tokens", "tools"] {
        copy(root, key, &mut config);
    }
    let mut metadata = Map::new();
    for key in ["name", "description", "created", "author", "tags"] {
        copy(root, key, &mut metadata);
    }
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
            diagnostics.push(found.help("list the messages below it, such as `- \"user: Hello!\"`"));
        }
        Some(other) => {
            let message = format!("`messages` is {}, not a list", other.kind_name());
            diagnostics.push(Diagnostic::new(codes::WRONG_TYPE, Severity::Error, other.span, message));
        }
        None => {}
    }
    for node in root.get("assertions").map(Node::items).unwrap_or_default() {
        builder.assertion(read::assertion(node));
    }
    (builder.finish(metadata, config), diagnostics)
}

fn copy(root: &Node, key: &str, into: &mut Map<String, Value>) {
    if let Some(node) = root.present(key) {
        into.insert(key.to_owned(), node.to_value());
    }
}

fn check_keys(root: &Node, diagnostics: &mut Vec<Diagnostic>) {
    for entry in root.entries() {
        let key = Arc::clone(&entry.key.text);
        if &*key == "messages" || COMPACT_KEYS.contains(&&*key) {
            continue;
        }
        let names = COMPACT_KEYS.iter().copied().chain(["messages"]);
        diagnostics.push(unknown_key(&key, entry.key.span, closest(&key, names), "a compact transcript"));
    }
    let wrong = |key: &str, is_right: fn(&Node) -> bool, wanted: &str| {
        let node = root.present(key).filter(|node| !is_right(node))?;
        let message = format!("`{key}` is {}, not {wanted}", node.kind_name());
        Some(Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message))
    };
    diagnostics.extend(wrong("context", Node::is_map, "a map"));
    diagnostics.extend(wrong("name", |node| node.as_str().is_some(), "a text"));
    diagnostics.extend(wrong("description", |node| node.as_str().is_some(), "a text"));
    diagnostics.extend(wrong("tags", |node| matches!(node.data, Data::Seq(_)), "a list"));
    diagnostics.extend(wrong("tools", |node| matches!(node.data, Data::Seq(_)), "a list"));
    diagnostics.extend(wrong("assertions", |node| matches!(node.data, Data::Seq(_)), "a list"));
}

/// The diagnostic for a key that is not part of the format: a warning when it is near one that is.
#[must_use]
pub fn unknown_key(key: &str, span: Span, meant: Option<&str>, place: &str) -> Diagnostic {
    let message = format!("unknown key `{key}` in {place}");
    match meant {
        Some(meant) => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, span, message)
            .help(format!("did you mean `{meant}`?"))
            .fix(crate::diagnostic::Applicability::Suggested, format!("rename to `{meant}`"), span, meant),
        None => Diagnostic::new(codes::UNKNOWN_KEY, Severity::Info, span, message)
            .help("it is kept as it is and means nothing to a replay"),
    }
}
