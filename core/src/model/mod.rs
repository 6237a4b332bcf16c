//! The transcript as typed data, each part with its place in the source.
//!
//! Data only: the passes over it are the other stages.

mod assertions;
mod compact_shape;
mod full_shape;
mod handler_shape;
mod message;
mod shape;
mod state;
mod turn;
mod words;

use serde_json::{Map, Value};

pub use assertions::{ASSERTION_FIELDS, ASSERTION_TYPES, AssertionType, SEQUENCE_MODES, assertion_type};
pub use compact_shape::{COMPACT, ITEMS, ItemKind, item_kind};
pub use full_shape::TRANSCRIPT;
pub use handler_shape::{
    CALL, CONDITION, CONDITIONS, HANDLER, HANDLER_TYPES, HANDLERS, HANDLERS_DOCUMENT, RESPONSE, VARIABLES,
    Variable, handler_type,
};
pub use message::{Content, Message, ROLES, Role, ToolCall};
pub use shape::{Field, Names, Shape, Variant, Word};
pub use state::{Effects, State};
pub use turn::{Changes, Response, Sent, SentItem, ToolRun, Turn, TurnKind};

use crate::text::Span;
use std::sync::Arc;

/// The version of the format that this program reads and writes.
pub const VERSION: &str = "1.0";

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands; for a value that was made up, the place it was made up for.
    pub span: Span,
}

/// A text that several parts share.
pub type Text = Arc<str>;

/// One agent run.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Name, description, tags and the like.
    pub metadata: Map<String, Value>,
    /// `agent_config` as written, `tools` and `context` included.
    pub config: Map<String, Value>,
    /// The context before the first turn.
    pub context: Map<String, Value>,
    /// The store before the first turn.
    pub initial: Vec<Message>,
    /// The turns in order.
    pub turns: Vec<Turn>,
    /// What the document says of the end, if it says anything.
    pub end: Option<FinalState>,
    /// Top-level keys that belong elsewhere or to nobody, to be written as they are.
    pub extra: Map<String, Value>,
}

/// The end as the document states it.
#[derive(Clone, Debug, Default)]
pub struct FinalState {
    /// The context, where stated.
    pub context: Option<Map<String, Value>>,
    /// The ids of all messages in the store.
    pub store: Vec<Spanned<Text>>,
    /// The ids of the visible messages, where stated.
    pub visible: Option<Vec<Spanned<Text>>>,
    /// The assertions as written.
    pub assertions: Vec<Assertion>,
}

/// One assertion as written, with the message it names.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The assertion as data.
    pub data: Map<String, Value>,
    /// The message it speaks of.
    pub message: Option<Spanned<Text>>,
    /// Where it stands.
    pub span: Span,
}
