//! Decodes the JSON answers of the reader. A missing field is empty: the page and the reader are built together.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};
use transcript_core::diagnostic::Severity;
use transcript_core::document::Form;
use transcript_core::model::Text;
use transcript_core::text::Span;
use transcript_core::view::{
    Change, ChangeKind, MessageView, SentView, StateLayer, Status, StepRow, ToolChip, ToolView,
};
use transcript_core::wire::ToolCall;

use crate::io::reader::{self, DocumentHandle};
use crate::ui::PAGE;

/// A problem with its text.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) code: String,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) help: Option<String>,
    /// Other places that explain it: line, column, and what is there.
    pub(crate) related: Vec<(u32, u32, String)>,
    /// What its fixes do.
    pub(crate) fixes: Vec<String>,
}

/// The place of a step among the rows of a document.
#[derive(Clone, Debug)]
pub(crate) struct StepPlace {
    pub(crate) document: Arc<DocumentHandle>,
    pub(crate) at: usize,
}

impl StepPlace {
    /// The page of the `store`, of the messages `sent` or of those `withheld` that begins at a message.
    pub(crate) async fn messages(self, what: &'static str, start: usize) -> Option<Vec<Value>> {
        let page = reader::messages(self.document.number(), self.at, what, start, PAGE).await?;
        match page {
            Value::Array(page) => Some(page),
            _ => None,
        }
    }

    /// What a tab of the inspector shows of the step.
    pub(crate) async fn look(self, what: &'static str, request: Value) -> Option<Value> {
        reader::look(self.document.number(), self.at, what, &request.to_string()).await
    }
}

/// One step in three layers; long lists of messages are here with their last page.
#[derive(Clone, Debug)]
pub(crate) struct StepDetail {
    pub(crate) place: StepPlace,
    pub(crate) row: StepRow,
    pub(crate) state: StateLayer,
    pub(crate) store: MessageList,
    /// How many messages of the store the model can see, and how many it cannot.
    pub(crate) visible: usize,
    pub(crate) hidden: usize,
    pub(crate) llm: Option<LlmLayer>,
    pub(crate) tool: Option<ToolView>,
}

impl StepDetail {
    /// The id of the message that the step has put into the store.
    pub(crate) fn created_message_id(&self) -> Option<String> {
        let created = self.store.last.iter().rfind(|message| is_true(message, "createdHere"))?;
        optional_text(created, "id")
    }
}

/// A list of messages with its last page.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageList {
    pub(crate) count: usize,
    pub(crate) last: Vec<Value>,
}

/// The request to a model, and its answer.
#[derive(Clone, Debug)]
pub(crate) struct LlmLayer {
    /// Nothing when the document does not say.
    pub(crate) sent: Option<MessageList>,
    pub(crate) withheld: MessageList,
    pub(crate) config: Map<String, Value>,
    pub(crate) content: Option<String>,
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) reasoning: Option<String>,
    pub(crate) refusal: Option<String>,
    pub(crate) usage: Option<Value>,
    pub(crate) error: Option<Value>,
}

/// A row of the step list with what only the reader knows of it.
#[derive(Clone, Debug)]
pub(crate) struct ListedStep {
    pub(crate) step: StepRow,
    /// How long it took, in milliseconds.
    pub(crate) took: Option<f64>,
    /// Of a step with a run inside it: the agent, its prompt, and its answer.
    pub(crate) inner: Option<[String; 3]>,
}

pub(super) fn listed_step(value: &Value) -> ListedStep {
    let inner = value.get("inner");
    ListedStep {
        step: row(value),
        took: value.get("took").and_then(Value::as_f64),
        inner: inner.map(|inner| ["agent", "prompt", "result"].map(|key| string(inner, key))),
    }
}

