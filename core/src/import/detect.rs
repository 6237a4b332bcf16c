//! Whether a file is one that another program wrote, by its content.

mod marks;
mod nearest;

use serde_json::Value;

use super::broken;
use super::cassette::{self, Style};
use super::chats;
use super::claude;
use super::codex;
use super::files::NAME;
use super::fixtures;
use super::mend::{Tree, balanced};
use super::qbit;
use super::traces;
use crate::parse::{Data, Kind, Node};
use crate::wire::Protocol;
pub use nearest::Nearest;
pub(crate) use nearest::nearest;

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
    /// Recorded HTTP, such as a cassette of VCR.
    Http,
    /// Traces of the OpenAI Agents SDK.
    Traces,
    /// Fixtures of aimock.
    Fixtures,
    /// A session of Claude Code, or what one of its agents did.
    ClaudeCode,
    /// A rollout of Codex.
    Codex,
    /// Messages or requests as OpenAI's chat completions have them.
    Chat,
    /// Items or requests of OpenAI's Responses.
    Responses,
    /// Messages or requests as Anthropic has them.
    Anthropic,
    /// Examples for training, one conversation each.
    Examples,
    /// Trajectories of harbor, in the Agent Trajectory Interchange Format.
    Trajectory,
    /// Messages of the AI SDK, of its interfaces or of its models.
    AiSdk,
    /// What the devtools of the AI SDK write.
    AiSdkDevtools,
    /// Spans of OpenTelemetry that tell of calls of models.
    Otel,
    /// The log of an evaluation by Inspect AI.
    Inspect,
    /// Runs of LangSmith.
    LangSmith,
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
            Format::Http => "http-recording",
            Format::Traces => "openai-agents-traces",
            Format::Fixtures => "aimock-fixtures",
            Format::ClaudeCode => "claude-code-session",
            Format::Codex => "codex-rollout",
            Format::Chat => "chat-log",
            Format::Responses => "openai-responses",
            Format::Anthropic => "anthropic-messages",
            Format::Examples => "fine-tuning",
            Format::Trajectory => "atif-trajectory",
            Format::AiSdk => "ai-sdk-messages",
            Format::AiSdkDevtools => "ai-sdk-devtools",
            Format::Otel => "otel-spans",
            Format::Inspect => "inspect-log",
            Format::LangSmith => "langsmith-runs",
        }
    }

    /// What its entries are called.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Format::Http => "requests",
            Format::Qbit => "events",
            Format::ClaudeCode | Format::Codex => "records",
            Format::Chat | Format::Responses | Format::Anthropic | Format::AiSdk => "messages",
            Format::Examples => "examples",
            Format::Trajectory => "steps",
            Format::Otel | Format::Traces => "spans",
            Format::LangSmith => "runs",
            Format::Inspect => "messages and events",
            Format::Fixtures => "fixtures",
            Format::AgentLoom | Format::AgentLoomCalls | Format::AgentLoomResult => "answers",
            Format::AiSdkDevtools => "calls",
        }
    }

    /// Whether it is a chat in the words of a vendor.
    #[must_use]
    pub fn is_chat(self) -> bool {
        matches!(self, Format::Chat | Format::Responses | Format::Anthropic | Format::Examples)
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
            format if format.is_chat() => matches!(kind, Kind::ChatLog | Kind::Unknown),
            // A chat of the AI SDK has `messages`, as a compact transcript has.
            Format::AiSdk => matches!(kind, Kind::Unknown | Kind::Compact | Kind::ChatLog),
            // A log of Inspect has a `version`, as a transcript has.
            Format::Inspect => !matches!(kind, Kind::Full | Kind::Compact),
            _ => kind == Kind::Unknown,
        }
    }
}

/// The most bytes and entries that are looked at.
const BYTES: usize = 1 << 20;
const ENTRIES: usize = 32;

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
    let of_root = |root: &Node| {
        let found = marks::detect_root(root).or_else(|| http(root)).or_else(|| rules(root));
        found.or_else(|| recording(root)).or_else(|| chat(root).filter(|_| !is_several(text)))
    };
    let found = log(text).or_else(|| root.and_then(of_root));
    found.or_else(|| chats::classify_lists(text).map(|found| from_chat(found, true)))
}

/// The same for a text that is broken JSON: what is whole of it may tell that it is a recording.
///
/// ```
/// use transcript_core::import::{Format, detect_broken};
/// let text = r#"{"a": {"content": oops}, "b": {"content": "Hi", "usage": {}}}"#;
/// let found = detect_broken(text).unwrap();
/// assert_eq!((found.format, found.is_certain), (Format::AgentLoom, false));
/// ```
#[must_use]
pub fn detect_broken(text: &str) -> Option<Found> {
    // A quick look, as above.
    let keys = ["\"content\"", "\"embeddings\"", "\"step_results\""];
    if !keys.iter().chain(&marks::KEYS).any(|key| text.contains(key)) {
        return None;
    }
    let read = broken::map(text)?;
    let found = marks::detect_root(&read.root).or_else(|| recording(&read.whole()))?;
    Some(Found { is_certain: false, reason: format!("{}; not all of it can be read", found.reason), ..found })
}

