//! The rollouts of Codex: one record a line under `~/.codex/sessions`, each with a `timestamp`, a `type` and a `payload`.
//!
//! Two logs are in one: the items that the model was sent and answered, and the events that were shown. Most
//! events repeat an item, so a run is made of the items and of the events that no item repeats. Releases
//! before September 2025 wrote items alone, without an envelope, and those of spring 2025 one document a
//! session. [`exec`] reads the other stream, which `codex exec --json` prints.

pub(super) mod documents;
mod events;
pub(super) mod exec;
mod format;
mod mirror;
mod sessions;

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::conversation::ToolOutcome;
use super::files::{LogFile, run_name, stem};
use super::items::{self, At, Item, ResponseBuilder};
use super::records::Records;
use super::report::Imported;
use super::steps::{Step, build_conversation};
use super::values::{self, Entry};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{JsonMap, Set, Span, Table, json};
use crate::time::moment;
use crate::wire::Message;
use crate::write::Entries;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use mirror::EventMirror;
use sessions::Session;

/// The other known kinds of records, apart from those of items.
const KINDS: [&str; 7] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "world_state",
    "inter_agent_communication",
];

/// Kinds of items that are not part of a conversation.
const ITEMS: [&str; 5] =
    ["ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other"];

/// The begin of messages that the program, not a person, adds to requests.
const SCAFFOLD: [&str; 9] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<collaboration_mode>",
    "<skills_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions for ",
];

/// A file of rollouts, read.
#[derive(Debug)]
pub(super) struct Rollouts {
    /// The ids of the sessions in it, each with the first words of the user.
    pub sessions: Vec<(String, String)>,
    all: Vec<Session>,
    /// The records of sessions without any content.
    silent: Vec<Record>,
    log: Records,
}

struct Reader {
    steps: Vec<Step>,
    gathered: Option<ResponseBuilder>,
    /// The place of the last answer among the steps.
    answer: Option<usize>,
    model: Option<String>,
    /// The settings of the turn, until an answer has them.
    context: Option<(u32, Value)>,
    session: Option<Map<String, Value>>,
    mirror: EventMirror,
    /// The items that `codex exec` printed as completed, by their ids.
    done: Table<String, VecDeque<Value>>,
    /// Calls that have begun and are not completed.
    begun: Set<String>,
    /// The calls so far, and results that precede their calls, by call id.
    called: Set<String>,
    early: Table<String, (Message, Record)>,
    log: Records,
    unknown: Set<String>,
}

/// A record without its envelope.
#[derive(Clone, Debug)]
struct Record {
    line: u32,
    span: Span,
    kind: String,
    time: Option<Value>,
    payload: Value,
    raw: Value,
}

impl Record {
    fn from_entry(entry: Entry, is_first: bool) -> Self {
        let Entry { value: raw, span, line } = entry;
        let text = |key: &str| raw.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let has = |key: &str| raw.get(key).is_some();
        let (kind, payload) = match raw.get("payload") {
            Some(payload) => (text("type"), payload.clone()),
            // Before there was an envelope.
            None if Item::classify(&raw) != Item::Other => ("response_item".to_owned(), raw.clone()),
            None if has("record_type") => ("state".to_owned(), Value::Null),
            None if (is_first && has("id") && has("timestamp"))
                || (!has("type") && has("id") && (has("timestamp") || has("instructions"))) =>
            {
                ("session_meta".to_owned(), raw.clone())
            }
            None => (text("type"), Value::Null),
        };
        let time = raw.get("timestamp").filter(|time| !time.is_null()).cloned();
        Self { line, span, kind, time, payload, raw }
    }

    fn position(&self) -> At {
        let time = self.time.as_ref().and_then(moment).map(|moment| moment.text);
        At { line: self.line, span: self.span, time }
    }

    /// The kind within the kind.
    fn inner(&self) -> &str {
        self.payload.get("type").and_then(Value::as_str).unwrap_or_default()
    }

    fn name(&self) -> String {
        match self.inner() {
            "" => self.kind.clone(),
            inner if self.kind == "event_msg" || self.kind == "response_item" => inner.to_owned(),
            _ => self.kind.clone(),
        }
    }
}

/// Reads a rollout, or several one behind the other.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"timestamp":"2026-05-01T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}}
/// {"timestamp":"2026-05-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello!"}]}}"#;
/// let read = read_as("codex", &[LogFile { path: "rollout.jsonl", text }]).unwrap();
/// assert_eq!(read.names, [("session-1".to_owned(), "Hi".to_owned())]);
/// assert_eq!(read.imported(Some(0)).transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn codex(file: &LogFile<'_>) -> Rollouts {
    let (entries, mut log) = documents::read(file).unwrap_or_else(|| {
        let mut values = values::read(file.text);
        let log = Records::from_values(file, &mut values);
        (documents::split_documents(file.text, &mut values), log)
    });
    let records = entries.into_iter().enumerate().map(|(at, entry)| Record::from_entry(entry, at == 0));
    let records = sessions::in_order(records.collect(), &mut log.diagnostics);
    let (all, silent) = sessions::split_sessions(records, &mut log.diagnostics);
    let sessions = all.iter().map(|one| (one.name.clone(), one.words.clone())).collect();
    Rollouts { sessions, all, silent, log }
}

