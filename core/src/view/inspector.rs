//! The tabs of the page's inspector: what each is asked, and what it answers about one step.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::step::{Change, ChangeKind, MessageView};
use crate::model::Text;
use crate::wire::ToolCall;

/// Which page of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PageRequest {
    /// The place of its first item; without one, the page that the tab shows first.
    pub start: Option<usize>,
    /// The most items of a page.
    pub length: usize,
}

/// A request of one tab.
///
/// ```
/// use transcript_core::view::{PageRequest, TabRequest};
/// let page = PageRequest { start: None, length: 40 };
/// let request = TabRequest::History { page, path: "user.name".to_owned() };
/// let text = serde_json::to_string(&request).unwrap();
/// assert_eq!(serde_json::from_str::<TabRequest>(&text).unwrap(), request);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum TabRequest {
    /// The conversation, with results in their calls: a [`TabList`] of [`ChatMessage`].
    Chat {
        /// The page.
        page: PageRequest,
        /// Whether messages that the model cannot see are left out.
        without_hidden: bool,
    },
    /// The message store and what was sent, side by side: a [`TabList`] of [`SideRow`].
    Sides {
        /// The page.
        page: PageRequest,
        /// Whether messages that the model cannot see are left out.
        without_hidden: bool,
    },
    /// What the request has that the one before it had not: a [`TabList`] of [`PromptChange`].
    PromptChanges {
        /// The page.
        page: PageRequest,
    },
    /// The state as a tree: a [`StateTree`].
    State {
        /// Whether values that did not change are left out.
        only_changes: bool,
        /// A part of a path or of a value.
        filter: String,
        /// The paths of the containers that a person opened or closed.
        toggled: Vec<String>,
    },
    /// One value of the state over the run: a [`TabList`] of [`HistoryEntry`].
    History {
        /// The page.
        page: PageRequest,
        /// The path of the value.
        path: String,
    },
    /// The request and the response as JSON: an [`Exchange`].
    Exchange,
    /// What a person can change of the step: the text of [`StepDetail::content`](super::StepDetail::content).
    Content,
}

impl TabRequest {
    /// The same request for the page that begins at an item.
    #[must_use]
    pub fn at(mut self, item: usize) -> Self {
        match &mut self {
            Self::Chat { page, .. }
            | Self::Sides { page, .. }
            | Self::PromptChanges { page }
            | Self::History { page, .. } => page.start = Some(item),
            Self::State { .. } | Self::Exchange | Self::Content => {}
        }
        self
    }
}

/// One page of a list, with facts about the whole list.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TabList<Facts, Item> {
    /// The facts.
    pub facts: Facts,
    /// The length of the whole list.
    pub count: usize,
    /// The place of the first item of this page.
    pub start: usize,
    /// The items of this page.
    pub items: Vec<Item>,
}

impl<Facts, Item> TabList<Facts, Item> {
    /// The wanted page of a list; without a start, the last one.
    pub fn new<T>(list: &[T], page: PageRequest, facts: Facts, show: impl Fn(&T) -> Item) -> Self {
        let length = page.length.max(1);
        let start = page.start.unwrap_or(list.len().saturating_sub(1) / length * length);
        let items = list.iter().skip(start).take(length).map(show).collect();
        Self { facts, count: list.len(), start, items }
    }
}

/// Facts about the conversation at a step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ChatFacts {
    /// How many messages the store has.
    pub messages: usize,
    /// How many of them the model cannot see.
    pub hidden: usize,
    /// How many calls have no result.
    pub unanswered: usize,
}

/// A message of the conversation with its calls and their results.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    /// The message. Its calls are in `calls`.
    pub message: MessageView,
    /// Whether it is a result without a call.
    pub is_orphan: bool,
    /// Its calls.
    pub calls: Vec<ChatCall>,
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatCall {
    /// The call.
    pub call: ToolCall,
    /// The text of its result, if there is one by this step.
    pub result: Option<String>,
    /// The id of the message with the result.
    pub result_id: Option<Text>,
    /// Whether the model cannot see that message.
    pub is_hidden: bool,
    /// Whether the tool failed.
    pub failed: bool,
    /// How long the tool took, in milliseconds.
    pub took: Option<f64>,
    /// The path of the step that runs it, in the past or in the future.
    pub path: Option<String>,
}

/// Facts about the message store and what was sent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SideFacts {
    /// What the second column has.
    pub mode: SideMode,
    /// How many messages the store has.
    pub store: usize,
    /// How many messages the second column has.
    pub sent: usize,
    /// How many messages of the store the second column lacks.
    pub hidden: usize,
    /// How many were sent with another text.
    pub changed: usize,
    /// The length of all texts of the store, in characters.
    pub store_length: usize,
    /// The length of all texts of the second column, in characters.
    pub sent_length: usize,
    /// The tokens of the prompt as recorded.
    pub tokens: Option<u64>,
}

/// The second column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SideMode {
    /// The messages that the model was sent.
    Sent,
    /// The visible messages: the document does not record what was sent.
    Unrecorded,
    /// The visible messages: the step calls no model.
    Visible,
}

