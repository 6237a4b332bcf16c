//! Text to a tree with a place for every node, and the tree to a typed transcript.
//!
//! No fault ends the parse: what could be read is returned with all diagnostics.

mod blobs;
mod cut_json;
mod exact;
mod json;
mod keys;
mod kind;
mod layout;
mod limits;
mod misfit;
mod node;
mod non_text_key;
mod note;
pub mod read;
mod recover;
mod same;
mod scalar;
mod slips;
mod syntax;
mod tags;
mod tree;
mod unclosed;
mod unquoted;
mod yaml;

pub use blobs::with_blobs;
pub(crate) use exact::parse_exactly;
pub use kind::{Kind, detect};
pub use layout::{Piece, PieceKind, Style, layout};
pub use limits::Limits;
pub(crate) use limits::RAISE_BYTES;
pub use misfit::misfit;
pub(crate) use misfit::{truth, with_remedy};
pub use node::{Data, Entry, Key, Node};
pub use note::note_at;
pub(crate) use note::{SETTINGS, line_of_item};
pub(crate) use same::{difference, same};
pub(crate) use slips::rest_of_value;
pub(crate) use tree::{Group, Slot, SyntaxKind, SyntaxNode, SyntaxTree, prop_length};
pub(crate) use unclosed::closing_quote;

use self::exact::Numbers;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::text::Span;

/// A text as a tree.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What could be read; `None` when nothing could, or the text holds no data.
    pub root: Option<Node>,
    /// Whether the whole text is well-formed. If not, `root` lacks the unreadable parts.
    pub well_formed: bool,
    /// Everything found so far.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads YAML or JSON.
///
/// A text that begins like JSON is taken for JSON. Trailing commas, keys without quotes and single
/// quotes get no more than a warning, if YAML allows them with the same meaning.
///
/// ```
/// use transcript_core::parse::{Limits, parse};
/// let parsed = parse("name: hello", &Limits::default());
/// assert!(parsed.well_formed);
/// assert_eq!(parsed.root.unwrap().get("name").unwrap().as_str(), Some("hello"));
/// ```
#[must_use]
pub fn parse(text: &str, limits: &Limits) -> Parsed {
    parse_with(text, limits, Numbers::Nearest)
}

fn parse_with(text: &str, limits: &Limits, numbers: Numbers) -> Parsed {
    if let Some(diagnostic) = limits.check_size(text.len()) {
        return unreadable(diagnostic);
    }
    if let Some(at) = text.find('\0') {
        let span = Span::new(at, at + 1);
        let message = "the file contains a NUL character, so it is probably not text";
        return unreadable(Diagnostic::new(codes::NOT_TEXT, Severity::Error, span, message));
    }
    let parsed = if looks_like_json(text) {
        json(text, limits, numbers)
    } else {
        recover::yaml(text, limits, numbers)
    };
    if parsed.root.is_none() && parsed.diagnostics.is_empty() {
        let diagnostic =
            Diagnostic::new(codes::EMPTY, Severity::Error, Span::empty(0), "the document is empty")
                .help("start with `messages:` and a list, such as `- \"user: Hello!\"`");
        return unreadable(diagnostic);
    }
    parsed
}

fn unreadable(diagnostic: Diagnostic) -> Parsed {
    Parsed { root: None, well_formed: false, diagnostics: vec![diagnostic] }
}

/// Whether the text begins with a bracket and then in a way typical of JSON, but not of YAML.
pub(crate) fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let Some(rest) = text.strip_prefix(['{', '[']) else { return false };
    let rest = rest.trim_start();
    rest.starts_with(['"', '{', '[', '}', ']']) || rest.starts_with("//") || rest.starts_with("/*")
}

/// Whether the text is JSON, line breaks in strings allowed, and not a list of numbers or words.
pub(crate) fn is_json(text: &str, limits: &Limits) -> bool {
    looks_like_json(text) && json::parse(text, limits, Numbers::Nearest).well_formed
}