pub(super) fn row(value: &Value) -> StepRow {
    StepRow {
        index: number(value, "index"),
        path: string(value, "path"),
        turn: value.get("turn").and_then(Value::as_i64).unwrap_or_default(),
        kind: string(value, "kind"),
        agent: optional_text(value, "agent"),
        role: optional_text(value, "role"),
        summary: string(value, "summary"),
        tools: list(value, "tools", |tool| ToolChip {
            name: string(tool, "name"),
            arguments: string(tool, "arguments"),
            unanswered: is_true(tool, "unanswered"),
        }),
        status: if text(value, "status") == "failed" { Status::Failed } else { Status::Ok },
        tokens: value.get("tokens").and_then(Value::as_u64),
        changes_context: is_true(value, "changesContext"),
        changes_messages: is_true(value, "changesMessages"),
        children: number(value, "children"),
        depth: number(value, "depth"),
        // Places of the page are lines; offsets are the reader's.
        span: Span::default(),
        line: number(value, "line") as u32,
        problem: value.get("problem").and_then(Value::as_str).map(severity),
    }
}

pub(super) fn problem(value: &Value) -> Problem {
    let related =
        |at: &Value| (number(at, "line") as u32, number(at, "column") as u32, string(at, "message"));
    Problem {
        code: string(value, "code"),
        severity: severity(text(value, "severity")),
        message: string(value, "message"),
        line: number(value, "line") as u32,
        column: number(value, "column") as u32,
        help: optional_text(value, "help"),
        related: list(value, "related", related),
        fixes: list(value, "fixes", |fix| fix.as_str().unwrap_or_default().to_owned()),
    }
}

pub(super) fn step(mut value: Value, place: StepPlace) -> StepDetail {
    let mut state = take(&mut value, "state");
    let change = |change: &Value| Change {
        key: string(change, "key"),
        kind: match text(change, "kind") {
            "added" => ChangeKind::Added,
            "removed" => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        },
        before: non_null(change, "before"),
        after: non_null(change, "after"),
    };
    let llm = non_null(&value, "llm").map(|mut llm| LlmLayer {
        sent: non_null(&llm, "sent").map(message_list),
        withheld: message_list(take(&mut llm, "withheld")),
        config: map(take(&mut llm, "config")),
        content: optional_text(&llm, "content"),
        tool_calls: list(&llm, "toolCalls", tool_call),
        reasoning: optional_text(&llm, "reasoning"),
        refusal: optional_text(&llm, "refusal"),
        usage: non_null(&llm, "usage"),
        error: non_null(&llm, "error"),
    });
    let tool = non_null(&value, "tool").map(|mut tool| ToolView {
        id: optional_text(&tool, "id"),
        name: string(&tool, "name"),
        parameters: take(&mut tool, "parameters"),
        result: take(&mut tool, "result"),
        success: is_true(&tool, "success"),
        error: optional_text(&tool, "error"),
    });
    StepDetail {
        place,
        row: row(&take(&mut value, "row")),
        state: StateLayer {
            changes: list(&state, "changes", change),
            agents: map(take(&mut state, "agents")),
            context: map(take(&mut state, "context")),
        },
        store: message_list(take(&mut value, "store")),
        visible: number(&value, "visible"),
        hidden: number(&value, "hidden"),
        llm,
        tool,
    }
}

/// A message of the store.
pub(crate) fn message(value: &Value) -> MessageView {
    MessageView {
        id: text(value, "id").into(),
        role: Cow::Owned(string(value, "role")),
        content: shared_text(value, "content"),
        tool_calls: tool_calls(value),
        tool_call_id: shared_text(value, "toolCallId"),
        tool_name: shared_text(value, "toolName"),
        agent: shared_text(value, "agent"),
        visible: is_true(value, "visible"),
        created_here: is_true(value, "createdHere"),
        visibility_changed_here: is_true(value, "visibilityChangedHere"),
        hidden_since: optional_text(value, "hiddenSince"),
    }
}

/// A message as it was sent, and what the store holds when that is another text.
pub(crate) fn sent(value: &Value) -> (SentView, Option<String>) {
    let sent = SentView {
        id: shared_text(value, "id"),
        role: Cow::Owned(string(value, "role")),
        content: shared_text(value, "content"),
        tool_calls: tool_calls(value),
        transformed: is_true(value, "transformed"),
    };
    (sent, value.get("before").map(|before| before.as_str().unwrap_or_default().to_owned()))
}

/// The id, role and text of a message.
pub(crate) fn withheld(value: &Value) -> (String, String, String) {
    (string(value, "id"), string(value, "role"), string(value, "content"))
}

pub(super) fn form(word: &str) -> Form {
    match word {
        "full" => Form::Full,
        "partial" => Form::Partial,
        "compact" => Form::Compact,
        "handlers" => Form::Handlers,
        _ => Form::Unknown,
    }
}

