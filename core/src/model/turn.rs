//! Turns: the events of a run, step by step.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Content, Message, Spanned, Text, ToolCall, Transcript, UnknownKeys};
use crate::text::Span;

/// The type of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// The model was called.
    LlmCall,
    /// A tool ran.
    ToolCall,
    /// A message arrived.
    Message,
    /// An unknown or missing type.
    Unknown,
}

impl TurnKind {
    /// The names of the types, in documents.
    pub const NAMES: [&'static str; 3] = ["llm_call", "tool_call", "message"];

    /// The type of that name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        match name {
            "llm_call" => TurnKind::LlmCall,
            "tool_call" => TurnKind::ToolCall,
            "message" => TurnKind::Message,
            _ => TurnKind::Unknown,
        }
    }

    /// The name in documents; `unknown` for an unknown type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TurnKind::LlmCall => "llm_call",
            TurnKind::ToolCall => "tool_call",
            TurnKind::Message => "message",
            TurnKind::Unknown => "unknown",
        }
    }
}

/// One turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The written number.
    pub number: Option<Spanned<i64>>,
    /// Its type.
    pub kind: Spanned<TurnKind>,
    /// The type as written; empty when the document names none.
    pub kind_name: Text,
    /// When it began, as written.
    pub timestamp: Option<Spanned<Text>>,
    /// The agent, if there are several.
    pub agent: Option<Text>,
    /// The messages that the model was sent.
    pub sent: Sent,
    /// Settings of this call.
    pub config: Map<String, Value>,
    /// The model's answer.
    pub response: Option<Response>,
    /// The error of a model call that failed.
    pub error: Option<Value>,
    /// The tool that ran.
    pub tool: Option<ToolRun>,
    /// The message that went into the store.
    pub created: Option<Message>,
    /// Other changes.
    pub changes: Changes,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
    /// The place of the turn.
    pub span: Span,
}

impl Turn {
    /// A turn of that type in which nothing happens yet.
    ///
    /// ```
    /// use transcript_core::model::{Spanned, Turn, TurnKind};
    /// use transcript_core::text::Span;
    /// let span = Span::default();
    /// let turn = Turn::new(Spanned { value: TurnKind::LlmCall, span }, span);
    /// assert_eq!(&*turn.kind_name, "llm_call");
    /// ```
    #[must_use]
    pub fn new(kind: Spanned<TurnKind>, span: Span) -> Self {
        Self {
            number: None,
            kind_name: kind.value.name().into(),
            kind,
            timestamp: None,
            agent: None,
            sent: Sent::Unrecorded,
            config: Map::new(),
            response: None,
            error: None,
            tool: None,
            created: None,
            changes: Changes::default(),
            rest: UnknownKeys::default(),
            span,
        }
    }

    /// The agent of the turn, or that of its message.
    pub(crate) fn speaker(&self) -> Option<&Text> {
        self.agent.as_ref().or_else(|| self.created.as_ref()?.agent.as_ref())
    }
}

/// The messages that the model was sent.
#[derive(Clone, Debug)]
pub enum Sent {
    /// The document has no list.
    Unrecorded,
    /// Every message that is visible at that moment.
    Visible,
    /// These.
    List(Vec<SentItem>),
}

/// One message the model was sent.
#[derive(Clone, Debug)]
pub struct SentItem {
    /// The stored message it refers to.
    pub reference: Option<Spanned<Text>>,
    /// The text the model saw, when it is not the store's.
    pub content: Option<Box<Content>>,
    /// The message itself, when it was never stored.
    pub inline: Option<Box<Message>>,
    /// The other keys of a reference.
    pub rest: UnknownKeys,
    /// The place of the item.
    pub span: Span,
}

/// The model's answer.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// Its text.
    pub content: Option<Content>,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// Its reasoning.
    pub reasoning: Option<Content>,
    /// Its refusal.
    pub refusal: Option<Content>,
    /// Tokens used.
    pub usage: Option<Value>,
    /// Rare fields.
    pub details: Option<Box<ResponseDetails>>,
    /// Its place.
    pub span: Span,
}

/// Rare fields of answers, in addition to text and calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseDetails {
    /// The role, if it is not the assistant.
    pub role: Option<Text>,
    /// The sources of the answer.
    pub citations: Option<Value>,
    /// Remarks on the answer.
    pub annotations: Option<Value>,
    /// Data of the author's choice.
    pub metadata: Option<Map<String, Value>>,
    /// The answer as data, if a schema was requested.
    pub parsed: Option<Value>,
    /// The pieces of a streamed answer, as written.
    pub chunks: Option<Vec<Value>>,
    /// Why the answer ends.
    pub finish_reason: Option<Text>,
    /// The model that answered.
    pub model: Option<Text>,
    /// The provider's id of the answer.
    pub id: Option<Text>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}