fn json(text: &str, limits: &Limits, numbers: Numbers) -> Parsed {
    let strict = json::parse(text, limits, numbers);
    if strict.well_formed || strict.diagnostics.iter().all(|found| found.code != codes::SYNTAX) {
        return strict;
    }
    let mut lenient = json::parse_leniently(text, limits, numbers);
    if !lenient.well_formed {
        return flow_yaml(text, &strict, limits, numbers).unwrap_or(strict);
    }
    if !means_the_same(&lenient, &yaml::pass(text, limits, numbers)) {
        return strict;
    }
    let faults = strict.diagnostics.into_iter().filter(|found| found.code == codes::SYNTAX);
    let mut edits = Vec::new();
    if let Some(root) = &lenient.root {
        strict_json(text, root, &mut edits);
    }
    let title = "write it as JSON".to_owned();
    let fix = Fix { title, applicability: Applicability::Safe, edits };
    lenient.diagnostics.extend(faults.map(|fault| Diagnostic {
        fixes: if fix.edits.is_empty() { Vec::new() } else { vec![fix.clone()] },
        code: codes::NOT_JSON,
        severity: Severity::Warning,
        help: Some("it is read as YAML; a JSON parser rejects it".to_owned()),
        ..fault
    }));
    lenient
}

/// The text as YAML in the flow style, which may begin like JSON; `None` when it is broken as YAML too, or
/// when YAML would read a slip in JSON as part of a text without quotes.
fn flow_yaml(text: &str, strict: &Parsed, limits: &Limits, numbers: Numbers) -> Option<Parsed> {
    let pass = yaml::pass(text, limits, numbers);
    let root = pass.root.as_ref().filter(|_| pass.error.is_none())?;
    if !is_plain_flow(text, root) {
        return None;
    }
    let mut parsed = recover::yaml(text, limits, numbers);
    if !parsed.well_formed {
        return None;
    }
    let faults = strict.diagnostics.iter().filter(|found| found.code == codes::SYNTAX);
    // A comment of YAML is not written by those who mean JSON.
    let faults = faults.filter(|found| !found.span.slice(text).starts_with('#'));
    parsed.diagnostics.extend(faults.map(|fault| Diagnostic {
        code: codes::NOT_JSON,
        severity: Severity::Warning,
        message: "the text starts like JSON, but is only valid as YAML".to_owned(),
        help: Some("it is read as YAML; a JSON parser rejects it".to_owned()),
        fixes: Vec::new(),
        ..fault.clone()
    }));
    Some(parsed)
}

/// Whether no key or text without quotes holds a quote, a comment of JSON or a line end.
fn is_plain_flow(text: &str, node: &Node) -> bool {
    let is_plain = |span: Span| {
        let written = span.slice(text);
        written.starts_with(['"', '\'']) || !(written.contains(['"', '\n']) || holds_comment(written))
    };
    match &node.data {
        Data::Map(entries) => {
            entries.iter().all(|entry| is_plain(entry.key.span) && is_plain_flow(text, &entry.value))
        }
        Data::Seq(items) => items.iter().all(|item| is_plain_flow(text, item)),
        _ => is_plain(node.span),
    }
}

fn holds_comment(written: &str) -> bool {
    ["//", "/*"].iter().any(|mark| {
        written.match_indices(mark).any(|(at, _)| {
            let before = written.get(..at).unwrap_or("");
            before.is_empty() || before.ends_with(char::is_whitespace)
        })
    })
}