/// Whether the name of a file is that of a qbit log, which says what an empty file or list is.
pub(crate) fn is_named_as_log(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some(NAME)
}

/// Tells a log by the first of its entries that is an event of a known kind, else by the first that has the form of one:
/// the first entries of all may be damaged, or of kinds that are not yet known.
fn log(text: &str) -> Option<Found> {
    let head = text.get(..text.floor_char_boundary(BYTES)).unwrap_or(text);
    // A quick look spares reading what cannot be one, as nearly all documents cannot.
    if !KEYS.iter().chain(&marks::KEYS).any(|key| head.contains(key)) {
        return None;
    }
    // Lists without a map in them are no entries, though lines may stand before or behind one.
    let mut begin = head.len() - head.trim_start_matches(is_blank).len();
    while let Some(line) = head.get(begin..).and_then(|rest| rest.lines().next())
        && line.starts_with('[')
        && line.trim_end().ends_with(']')
        && !line.contains('{')
    {
        let rest = head.get(begin + line.len()..).unwrap_or("");
        begin = head.len() - rest.trim_start_matches(is_blank).len();
    }
    let rest = head.get(begin..).unwrap_or("");
    let mut at = head.len() - rest.trim_start_matches(is_between).len();
    let before = head.get(begin..at).unwrap_or("");
    // In a list entries are indented as the first one is, else not at all: what stands further to the right is inside of
    // something else.
    let is_list = before.contains('[');
    let indent = if is_list { before.rsplit('\n').next().map_or(0, str::len) } else { 0 };
    let mut likely: Option<Found> = None;
    let mut chats = None;
    // How many lines were read, and how many of them are of a chat.
    let (mut lines, mut of_chats) = (0, 0);
    let mut is_alike = false;
    for count in 0..ENTRIES {
        let end = if head.as_bytes().get(at) == Some(&b'{') { balanced(head, at, head.len()) } else { None };
        let tree = end.and_then(|end| Some(Tree::read(head.get(at..end)?, at))).filter(|tree| tree.is_whole);
        if let (Some(end), Some(tree)) = (end, tree) {
            let value = tree.value();
            is_alike |= claude::is_alike(&value);
            match event(&value, count == 0) {
                // What stands beside the messages of Claude Code, other programs have as well.
                Some(found)
                    if found.is_certain
                        && (found.format != Format::ClaudeCode
                            || (!is_alike && claude::is_message(&value))) =>
                {
                    return Some(found);
                }
                Some(found) if likely.as_ref().is_none_or(|likely| !likely.is_certain) => {
                    likely = Some(found)
                }
                _ => {}
            }
            let rest = head.get(end..).unwrap_or("");
            // One map alone is a document, which is told by its tree.
            let is_lines = !is_list && (count > 0 || !rest.trim().is_empty());
            let found = chats::classify_line(&value).filter(|_| is_lines);
            lines += 1;
            of_chats += usize::from(found.is_some());
            chats = chats.or(found);
            let next = end + rest.len() - rest.trim_start_matches(is_between).len();
            if head.as_bytes().get(next) == Some(&b'{') {
                at = next;
                continue;
            }
            at = end;
        }
        // A line that is broken, or no entry at all.
        match next_line(head, at, indent) {
            Some(next) => at = next,
            None => break,
        }
    }
    let likely = likely.filter(|found| !(is_alike && found.format == Format::ClaudeCode));
    let chats = chats.filter(|_| chats::is_nearly(of_chats, lines));
    likely.or_else(|| chats.map(|found| from_chat(found, true)))
}

/// Keys and words without one of which a text is no log.
const KEYS: [&str; 14] = [
    "\"_timestamp\"",
    "\"seq\"",
    "\"trace\"",
    "\"trace.span\"",
    "\"sessionId\"",
    "\"session_id\"",
    "\"parentUuid\"",
    "\"leafUuid\"",
    "\"snapshot\"",
    "\"payload\"",
    "\"record_type\"",
    "\"instructions\"",
    "\"role\"",
    "\"call_id\"",
];