impl Rollouts {
    /// One of the sessions as a transcript; an empty one for none.
    pub(super) fn imported(&mut self, chosen: Option<usize>) -> Imported {
        let Self { sessions, all, silent, log } = self;
        let (silent, mut log) = (silent.clone(), log.clone());
        let Session { records, again, .. } =
            chosen.and_then(|at| all.get_mut(at)).map(std::mem::take).unwrap_or_default();
        let entries = records.len() + again.len() + silent.len();
        log.report.streamed.extend(again);
        let mut reader = Reader {
            steps: Vec::new(),
            gathered: None,
            answer: None,
            model: None,
            context: None,
            session: None,
            mirror: EventMirror::from_records(&records),
            done: exec::completed_items(&records),
            begun: Set::new(),
            called: Set::new(),
            early: Table::new(),
            log,
            unknown: Set::new(),
        };
        let created = records.iter().find_map(|record| record.position().time);
        for record in records {
            reader.record(record);
        }
        reader.flush();
        for (message, record) in std::mem::take(&mut reader.early).into_values() {
            reader.add_message(message, ToolOutcome::default(), &record);
        }
        reader.keep_context();
        for record in silent {
            reader.keep_unmapped(record);
        }
        let Reader { steps, session, mut log, .. } = reader;
        log.report.entries = entries;
        let conversation = build_conversation(steps, &mut log);
        let several = chosen.filter(|_| sessions.len() > 1).and_then(|at| sessions.get(at));
        let name = match stem(&log.report.path) {
            "" => session.as_ref().and_then(|session| session.get("id")?.as_str().map(str::to_owned)),
            _ => run_name(&log.report.path, several.map(|(name, _)| name.as_str())),
        };
        let own = Entries::default().with("session", session.map(Value::Object));
        let metadata = log.metadata(name, created.as_deref(), "codex", own);
        log.imported(conversation.transcript(metadata))
    }
}

impl Reader {
    fn mark_used(&mut self, record: &Record) {
        self.log.mark_used(record.line);
    }

    fn keep_unmapped(&mut self, record: Record) {
        let name = record.name();
        self.log.keep_value(record.line, &name, record.raw);
    }

    fn diagnose(
        &mut self,
        record: &Record,
        code: &'static str,
        severity: Severity,
        message: String,
        help: &str,
    ) {
        self.log.diagnostics.push(Diagnostic::new(code, severity, record.span, message).help(help));
    }

    /// Reports an unknown kind, once.
    fn diagnose_unknown_kind(&mut self, record: &Record, kind: String, message: String) {
        if self.unknown.insert(kind) {
            let help = "all of this type are kept in `metadata`";
            self.diagnose(record, codes::LOG_EVENT, Severity::Warning, message, help);
        }
    }

    /// Ends the answer that is being gathered.
    fn flush(&mut self) {
        let Some(gathered) = self.gathered.take() else { return };
        let mut about = Map::new();
        if let Some((line, context)) = self.context.take() {
            self.log.mark_used(line);
            about.put("turn_context", context);
        }
        self.answer = Some(self.steps.len());
        let calls = if self.early.is_empty() { Vec::new() } else { gathered.calls() };
        self.steps.push(gathered.into_step(self.model.clone(), about));
        for id in calls {
            if let Some((message, record)) = self.early.remove(&id) {
                self.add_message(message, ToolOutcome::default(), &record);
            }
        }
    }

    /// Keeps the settings of a turn without an answer.
    fn keep_context(&mut self) {
        if let Some((line, context)) = self.context.take() {
            self.log.keep_value(line, "turn_context", context);
        }
    }

    fn add_message(&mut self, message: Message, tool_outcome: ToolOutcome, record: &Record) {
        self.flush();
        self.mark_used(record);
        self.steps.push(items::message_step(message, tool_outcome, record.position()));
    }

    /// Adds the result of a call; one that precedes its call is kept until the call comes.
    fn answer_to(&mut self, message: Message, record: Record) {
        let id = message.tool_call_id.clone().unwrap_or_default();
        let is_early =
            self.mirror.is_called(&id) && !self.called.contains(&id) && !self.early.contains_key(&id);
        if !is_early {
            return self.add_message(message, ToolOutcome::default(), &record);
        }
        let warning = format!("the result of the call `{id}` comes before the call");
        self.diagnose(
            &record,
            codes::LOG_PAIR,
            Severity::Warning,
            warning,
            "in the run it comes after the call",
        );
        self.early.insert(id, (message, record));
    }

    fn record(&mut self, record: Record) {
        match record.kind.as_str() {
            "session_meta" if self.session.is_none() => self.session(&record),
            "turn_context" => self.turn(&record),
            "response_item" => self.item(record),
            "event_msg" => self.event(record),
            "compacted" => self.compacted(record),
            kind if exec::KINDS.contains(&kind) => self.exec(record),
            kind => {
                if !KINDS.contains(&kind) && kind != "state" {
                    let message = match kind {
                        "" => "this record has no `type`".to_owned(),
                        kind => format!("unknown record type `{kind}`"),
                    };
                    let kind = kind.to_owned();
                    self.diagnose_unknown_kind(&record, kind, message);
                }
                self.keep_unmapped(record);
            }
        }
    }

