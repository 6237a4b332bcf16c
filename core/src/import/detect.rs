//! Whether a file is one that another program wrote, by its content.

use serde_json::Value;

use super::files::NAME;
use super::qbit;
use crate::parse::{Data, Kind, Node, json_value};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The log of a qbit session or of one of its agents.
    Qbit,
    /// A recording of AgentLoom.
    AgentLoom,
    /// The calls of a replay by AgentLoom's mock provider, which belong to a recording.
    AgentLoomCalls,
    /// The result of an AgentLoom workflow, which belongs to a recording.
    AgentLoomResult,
}

impl Format {
    /// The word for it, as `detect` gives it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Format::Qbit => "qbit-log",
            Format::AgentLoom => "agentloom-recording",
            Format::AgentLoomCalls => "agentloom-calls",
            Format::AgentLoomResult => "agentloom-result",
        }
    }
}

/// What a file was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The format.
    pub format: Format,
    /// Whether nothing else looks so; `false` when it is likely and no more.
    pub is_certain: bool,
    /// What it was told by, in one sentence.
    pub reason: String,
}

impl Found {
    /// Whether it is this rather than a document of that kind: the result of a workflow has a `final_state`, as a
    /// transcript may have.
    pub(crate) fn may_be(&self, kind: Kind) -> bool {
        match self.format {
            Format::AgentLoomResult => kind != Kind::Full,
            _ => kind == Kind::Unknown,
        }
    }
}

/// The most bytes of an entry that are looked at.
const FIRST: usize = 1 << 20;

/// Tells whether a text is a file of another program that can be imported: the first entry of a log by its keys,
/// the tree of a recording by those of its answers. `root` is the tree of the text, if it has been read.
///
/// ```
/// use transcript_core::import::{Format, detect};
/// let log = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"started","turn_id":"t"}"#;
/// let found = detect(log, None).unwrap();
/// assert_eq!((found.format, found.is_certain), (Format::Qbit, true));
/// assert!(detect("messages: ['user: Hi']", None).is_none());
/// ```
#[must_use]
pub fn detect(text: &str, root: Option<&Node>) -> Option<Found> {
    log(text).or_else(|| root.and_then(recording))
}

/// Whether the name of a file is that of a qbit log, which says what an empty file or list is.
pub(crate) fn is_named_as_log(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some(NAME)
}

fn log(text: &str) -> Option<Found> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    if !text.starts_with('{') {
        return None;
    }
    // A quick look spares reading what cannot be one, as nearly all documents cannot.
    let head = text.get(..text.floor_char_boundary(FIRST)).unwrap_or(text);
    if !head.contains("\"_timestamp\"") && !head.contains("\"seq\"") {
        return None;
    }
    let first = first_map(head)?;
    let (value, _) = json_value(first, 0);
    let kind = value.get("type")?.as_str()?;
    let is_known = qbit::is_known(kind);
    let found = |is_certain, reason| Some(Found { format: Format::Qbit, is_certain, reason });
    if value.get("_timestamp").is_some() {
        let reason = match is_known {
            true => format!("its first event, `{kind}`, has `_timestamp` and `type` as those of qbit have"),
            false => "its first entry has `_timestamp` and `type`, as the events of qbit have".to_owned(),
        };
        return found(is_known, reason);
    }
    let is_envelope = value.get("seq").is_some_and(Value::is_u64) && value.get("ts").is_some();
    if is_known && is_envelope {
        return found(
            true,
            format!("its first event, `{kind}`, has `seq`, `ts` and `type`, as qbit sends them"),
        );
    }
    None
}

/// The first map of a text that begins with it, as far as its brackets tell.
fn first_map(text: &str) -> Option<&str> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(..=at);
                }
            }
            _ => {}
        }
    }
    None
}

fn recording(root: &Node) -> Option<Found> {
    let found =
        |format, is_certain, reason: &str| Some(Found { format, is_certain, reason: reason.to_owned() });
    if let Data::Seq(items) = &root.data {
        let is_call =
            |item: &Node| ["step_id", "messages", "matched"].iter().all(|key| item.get(key).is_some());
        return match items.first().is_some_and(is_call) {
            true => found(
                Format::AgentLoomCalls,
                true,
                "its entries have `step_id`, `messages` and `matched`, as the calls of AgentLoom's mock provider have",
            ),
            false => None,
        };
    }
    if root.get("step_results").is_some_and(Node::is_map) && root.get("workflow_name").is_some() {
        let reason = "it has `workflow_name` and `step_results`, as the result of an AgentLoom workflow has";
        return found(Format::AgentLoomResult, true, reason);
    }
    let mut answers = root.entries().iter().filter(|entry| !entry.key.text.starts_with('_')).peekable();
    answers.peek()?;
    let is_answer = |node: &Node| {
        (node.get("content").is_some() || node.get("embeddings").is_some())
            && (node.get("usage").is_some() || node.get("model").is_some())
    };
    let all = answers.all(|entry| match &entry.value.data {
        Data::Seq(items) => !items.is_empty() && items.iter().all(is_answer),
        _ => is_answer(&entry.value),
    });
    let has_version = root.get("_version").is_some();
    match all {
        true if has_version => found(
            Format::AgentLoom,
            true,
            "it has `_version`, and every entry is an answer with `content` and `usage`, as in AgentLoom's recordings",
        ),
        true => found(
            Format::AgentLoom,
            true,
            "every entry is an answer with `content` and `usage` or `model`, as in AgentLoom's recordings",
        ),
        false if has_version && root.entries().iter().any(|entry| is_answer(&entry.value)) => found(
            Format::AgentLoom,
            false,
            "it has `_version` and entries that are answers, as AgentLoom's recordings have, though not all are",
        ),
        false => None,
    }
}
