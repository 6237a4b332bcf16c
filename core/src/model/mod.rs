//! The transcript as typed data, each part with its place in the source.
//!
//! Data only: the passes over it are the other stages.

mod agent;
mod assertions;
mod compact_shape;
mod full_shape;
mod handler_shape;
pub mod handlers;
mod ids;
mod known_values;
mod message;
mod shape;
mod state;
mod turn;
mod unknown_keys;
mod usage;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use agent::{Agent, Tool, tools};
pub use assertions::{
    ASSERTION_FIELDS, ASSERTION_TYPES, AssertionType, SEQUENCE_MODES, assertion_type, has_field,
    resolve_field_alias,
};
pub use compact_shape::{COMPACT, ITEMS, ItemKind, item_kind};
pub use full_shape::TRANSCRIPT;
pub use handler_shape::{
    CALL, CONDITION, CONDITIONS, HANDLER, HANDLER_TYPES, HANDLERS, HANDLERS_DOCUMENT, RESPONSE,
    RUN_VARIABLES, VARIABLES, Variable, handler_type, key_aliases, resolve_key_alias, strategies,
};
pub use ids::{IdCounter, call_id, message_id, turn_call_id};
pub use message::{Content, Details, Message, ROLES, Role, ToolCall, ToolResponse};
pub use shape::{Field, NamedValue, Names, Shape, Variant};
pub(crate) use shape::{TEXTS, optional, required, value};
pub use state::{Effects, State};
pub use turn::{Changes, Response, ResponseDetails, Sent, SentItem, ToolRun, Turn, TurnKind};
pub use unknown_keys::UnknownKeys;
pub use usage::Tokens;

use crate::text::{JsonMap, Span, Table};

/// The version of the format that this program reads and writes.
pub const VERSION: &str = "1.0";

/// The key in the metadata of an answer for the ids of its calls without a result in the log.
pub(crate) const UNANSWERED: &str = "unanswered";

/// The settings that an agent has from call to call.
pub(crate) const AGENT_SETTINGS: [&str; 5] = ["model", "temperature", "max_tokens", "top_p", "tools"];

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place; for a made-up value, the place it was made for.
    pub span: Span,
}

impl<T> From<T> for Spanned<T> {
    /// A value that no text holds.
    fn from(value: T) -> Self {
        Self { value, span: Span::default() }
    }
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
    /// Keys of `initial_state` that the format does not know.
    pub initial_rest: UnknownKeys,
    /// The agents by name, if there are several, in the order of the document.
    pub agents: Vec<(Spanned<Text>, Agent)>,
    /// The turns in order.
    pub turns: Vec<Turn>,
    /// The final state, if the document has one.
    pub end: Option<FinalState>,
    /// Runs that results name as `#id`, by id, in the order of the document. Those inside them that are
    /// named in turn are in place once the document is linked.
    pub nested: Vec<(Spanned<Text>, Arc<Transcript>)>,
    /// Misplaced or unknown top-level keys, to be written unchanged.
    pub extra: Map<String, Value>,
}

impl Transcript {
    /// Every message before the first turn: those of the initial state, then those of each agent.
    pub fn first_messages(&self) -> impl Iterator<Item = &Message> {
        let agents = self.agents.iter().flat_map(|(_, agent)| agent.store.iter().flatten());
        self.initial.iter().chain(agents)
    }

    /// The settings of the agent that a turn is of, `tools` included; those of the run if no agent is named.
    pub(crate) fn agent_settings(&self, turn: &Turn) -> Map<String, Value> {
        let agent =
            turn.speaker().and_then(|name| self.agents.iter().find(|(known, _)| known.value == *name));
        let mut settings =
            agent.and_then(|(_, agent)| agent.config.clone()).unwrap_or_else(|| self.config.clone());
        if let Some(tools) = agent.and_then(|(_, agent)| agent.tools.clone()) {
            settings.put("tools", tools.into());
        }
        settings
    }
}

/// The end as the document states it.
#[derive(Clone, Debug, Default)]
pub struct FinalState {
    /// The context, where stated.
    pub context: Option<Map<String, Value>>,
    /// The ids of all messages in the store; none when the document has no list.
    pub store: Vec<Spanned<Text>>,
    /// The entries of `store` that are whole messages in the text, by index.
    pub whole: Table<usize, Message>,
    /// The other keys of the references in `store`, by their index.
    pub reference_rest: Table<usize, UnknownKeys>,
    /// The ids of the visible messages, where stated.
    pub visible: Option<Vec<Spanned<Text>>>,
    /// The assertions as written.
    pub assertions: Vec<Assertion>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}

/// One assertion as written, with the message it names.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The assertion as data.
    pub data: Map<String, Value>,
    /// The message it is about.
    pub message: Option<Spanned<Text>>,
    /// Its place.
    pub span: Span,
}