/// Whether maps stand one after another, so that the first one does not tell what the file is.
fn is_several(text: &str) -> bool {
    let text = text.trim_start_matches(is_blank);
    let end = if text.starts_with('{') { balanced(text, 0, text.len()) } else { None };
    end.and_then(|end| text.get(end..)).is_some_and(|rest| rest.trim_start().starts_with('{'))
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// What stands between entries, or before the first one.
fn is_between(letter: char) -> bool {
    is_blank(letter) || matches!(letter, ',' | '[')
}

/// The next line that begins with a map, not more than `indent` to the right.
fn next_line(head: &str, mut at: usize, indent: usize) -> Option<usize> {
    loop {
        at += head.get(at..)?.find('\n')? + 1;
        let line = head.get(at..)?;
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if blanks <= indent && line.as_bytes().get(blanks) == Some(&b'{') {
            return Some(at + blanks);
        }
    }
}

/// Tells a map by its keys for an event.
fn event(value: &Value, is_first: bool) -> Option<Found> {
    if traces::is_traced(value) {
        let which = if is_first { "first entry" } else { "entry" };
        let reason =
            format!("its {which} is a `trace` or `trace.span`, as the OpenAI Agents SDK exports them");
        return Some(Found { format: Format::Traces, is_certain: true, reason });
    }
    let which = if is_first { "first record" } else { "record" };
    if let Some(found) = marks::detect_entry(value, is_first).or_else(|| session(value, which)) {
        return Some(found);
    }
    let kind = value.get("type")?.as_str()?;
    let is_known = qbit::is_known(kind);
    let which = if is_first { "first event" } else { "event" };
    let found = |is_certain, reason| Some(Found { format: Format::Qbit, is_certain, reason });
    if value.get("_timestamp").is_some() {
        let reason = match is_known {
            true => format!("its {which}, `{kind}`, has `_timestamp` and `type` as those of qbit have"),
            false => "its first entry has `_timestamp` and `type`, as the events of qbit have".to_owned(),
        };
        return found(is_known, reason);
    }
    let is_envelope = value.get("seq").is_some_and(Value::is_u64) && value.get("ts").is_some();
    if is_known && is_envelope {
        return found(true, format!("its {which}, `{kind}`, has `seq`, `ts` and `type`, as qbit sends them"));
    }
    None
}

/// Tells a record of a coding agent's session by its keys; those of qbit's events are no others'.
fn session(value: &Value, which: &str) -> Option<Found> {
    if value.get("_timestamp").is_some() {
        return None;
    }
    if let Some(kind) = codex::exec::looks_so(value) {
        let reason = format!("its {which} is `{kind}`, as `codex exec --json` prints them");
        return Some(Found { format: Format::Codex, is_certain: true, reason });
    }
    if let Some(is_certain) = codex::looks_so(value) {
        let reason = match is_certain {
            true => format!("its {which} has `timestamp`, `type` and `payload`, as those of Codex have"),
            false => {
                "it begins with the `id`, `timestamp` and `instructions` of a session of Codex".to_owned()
            }
        };
        return Some(Found { format: Format::Codex, is_certain, reason });
    }
    if let Some(is_certain) = claude::looks_so(value) {
        let reason = match is_certain {
            true => format!("its {which} has the `type` and the keys that those of Claude Code have"),
            false => format!("its {which} has `type` and `sessionId`, as those of Claude Code have"),
        };
        return Some(Found { format: Format::ClaudeCode, is_certain, reason });
    }
    None
}

fn http(root: &Node) -> Option<Found> {
    let style = cassette::style(root)?;
    let reason = match style {
        Style::Vcr => {
            "it has `interactions`, each a `request` with its `response`, as the cassettes of VCR.py have"
        }
        Style::RubyVcr => "it has `http_interactions`, as the cassettes of VCR for Ruby have",
        Style::Nock => {
            "its entries have `scope`, `method`, `path` and `status`, as the recordings of nock have"
        }
        Style::Har => "it has `log` with `entries`, each a `request` with its `response`, as HAR has",
    };
    let reason = match cassette::requests(root, style) {
        (all @ 1.., 0) => format!("{reason}; none of its {all} requests is sent to an address that is read"),
        _ => reason.to_owned(),
    };
    Some(Found { format: Format::Http, is_certain: true, reason })
}

fn chat(root: &Node) -> Option<Found> {
    chats::classify_root(root).map(|found| from_chat(found, false))
}

fn from_chat(found: chats::Found, is_lines: bool) -> Found {
    let (format, reason) = match found {
        chats::Found::Examples => (
            Format::Examples,
            match is_lines {
                true => "its lines have `messages`, as examples for training have",
                false => "it has a conversation as examples for training have it",
            },
        ),
        chats::Found::Of(Protocol::Chat) => {
            (Format::Chat, "every message is a map with a `role`, as chat APIs have it")
        }
        chats::Found::Of(Protocol::Responses) => {
            (Format::Responses, "it has items of the kinds that OpenAI's Responses have")
        }
        chats::Found::Of(Protocol::Anthropic) => {
            (Format::Anthropic, "it has `system`, tools or blocks as Anthropic's Messages have")
        }
    };
    Found { format, is_certain: true, reason: reason.to_owned() }
}

fn rules(root: &Node) -> Option<Found> {
    let reason = "it has `fixtures`, each a `match` with its `response`, as those of aimock have";
    let found = Found { format: Format::Fixtures, is_certain: true, reason: reason.to_owned() };
    fixtures::is_fixtures(root).then_some(found)
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