/// A tool that ran.
#[derive(Clone, Debug)]
pub struct ToolRun {
    /// The call it answers.
    pub id: Option<Spanned<Text>>,
    /// Who called it, `model` or `host`; a model when left out.
    pub caller: Option<Text>,
    /// The tool.
    pub name: Spanned<Text>,
    /// Its arguments.
    pub parameters: Value,
    /// Its result.
    pub result: Value,
    /// Whether it succeeded.
    pub success: bool,
    /// Its error.
    pub error: Option<Content>,
    /// The nested run of another agent; one from elsewhere, once it is linked.
    pub nested: Option<Arc<Transcript>>,
    /// The name of that run, where it is named and not spelled out: `#id` or a path.
    pub nested_ref: Option<Spanned<Text>>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
    /// Its place.
    pub span: Span,
}

impl ToolRun {
    /// The run of a tool; it failed if there is an error.
    #[must_use]
    pub fn new(
        id: Option<&str>,
        name: &str,
        parameters: Value,
        result: Value,
        error: Option<Content>,
    ) -> Self {
        let span = Span::default();
        Self {
            id: id.map(|id| Spanned { value: id.into(), span }),
            caller: None,
            name: Spanned { value: name.into(), span },
            parameters,
            result,
            success: error.is_none(),
            error,
            nested: None,
            nested_ref: None,
            rest: UnknownKeys::default(),
            span,
        }
    }

    /// Whether the program called the tool itself, so that its id is that of no model's call.
    #[must_use]
    pub fn is_of_host(&self) -> bool {
        self.caller.as_deref() == Some("host")
    }

    /// The answer of the tool: of another agent its answer, which results have as `response` or `answer`, else the
    /// result.
    #[must_use]
    pub fn answer(&self) -> &Value {
        let is_run = self.nested.is_some() || self.nested_ref.is_some();
        let own = || self.result.get("response").or_else(|| self.result.get("answer"));
        own().filter(|_| is_run).unwrap_or(&self.result)
    }

    /// Returns what the host gets as the result of the tool: its answer, without the nested run of another
    /// agent that led to it. A result without an answer returns its other entries, or else the last answer of
    /// the nested run.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::document::{Document, Limits};
    /// let text = "execution: [{turn: 1, type: tool_call, tool_call: {tool_name: lookup, result: {
    ///     nested_transcript: {execution: [{turn: 1, type: llm_call, llm_response: {content: Sunny}}]}}}}]";
    /// let document = Document::open(text, &Limits::default());
    /// let turn = document.timeline().unwrap().turn_at(1).unwrap();
    /// assert_eq!(turn.tool.as_ref().unwrap().host_result(), json!("Sunny"));
    /// ```
    #[must_use]
    pub fn host_result(&self) -> Value {
        let answer = self.answer();
        let is_run = self.nested.is_some() || self.nested_ref.is_some();
        let (true, Value::Object(entries)) = (is_run && std::ptr::eq(answer, &raw const self.result), answer)
        else {
            return answer.clone();
        };
        let own =
            |key: &str| !["type", "agent_id", "nested_transcript", "nested_transcript_ref"].contains(&key);
        if entries.keys().any(|key| own(key)) {
            let rest = entries.iter().filter(|(key, _)| !key.starts_with("nested_transcript"));
            return Value::Object(rest.map(|(key, value)| (key.clone(), value.clone())).collect());
        }
        // A run from elsewhere that was not put in place has no content yet.
        let Some(run) = &self.nested else { return answer.clone() };
        let last = run.turns.iter().rev().find_map(|turn| turn.response.as_ref());
        let answer = last.filter(|last| last.tool_calls.is_empty()).and_then(|last| last.content.as_ref());
        answer.map_or(Value::Null, Content::to_value)
    }
}

/// The changes of a turn, apart from the message it created.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Keys of the context that were set.
    pub context: Map<String, Value>,
    /// Keys of the context that were removed.
    pub removed: Vec<Text>,
    /// Messages that were hidden (`false`) or shown (`true`).
    pub visible: Vec<(Spanned<Text>, bool)>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}
