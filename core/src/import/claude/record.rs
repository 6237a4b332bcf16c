//! The records of a session of Claude Code.

use serde_json::{Map, Value};

use crate::import::keys::entries_where;
use crate::import::values::Entry;
use crate::text::Span;
use crate::time::moment;

/// A line of a session.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The index of its file, and its place there.
    pub file: usize,
    pub line: u32,
    pub span: Span,
    pub kind: String,
    pub raw: Value,
}

/// Known kinds that are not part of the conversation.
const OTHER_KINDS: [&str; 28] = [
    "system",
    "summary",
    "attachment",
    "progress",
    "result",
    "stream_event",
    "rate_limit_event",
    "file-history-snapshot",
    "file-history-delta",
    "queue-operation",
    "custom-title",
    "ai-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "tag",
    "task-summary",
    "worktree-state",
    "content-replacement",
    "attribution-snapshot",
    "speculation-accept",
    "bridge-session",
    "saved_hook_context",
    "relocated",
];

/// Keys that are equal in many records: those of the first one are stored once for all.
pub(super) const COMMON: [&str; 9] = [
    "sessionId",
    "session_id",
    "cwd",
    "gitBranch",
    "version",
    "userType",
    "entrypoint",
    "slug",
    "isSidechain",
];

impl Record {
    pub(super) fn from_entry(entry: Entry, file: usize) -> Self {
        let kind = entry.value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { file, line: entry.line, span: entry.span, kind, raw: entry.value }
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.raw.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// The message of a record that is part of a conversation.
    pub(super) fn message(&self) -> Option<&Value> {
        let is_message = matches!(self.kind.as_str(), "user" | "assistant");
        let is_read = |message: &Value| message.get("content").is_some() || message.get("parts").is_none();
        self.raw.get("message").filter(|message| {
            is_message && message.get("role").is_some_and(Value::is_string) && is_read(message)
        })
    }

    /// Whether its kind is known.
    pub(super) fn is_known(&self) -> bool {
        OTHER_KINDS.contains(&self.kind.as_str())
    }

    /// Whether it is of an agent called as a tool.
    pub(super) fn is_side(&self) -> bool {
        self.raw.get("isSidechain") == Some(&Value::Bool(true)) || self.parent_call().is_some()
    }

    /// The call to which a record of an agent belongs.
    pub(super) fn parent_call(&self) -> Option<&str> {
        self.text("parent_tool_use_id")
    }

    pub(super) fn is_of_model(&self) -> bool {
        self.kind == "assistant"
    }

    /// The blocks of its message.
    pub(super) fn blocks(&self) -> &[Value] {
        let content = self.message().and_then(|message| message.get("content"));
        content.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The calls in it, as ids, names and arguments.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&str, &str, Option<&Value>)> {
        let is_of_model = self.is_of_model();
        let calls = self
            .blocks()
            .iter()
            .filter(move |block| is_of_model && block.get("type").is_some_and(|kind| kind == "tool_use"));
        calls.filter_map(|block| {
            Some((block.get("id")?.as_str()?, block.get("name")?.as_str()?, block.get("input")))
        })
    }

    /// The ids of the calls with results in it.
    pub(super) fn results(&self) -> impl Iterator<Item = &str> {
        let results = self.blocks().iter();
        let results = results.filter(|block| block.get("type").is_some_and(|kind| kind == "tool_result"));
        results.filter_map(|block| block.get("tool_use_id")?.as_str())
    }

    /// Whether it has results of calls, and nothing else.
    pub(super) fn is_result(&self) -> bool {
        let blocks = self.blocks();
        !blocks.is_empty() && blocks.len() == self.results().count()
    }

    /// The id of its answer of the model.
    pub(super) fn answer_id(&self) -> Option<&str> {
        self.message().filter(|_| self.is_of_model())?.get("id")?.as_str().filter(|id| !id.is_empty())
    }

    pub(super) fn time(&self) -> Option<String> {
        moment(self.raw.get("timestamp")?).map(|moment| moment.text)
    }

    /// Its keys other than its message, its time, its place in the tree and `common`.
    pub(super) fn about(&self, common: &Map<String, Value>) -> Map<String, Value> {
        entries_where(&self.raw, &|key, value| match key {
            "type" | "message" | "parentUuid" => false,
            "timestamp" => moment(value).is_none(),
            _ => !value.is_null() && common.get(key) != Some(value),
        })
    }
}