pub(crate) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn optional_text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(crate) fn string(value: &Value, key: &str) -> String {
    text(value, key).to_owned()
}

pub(crate) fn number(value: &Value, key: &str) -> usize {
    value.get(key).and_then(Value::as_u64).unwrap_or_default() as usize
}

fn severity(word: &str) -> Severity {
    match word {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Info,
    }
}

fn shared_text(value: &Value, key: &str) -> Option<Text> {
    value.get(key).and_then(Value::as_str).map(Text::from)
}

pub(crate) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

fn list<T>(value: &Value, key: &str, of: impl Fn(&Value) -> T) -> Vec<T> {
    value.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter().map(of).collect()
}

fn tool_calls(value: &Value) -> Arc<[ToolCall]> {
    list(value, "toolCalls", tool_call).into()
}

fn tool_call(value: &Value) -> ToolCall {
    let arguments = value.get("arguments").cloned().unwrap_or_default();
    ToolCall { id: string(value, "id"), name: string(value, "name"), arguments }
}

fn take(value: &mut Value, key: &str) -> Value {
    value.get_mut(key).map(Value::take).unwrap_or_default()
}

fn non_null(value: &Value, key: &str) -> Option<Value> {
    value.get(key).filter(|value| !value.is_null()).cloned()
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn message_list(mut value: Value) -> MessageList {
    let last = match take(&mut value, "last") {
        Value::Array(last) => last,
        _ => Vec::new(),
    };
    MessageList { count: number(&value, "count"), last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::{Document, Limits};

    fn nowhere() -> StepPlace {
        StepPlace { document: Arc::new(DocumentHandle::new(0)), at: 0 }
    }

    const EXAMPLES: [&str; 3] = [
        include_str!("../../../public/examples/context_management.yaml"),
        include_str!("../../../public/examples/error_handling.yaml"),
        include_str!("../../../public/examples/nested_agent_call.yaml"),
    ];

    /// Every row and step of the examples, as the reader answers and as the core has it.
    #[test]
    fn nothing_is_lost_on_the_way() {
        for text in EXAMPLES {
            let document = Document::open(text, &Limits::default());
            let mut reader = transcript_reader::Reader::new();
            reader.read(1, text, &[], &[]);
            for (at, known) in document.steps().into_iter().enumerate() {
                let whole = document.step(&known.path).unwrap();
                let answer = serde_json::from_str(&reader.step(1, at, 40).unwrap()).unwrap();
                let decoded = step(answer, nowhere());
                assert_eq!(decoded.row, StepRow { span: Span::default(), ..known });
                assert_eq!(decoded.state, whole.state);
                assert_eq!(decoded.tool, whole.tool);
                let store: Vec<MessageView> = decoded.store.last.iter().map(message).collect();
                assert_eq!((store, decoded.visible), (whole.flow.store.clone(), whole.flow.visible.len()));
                assert_eq!(decoded.hidden + decoded.visible, decoded.store.count);
                assert_eq!(decoded.llm.is_some(), whole.llm.is_some());
                let Some((decoded, whole)) = decoded.llm.zip(whole.llm) else { continue };
                assert_eq!(decoded.config, whole.config);
                assert_eq!((decoded.content, decoded.tool_calls), (whole.content, whole.tool_calls));
                assert_eq!((decoded.usage, decoded.error), (whole.usage, whole.error));
                assert_eq!((decoded.reasoning, decoded.refusal), (whole.reasoning, whole.refusal));
                let messages = decoded.sent.unwrap_or_default().last;
                let messages: Vec<SentView> = messages.iter().map(|message| sent(message).0).collect();
                assert_eq!(messages, whole.sent.unwrap_or_default());
                let ids: Vec<Text> =
                    decoded.withheld.last.iter().map(|value| withheld(value).0.into()).collect();
                assert_eq!(ids, whole.withheld);
            }
        }
    }

    #[test]
    fn whatever_is_lacking_is_empty() {
        let decoded = step(Value::Null, nowhere());
        assert_eq!((decoded.store.count, decoded.llm.is_some(), decoded.row.kind.as_str()), (0, false, ""));
        assert!(problem(&Value::Null).fixes.is_empty());
    }
}