/// One message in both columns.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SideRow {
    /// Its id in the store.
    pub id: Option<Text>,
    /// Its role; empty for a message that names none.
    pub role: Cow<'static, str>,
    /// Its text in the store, or as sent if the store has none.
    pub content: Option<Text>,
    /// The tools it calls.
    pub tool_calls: Arc<[ToolCall]>,
    /// The tool that answered.
    pub tool_name: Option<Text>,
    /// How the columns differ.
    pub state: SideState,
    /// The path of the step that hid it.
    pub since: Option<String>,
    /// Whether it was sent in another place than the store has it.
    pub moved: bool,
    /// The text that was sent, if it is another.
    pub sent: Option<Text>,
    /// The differences of that text from the stored one; empty where there are too many.
    pub parts: Vec<ComparedPart>,
}

/// How the two columns of a [`SideRow`] differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SideState {
    /// The message was hidden.
    Hidden,
    /// It was visible, but not sent.
    Withheld,
    /// It was sent, but is not in the store.
    Unstored,
    /// It was sent with another text.
    Changed,
    /// They are alike.
    Same,
}

/// How the request of a model call differs from that of the call before it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptFacts {
    /// The path of the step with the call before it, of the same agent; nothing for the first call.
    pub previous: Option<String>,
    /// Whether the document has the messages of both requests.
    pub is_recorded: bool,
    /// How many messages only this request has.
    pub added: usize,
    /// How many only the one before has.
    pub removed: usize,
    /// How many have another text.
    pub changed: usize,
    /// How many have another place among the others.
    pub moved: usize,
    /// How many are the same.
    pub same: usize,
    /// The changed settings; a tool is one of the name `tools.NAME`.
    pub settings: Vec<Change>,
}

/// A message that the request of a model call and the one before it have not in common.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptChange {
    /// How they differ.
    pub kind: PromptChangeKind,
    /// Its id in the store.
    pub id: Option<Text>,
    /// Its role; empty for a message that names none.
    pub role: Cow<'static, str>,
    /// The text that was sent; of a removed message, that of the request before.
    pub content: Option<Text>,
    /// The tools it calls.
    pub tool_calls: Arc<[ToolCall]>,
    /// The differences of a changed text from the one before; empty where there are too many.
    pub parts: Vec<ComparedPart>,
}

/// How two requests differ in a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PromptChangeKind {
    /// Only the later one has it.
    #[default]
    Added,
    /// Only the earlier one has it.
    Removed,
    /// It has another text or other calls.
    Changed,
    /// It has another place among the others.
    Moved,
}

/// A piece of two texts laid over each other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ComparedPart {
    /// Where it is.
    pub kind: ComparedPartKind,
    /// The piece; empty if it is left out.
    pub text: String,
    /// How many characters are left out.
    pub omitted: usize,
}

/// Where a [`ComparedPart`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ComparedPartKind {
    /// In the first text.
    Removed,
    /// In the second text.
    Added,
    /// In both, and left out.
    Omitted,
    /// In both.
    Same,
}

/// The state after a step as the rows of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StateTree {
    /// The visible rows.
    pub rows: Vec<StateTreeRow>,
    /// How many rows there is no room for.
    pub more: usize,
    /// How many values the step changed.
    pub changes: usize,
    /// How many keys the context has.
    pub keys: usize,
}

/// One row of a [`StateTree`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StateTreeRow {
    /// Its path.
    pub path: String,
    /// Its name among those next to it.
    pub name: String,
    /// How many containers it is inside of.
    pub depth: usize,
    /// What the step did to it.
    pub change: Option<ChangeKind>,
    /// The kind of value.
    pub kind: StateValueKind,
    /// How many values it contains.
    pub size: usize,
    /// Whether these follow.
    pub open: bool,
    /// The value before the step in one short line, if the step changed it.
    pub before: Option<String>,
    /// The value after the step in one short line.
    pub after: Option<String>,
}

/// The kind of value of a [`StateTreeRow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum StateValueKind {
    /// A text.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Word,
    /// A list.
    List,
    /// A map.
    Map,
}

/// Facts about one value of the state over its run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct HistoryFacts {
    /// The place of the entry that holds at this step.
    pub here: Option<usize>,
    /// The values as a drawing, if they are numbers.
    pub spark: Option<Spark>,
    /// How many steps the run has.
    pub steps: usize,
}

/// A line through the values of a run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Spark {
    /// The data of an SVG path, 24 high.
    pub path: String,
    /// Its width.
    pub width: usize,
    /// The least value.
    pub least: Value,
    /// The greatest.
    pub most: Value,
}

/// A step that set the value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct HistoryEntry {
    /// Its place among the entries.
    pub place: usize,
    /// The place of the step among the rows.
    pub at: Option<usize>,
    /// The value in one short line; nothing once it is gone.
    pub value: Option<String>,
}

/// The request and the response of a step, each as JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Exchange {
    /// What the step called.
    pub kind: ExchangeKind,
    /// The request.
    pub request: Option<String>,
    /// The response.
    pub response: Option<String>,
    /// Whether the document records the messages of the request.
    pub recorded: bool,
    /// The step as it is in the document.
    pub raw: String,
}

/// What a step called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ExchangeKind {
    /// A model.
    Llm,
    /// A tool.
    Tool,
    /// Nothing.
    None,
}