/// Puts keys and texts into double quotes and removes trailing commas, in order of place.
fn strict_json(text: &str, node: &Node, edits: &mut Vec<Edit>) {
    let quote = |span: Span, value: &str, edits: &mut Vec<Edit>| {
        if !span.slice(text).starts_with('"') {
            edits.push(Edit { span, text: serde_json::Value::from(value).to_string() });
        }
    };
    match &node.data {
        Data::Str(value) if node.span.slice(text).starts_with('\'') => quote(node.span, value, edits),
        Data::Map(entries) => {
            for entry in entries.iter() {
                quote(entry.key.span, &entry.key.text, edits);
                strict_json(text, &entry.value, edits);
            }
        }
        Data::Seq(items) => items.iter().for_each(|item| strict_json(text, item, edits)),
        _ => {}
    }
    let last = node.items().last().or(node.entries().last().map(|entry| &entry.value));
    let Some(end) = last.map(|last| last.span.end as usize) else { return };
    let rest = text.get(end..).unwrap_or("");
    let blanks = rest.len() - rest.trim_start().len();
    if rest.get(blanks..).is_some_and(|rest| rest.starts_with(',')) {
        let comma = end + blanks;
        edits.push(Edit { span: Span::new(comma, comma + 1), text: String::new() });
    }
}

fn means_the_same(lenient: &Parsed, yaml: &yaml::Pass) -> bool {
    yaml.error.is_none()
        && lenient.root.as_ref().map(Node::to_value) == yaml.root.as_ref().map(Node::to_value)
}

/// The data of a JSON text, its numbers to the last digit that 64 bits hold; `None` when it is not JSON or too deep.
///
/// `serde_json` reads some numbers as a neighbouring double, unless its slow mode is on.
pub(crate) fn json_text(text: &str) -> Option<serde_json::Value> {
    data_of(json::parse(text, &Limits { bytes: usize::MAX, ..Limits::default() }, Numbers::Nearest))
}

/// The same for a text of another program. A number that 64 bits cannot hold exactly becomes its text.
pub(crate) fn json_exactly(text: &str) -> Option<serde_json::Value> {
    data_of(json_tree(text))
}

fn data_of(parsed: Parsed) -> Option<serde_json::Value> {
    let is_whole =
        parsed.well_formed && parsed.diagnostics.iter().all(|fault| fault.severity != Severity::Error);
    parsed.root.filter(|_| is_whole).map(|root| root.to_value())
}

/// The tree of a JSON text, or of what precedes its first fault, at any size. The first of duplicate keys
/// counts, and a number that 64 bits cannot hold exactly becomes its text.
pub(crate) fn json_tree(text: &str) -> Parsed {
    json::parse(text, &Limits { bytes: usize::MAX, ..Limits::default() }, Numbers::Exact)
}

/// The text of a key without quotes and tag: a number, a truth value or null is a key by its JSON text.
pub(crate) fn plain_key(source: &str) -> std::sync::Arc<str> {
    yaml::key_text(&scalar::resolve(source, Numbers::Nearest).data).unwrap_or_else(|| source.into())
}

/// Reads one value in the flow style of YAML, which includes JSON.
///
/// ```
/// use transcript_core::parse::{Limits, parse_flow};
/// let parsed = parse_flow("{\"temp\": 72, sky: clear}", &Limits::default());
/// assert_eq!(parsed.root.unwrap().get("sky").unwrap().as_str(), Some("clear"));
/// ```
#[must_use]
pub fn parse_flow(text: &str, limits: &Limits) -> Parsed {
    if looks_like_json(text) {
        let strict = json::parse(text, limits, Numbers::Nearest);
        if strict.well_formed {
            return strict;
        }
    }
    recover::yaml(text, limits, Numbers::Nearest)
}

/// The data of a plain scalar with that text and, if that is not exact, the reason.
///
/// ```
/// use transcript_core::parse::{Data, plain_scalar};
/// assert_eq!(plain_scalar("true"), (Data::Bool(true), None));
/// assert_eq!(plain_scalar("yes"), (Data::Str("yes".into()), None));
/// assert!(plain_scalar(".nan").1.is_some());
/// ```
#[must_use]
pub fn plain_scalar(text: &str) -> (Data, Option<&'static str>) {
    let resolved = scalar::resolve(text, Numbers::Nearest);
    (resolved.data, resolved.loss)
}