    fn session(&mut self, record: &Record) {
        let mut session = record.payload.as_object().cloned().unwrap_or_default();
        session.retain(|_, value| !value.is_null());
        session.put("line", record.line.into());
        if let Some(time) = record.time.clone() {
            session.entry("timestamp").or_insert(time);
        }
        let base =
            session.get("base_instructions").and_then(|base| base.get("text")?.as_str()).map(str::to_owned);
        self.session = Some(session);
        self.mark_used(record);
        if let Some(content) = base.filter(|content| !content.is_empty()) {
            if let Some(session) = &mut self.session {
                session.shift_remove("base_instructions");
            }
            let others = Entries::default().with("line", Value::from(record.line)).0;
            let message = Message { others, ..Message::new("system", content) };
            let at = At { time: None, ..record.position() };
            self.steps.push(items::message_step(message, ToolOutcome::default(), at));
        }
    }

    fn turn(&mut self, record: &Record) {
        self.flush();
        self.keep_context();
        let mut context = record.payload.clone();
        if let Some(context) = context.as_object_mut() {
            context.retain(|_, value| !value.is_null());
            if let Some(Value::String(model)) = context.get("model") {
                self.model = Some(model.clone());
            }
            context.put("line", record.line.into());
            if let Some(time) = &record.time {
                context.put("timestamp", time.clone());
            }
        }
        self.context = Some((record.line, context));
    }

    fn item(&mut self, record: Record) {
        match Item::classify(&record.payload) {
            Item::FromModel => {
                // With results for all its calls an answer is over.
                let calls =
                    self.gathered.as_ref().filter(|_| !self.early.is_empty()).map(ResponseBuilder::calls);
                if calls
                    .is_some_and(|all| !all.is_empty() && all.iter().all(|id| self.early.contains_key(id)))
                {
                    self.flush();
                }
                let at = record.position();
                self.called.extend(mirror::call(&record.payload).map(str::to_owned));
                self.gathered
                    .get_or_insert_with(|| ResponseBuilder::new(at.clone()))
                    .add(&record.payload, &at);
                self.mark_used(&record);
            }
            Item::Message => {
                let message = items::parse_message(&record.payload, record.line);
                let Some(message) =
                    message.filter(|message| !is_scaffold(&mirror::text_of_content(&message.content)))
                else {
                    return self.keep_unmapped(record);
                };
                self.add_message(message, ToolOutcome::default(), &record);
            }
            Item::Result => {
                let Some(mut message) = items::parse_message(&record.payload, record.line) else {
                    return self.keep_unmapped(record);
                };
                if let Some(id) = &message.tool_call_id {
                    for (line, about) in self.mirror.extra_call_events(id, &message.content) {
                        self.log.mark_used(line);
                        message.others.extend(about);
                    }
                }
                self.answer_to(message, record);
            }
            Item::Other => {
                let kind = record.inner().to_owned();
                if !ITEMS.contains(&kind.as_str()) {
                    let message = format!("unknown item type `{kind}`");
                    self.diagnose_unknown_kind(&record, kind, message);
                }
                self.keep_unmapped(record);
            }
        }
    }

    /// The history was replaced by a summary.
    fn compacted(&mut self, record: Record) {
        self.flush();
        let message = "the history was rebuilt here".to_owned();
        let help = "the run keeps the whole history; requests from here on start with the summary";
        self.diagnose(&record, codes::LOG_ENTRY, Severity::Info, message, help);
        let content =
            record.payload.get("message").and_then(Value::as_str).filter(|content| !content.is_empty());
        let Some(content) = content.map(str::to_owned) else { return self.keep_unmapped(record) };
        let mut others = record.payload.as_object().cloned().unwrap_or_default();
        others.shift_remove("message");
        others.retain(|_, value| !value.is_null());
        others.put("compacted", true.into());
        others.put("line", record.line.into());
        let message = Message { others, ..Message::new("user", content) };
        self.add_message(message, ToolOutcome::default(), &record);
    }
}

/// Whether a message was added by the program.
fn is_scaffold(text: &str) -> bool {
    let text = text.trim_start();
    SCAFFOLD.iter().any(|begin| text.starts_with(begin))
}

/// Whether a value is a record of a rollout, and whether no other format is similar.
fn record_certainty(value: &Value) -> Option<bool> {
    let kind = value.get("type").and_then(Value::as_str);
    let has = |key: &str| value.get(key).is_some();
    match kind {
        Some(kind) => (has("payload") && has("timestamp") && KINDS.contains(&kind)).then_some(true),
        None if value.get("record_type").is_some_and(|kind| kind == "state") => Some(true),
        // The first line of a release without envelopes.
        None => (has("id") && has("timestamp") && has("instructions")).then_some(false),
    }
}

/// An answer in the form of an event.
fn assistant_item(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}
