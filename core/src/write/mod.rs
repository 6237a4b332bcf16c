//! Data to text: YAML for people to read and edit, and JSON.
//!
//! All output is the same data in YAML 1.1 and 1.2: for PyYAML with either of its loaders, `yaml` and
//! `js-yaml`, and this crate's own reader. The suite `interop` runs them all.
//!
//! The functions recurse once per level of nesting. Data from a reader is within that reader's
//! depth limit, and dropping a `Value` recurses deeper than they do.

mod assemble;
mod dedupe;
mod entries;
mod json;
mod key_order;
mod large;
mod nested;
mod string;
mod transcript;
mod yaml;

pub(crate) use assemble::{
    TranscriptParts, final_state_entry, initial_state_entry, message_reference, nested_result_entry,
    state_changes_entry, tool_call_entry, turn_entry,
};
pub use dedupe::{Dedupe, dedupe, without_blobs};
pub(crate) use entries::Entries;
pub use json::json;
pub use large::{leave_out_implied, run_text};
pub use nested::{NestedMode, Nesting, nested};
pub use transcript::{
    SPELLED, brief, brief_references, completed, completed_initial_state, completed_turn, initial_state,
    references, stored_message, transcript, turn,
};
pub(crate) use transcript::{tool_call, tool_response, tool_run};

pub use crate::text::json_line;
pub use string::{is_plain_anywhere, push_escaped as push_yaml_escaped};
pub use yaml::{after, entry, inline, yaml};

/// Whether every reader of YAML 1.1 and 1.2 reads the bare `text` as this text; `tight` means that it
/// is in brackets or before a colon.
///
/// ```
/// use transcript_core::write::is_plain;
/// assert!(is_plain("It's 72°F, and sunny!", false));
/// assert!(!is_plain("a, b", true));
/// assert!(!is_plain("no", false));
/// ```
#[must_use]
pub fn is_plain(text: &str, tight: bool) -> bool {
    string::is_plain(text, if tight { string::Place::Tight } else { string::Place::Block(0) })
}

/// The text on one line for any place, in quotes unless it is plain everywhere.
///
/// ```
/// use transcript_core::write::quoted;
/// assert_eq!(quoted("no"), "\"no\"");
/// assert_eq!(quoted(r#"{"a": 1}"#), r#"'{"a": 1}'"#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    string::push(&mut out, text, string::Place::Tight);
    out
}
