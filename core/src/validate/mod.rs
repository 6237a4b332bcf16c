//! The rules, one file each, and what they share.
//!
//! A rule takes the facts of a run, or one node with what is expected of it, and adds what it finds.

mod answered_twice;
mod arguments;
mod created_message;
mod duplicate_id;
mod email;
mod empty_sent;
mod facts;
mod handlers;
mod levels;
mod malformed_binary;
mod messages_beside;
mod missing_key;
mod non_portable_scalar;
mod other_tool;
mod python_scalar;
mod result_without_call;
mod secret;
pub(crate) mod texts;
mod turn_order;
mod turn_type;
mod unanswered_call;
mod unknown_key;
mod unknown_ref;
mod unknown_role;
mod version;
mod walk;
mod wrong_type;

pub use self::handlers::{handlers, handlers_document, handlers_structure};
pub use self::levels::{Level, Levels};

use self::facts::Facts;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{COMPACT, Transcript};
use crate::parse::{Kind, Limits, Node};
use crate::text::secrets::Search;

/// Checks keys and kinds of values of a full or partial document, whose text is `source`, against the
/// table of the format.
#[must_use]
pub fn structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    messages_beside::check(root, &mut found);
    walk::walk(source, root, &mut found);
    found
}

/// Checks the version that a full or partial document names, as it is written there: `structure` takes the
/// tree in the present version.
#[must_use]
pub fn version(root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    version::check(root, &mut found);
    found
}

/// Checks binary data anywhere in a document.
#[must_use]
pub fn binary(root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    malformed_binary::check(root, &mut found);
    found
}

/// Checks what stands in the texts of a document of any kind, comments included: secrets, addresses, and
/// scalars that programs read as different data.
///
/// ```
/// use transcript_core::{parse, validate};
/// let text = "metadata: {approved: yes}";
/// let limits = parse::Limits::default();
/// let root = parse::parse(text, &limits).root.unwrap();
/// assert_eq!(validate::texts(text, &root, &limits)[0].code, "T703");
/// ```
#[must_use]
pub fn texts(source: &str, root: &Node, limits: &Limits) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let scalars = texts::scalars(source, root);
    let secrets = texts::secrets(source, &scalars, &Search::default());
    secret::check(&secrets, &mut found);
    email::check(&secrets, &mut found);
    non_portable_scalar::check(source, &scalars, limits, &mut found);
    found
}

/// Checks what is in the lists of a compact document beside `messages`; the expander looks at their kinds.
#[must_use]
pub fn compact_structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for field in COMPACT.fields().iter().filter(|field| matches!(field.name, "tags" | "tools")) {
        if let Some(list) = root.get(field.name).filter(|list| !list.items().is_empty()) {
            walk::node(source, list, field.shape, &format!("`{}`", field.name), &mut found);
        }
    }
    found
}

/// Checks what a run says: references, calls and results, order.
///
/// ```
/// use transcript_core::{expand, parse, validate};
/// let text = "messages: ['user: Hi', 'assistant:call weather(city=\"Rome\")']";
/// let limits = parse::Limits::default();
/// let (run, _) = expand::compact(text, &parse::parse(text, &limits).root.unwrap(), &limits);
/// assert_eq!(validate::run(&run, parse::Kind::Compact)[0].code, "T204");
/// ```
#[must_use]
pub fn run(transcript: &Transcript, kind: Kind) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let facts = Facts::new(transcript, kind);
    unknown_role::check(&facts, &mut found);
    unknown_ref::check(&facts, &mut found);
    duplicate_id::check(&facts, &mut found);
    result_without_call::check(&facts, &mut found);
    unanswered_call::check(&facts, &mut found);
    turn_order::check(&facts, &mut found);
    turn_type::check(&facts, &mut found);
    arguments::check(&facts, &mut found);
    empty_sent::check(&facts, &mut found);
    answered_twice::check(&facts, &mut found);
    other_tool::check(&facts, &mut found);
    created_message::check(&facts, &mut found);
    // A run that is named is checked where it stands.
    let inline = transcript.turns.iter().filter_map(|turn| turn.tool.as_ref());
    let inline = inline.filter(|tool| tool.nested_ref.is_none()).filter_map(|tool| tool.nested.as_deref());
    for nested in inline.chain(transcript.nested.iter().map(|(_, nested)| &**nested)) {
        found.extend(run(nested, Kind::Partial));
    }
    found
}

/// Whether a diagnostic says that something is missing.
///
/// After a syntax error, or beside a compact item that cannot be read, it may be just that part that
/// is missed, so that such diagnostics are held back until everything is readable.
#[must_use]
pub fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        codes::UNKNOWN_REF
            | codes::UNKNOWN_BLOB
            | codes::UNUSED_BLOB
            | codes::UNKNOWN_NESTED
            | codes::RESULT_WITHOUT_CALL
            | codes::UNANSWERED_CALL
            | codes::TURN_ORDER
            | codes::TURN_TYPE
            | codes::MISSING_KEY
            | codes::CREATED_MESSAGE
            | codes::UNKNOWN_ALIAS
            | codes::NOT_A_TRANSCRIPT
            | codes::HANDLER_INCOMPLETE
            | codes::UNKNOWN_STATE
            | codes::UNREACHABLE_STATE
            | codes::EXITLESS_STATE
            | codes::NO_FALLBACK
            | codes::EMPTY_HANDLER
            | codes::HANDLER_UNKNOWN_TOOL
    )
}
