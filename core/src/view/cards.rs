//! A document as cards: one for each entry, for an editor of messages and turns.

use serde::{Deserialize, Serialize};

use crate::model::Message;
use crate::wire::ToolCall;

/// The entries of a document in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct CardList {
    /// Whether the document can be read as cards.
    pub ok: bool,
    /// Whether it has the compact form.
    pub compact: bool,
    /// The messages of the initial store and the turns of a full document, the items of a compact one.
    pub cards: Vec<Card>,
}

/// One entry of a document. An entry without `id` has no message.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    /// The id of its message.
    pub id: Option<String>,
    /// The type of its turn; `None` for what is no turn of a full document.
    pub kind: Option<String>,
    /// The role of its message.
    pub role: String,
    /// The text of its message; of an item that is no message, the item as JSON.
    pub content: String,
    /// The tool calls of its message.
    pub tool_calls: Vec<ToolCall>,
    /// The tool with this result.
    pub tool_name: Option<String>,
    /// The id of the call that it answers.
    pub tool_call_id: Option<String>,
    /// Whether the model can see the message. An entry without a message is visible.
    pub visible: bool,
    /// Its number in its list, from 0.
    pub index: usize,
    /// The length of the list.
    pub count: usize,
    /// The number of its step; 0 for the initial state.
    pub step: usize,
    /// The line of its beginning, from 1.
    pub line: u32,
}

impl Default for Card {
    fn default() -> Self {
        Self {
            id: None,
            kind: None,
            role: String::new(),
            content: String::new(),
            tool_calls: Vec::new(),
            tool_name: None,
            tool_call_id: None,
            visible: true,
            index: 0,
            count: 0,
            step: 0,
            line: 0,
        }
    }
}

impl From<&Message> for Card {
    fn from(message: &Message) -> Self {
        Self {
            id: Some(message.id.value.to_string()),
            role: message.role.value.name().to_owned(),
            content: message.content.as_ref().map(|content| content.to_text()).unwrap_or_default(),
            tool_calls: message.tool_calls.iter().map(ToolCall::from).collect(),
            tool_name: message.tool_name.as_deref().map(str::to_owned),
            tool_call_id: message.tool_call_id.as_ref().map(|id| id.value.to_string()),
            visible: message.visible,
            ..Self::default()
        }
    }
}
