//! The rules, one file each, and what they share.
//!
//! A rule takes the facts of a run, or one node with what is expected of it, and adds what it finds.

mod answered_twice;
mod arguments;
mod created_message;
mod duplicate_id;
mod empty_sent;
mod facts;
mod messages_beside;
mod missing_key;
mod other_tool;
mod result_without_call;
mod turn_order;
mod turn_type;
mod unanswered_call;
mod unknown_key;
mod unknown_ref;
mod unknown_role;
mod version;
mod walk;
mod wrong_type;

use self::facts::Facts;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{COMPACT, Transcript};
use crate::parse::{Kind, Node, misfit};

/// Checks keys and kinds of values of a full or partial document, whose text is `source`, against the
/// table of the format.
#[must_use]
pub fn structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    version::check(root, &mut found);
    messages_beside::check(root, &mut found);
    walk::walk(source, root, &mut found);
    found
}

/// Checks what is in `tags`, `tools` and `agents` of a compact document; the expander looks at their kinds.
#[must_use]
pub fn compact_structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for field in COMPACT.fields().iter().filter(|field| matches!(field.name, "tags" | "tools" | "agents")) {
        if let Some(node) = root.get(field.name).filter(|node| misfit(node, field.shape).is_none()) {
            walk::node(source, node, field.shape, &format!("`{}`", field.name), &mut found);
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
    for turn in &transcript.turns {
        if let Some(nested) = turn.tool.as_ref().and_then(|tool| tool.nested.as_deref()) {
            found.extend(run(nested, Kind::Partial));
        }
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
            | codes::RESULT_WITHOUT_CALL
            | codes::UNANSWERED_CALL
            | codes::TURN_ORDER
            | codes::TURN_TYPE
            | codes::MISSING_KEY
            | codes::CREATED_MESSAGE
            | codes::UNKNOWN_ALIAS
            | codes::NOT_A_TRANSCRIPT
    )
}
