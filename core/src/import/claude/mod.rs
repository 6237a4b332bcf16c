//! The sessions of Claude Code: one record a line under `~/.claude/projects`, with messages in the form of
//! Anthropic's Messages. The form is not documented and changes, so that an unknown kind is kept and
//! reported.
//!
//! Records are a tree, and a run is one conversation of it: the one with the latest message, unless another
//! one is chosen. The work of an agent called as a tool is a run in the result of its call.

mod agents;
mod answers;
mod format;
mod order;
mod record;
mod sessions;
mod steps;
mod tree;

use serde_json::{Map, Value};

use super::conversation::ToolOutcome;
use super::files::{LogFile, run_name};
use super::keys::non_null_except;
use super::records::Records;
use super::report::{FileReport, Imported, Report};
use super::steps::{build_inner_conversation, nested_result};
use super::unmapped::Unmapped;
use super::values::{self, Entry};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{JsonMap, Set, Table};
use crate::write::Entries;
use agents::Agents;
use answers::Answers;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use order::SortedRecords;
use record::Record;
use sessions::Sessions;

/// The maximum nesting depth of agent runs; deeper ones are kept in `metadata`.
const DEPTH: usize = 8;

/// The files of a session, or of several, read.
#[derive(Debug)]
struct ClaudeLog {
    /// The main file first.
    files: Vec<ReadFile>,
    unmapped: Unmapped,
    /// The ids of the sessions in the main file, each with the first words of the user.
    sessions: Vec<(String, String)>,
    /// The session of each record of the main file; `None` for those that may be of all.
    of: Vec<Option<usize>>,
    /// The session that is wanted, else the one with the latest message.
    chosen: usize,
}

/// The records of a file, in its order.
#[derive(Debug)]
struct ReadFile {
    report: Report,
    found: Vec<Diagnostic>,
    records: Vec<Record>,
}

/// A session, read.
#[derive(Debug)]
struct ClaudeSession {
    /// The ids of the records that its conversations end at, in the order of the file; more than one where a person
    /// went back and sent something else.
    pub ends: Vec<String>,
    /// The ids of all records of its conversations.
    pub ids: Vec<String>,
    /// The ids of the sessions that its conversations end in, where these are several.
    pub last: Vec<String>,
    /// The session as a transcript.
    pub imported: Imported,
}

/// Whether a file has records that are of no agent below a session; of several such files each is a session.
fn is_main(file: &LogFile<'_>) -> bool {
    !is_named_as_agent(file.path) && has_main(file.text)
}

/// Whether the path is that of an agent's file: it is in `subagents`, and in older releases begins with
/// `agent-`.
fn is_named_as_agent(path: &str) -> bool {
    let mut names = path.rsplit(['/', '\\']).filter(|name| !name.is_empty());
    let name = names.next().unwrap_or_default();
    name.starts_with("agent-") || names.next() == Some("subagents")
}

fn has_main(text: &str) -> bool {
    // Messages of an agent and of a session are marked with this key; other records do not have it.
    let mut lines = text.lines().filter(|line| line.contains("\"isSidechain\"")).take(64).peekable();
    let is_side = |line: &str| {
        let plain: String = line.chars().filter(|letter| *letter != ' ').collect();
        plain.contains("\"isSidechain\":true")
    };
    lines.peek().is_none() || !lines.all(is_side)
}

struct RunAssembler<'r> {
    records: &'r [Record],
    common: &'r Map<String, Value>,
    agents: Agents,
    answers: Answers,
    is_used: Vec<bool>,
    found: Vec<Vec<Diagnostic>>,
    results: Vec<Value>,
}

impl ClaudeLog {
    /// Reads the files of a session and of its agents; `wanted` is the id of the last record of a conversation,
    /// of its last session, or of one of several sessions in the file.
    ///
    /// ```
    /// use transcript_core::import::{LogFile, read_as};
    /// let text = r#"{"type":"user","sessionId":"s","uuid":"a","parentUuid":null,"message":{"role":"user","content":"Hi"}}
    /// {"type":"assistant","uuid":"b","parentUuid":"a","message":{"role":"assistant","id":"m","content":[{"type":"text","text":"Hello!"}]}}"#;
    /// let read = read_as("claude-code", &[LogFile { path: "s.jsonl", text }]).unwrap();
    /// assert_eq!(read.names, [("b".to_owned(), "Hi".to_owned())]);
    /// assert_eq!(read.imported(None).transcript["execution"][0]["llm_response"]["content"], "Hello!");
    /// ```
    fn read(files: &[LogFile<'_>], wanted: Option<&str>) -> Self {
        let first = files.iter().position(is_main).unwrap_or(0);
        let mut unmapped = Unmapped::default();
        let mut read = Vec::new();
        for at in 0..files.len() {
            // The main file comes before the others.
            let place = if at == 0 { first } else { at - usize::from(at <= first) };
            let Some(file) = files.get(place) else { continue };
            let mut values = values::read(file.text);
            if let Some(entries) = recorded_entries(file, &values) {
                values.entries = entries;
            }
            let report = unmapped.start_report(at, file, &values);
            let records = values.entries.into_iter().map(|entry| Record::from_entry(entry, at)).collect();
            read.push(ReadFile { report, found: values.diagnostics, records });
        }
        let files = read;
        let records = files.first().map_or(&[][..], |main| &main.records);
        let several = Sessions::find(records);
        let chosen = several.chosen(records, wanted).unwrap_or_default();
        Self { files, unmapped, sessions: several.names, of: several.of, chosen }
    }

    /// One of several sessions; of a single one, a conversation, for which the files have to be read anew each time.
    /// Without a wanted one, that is the conversation with the latest message.
    fn session(&mut self, at: usize, wanted: Option<&str>) -> ClaudeSession {
        let Self { files, unmapped, sessions, of, .. } = self;
        let mut unmapped = unmapped.clone();
        let name = sessions.get(at).filter(|_| sessions.len() > 1).map(|(name, _)| name.as_str());
        // The records of the main file come first.
        let mut of = of.iter();
        let (mut reports, mut found): (Vec<Report>, Vec<Vec<Diagnostic>>) = (Vec::new(), Vec::new());
        let mut records: Vec<Record> = Vec::new();
        for (number, file) in files.iter_mut().enumerate() {
            let (mut report, mut own) = (file.report.clone(), file.found.clone());
            let all: Vec<Record> = match name {
                Some(_) => {
                    let is_own = |_: &&Record| of.next().copied().flatten().is_none_or(|of| of == at);
                    file.records.iter().filter(is_own).cloned().collect()
                }
                None => std::mem::take(&mut file.records),
            };
            report.entries = all.len();
            let SortedRecords { records: all, again, others } = order::ordered(all, &mut own);
            report.streamed.extend(again);
            for record in others {
                unmapped.keep(&mut report, number, record.line, &record.kind, record.raw);
            }
            reports.push(report);
            found.push(own);
            records.extend(all);
        }
        // A file of nothing but an agent's records is a run of its own.
        let is_named = reports.first().is_some_and(|file| is_named_as_agent(&file.path));
        let is_of_session =
            |record: &Record| record.file == 0 && record.message().is_some() && !record.is_side();
        let is_agent = is_named || !records.iter().any(is_of_session);
        let is_main: Vec<bool> =
            records.iter().map(|record| record.file == 0 && (is_agent || !record.is_side())).collect();
        let tree::Chosen { members, leaves, broken, mut answers } =
            tree::choose(&records, is_main.clone(), wanted);
        let agents = Agents::find(&records, &is_main);
        for agent in &agents.all {
            answers.join_agent(&records, &agent.members);
        }
        let common = common(&records);
        let mut assembler = RunAssembler {
            records: &records,
            common: &common,
            agents,
            answers,
            is_used: vec![false; records.len()],
            found,
            results: Vec::new(),
        };
        assembler.diagnose_branches(&members, leaves.len(), &broken, &is_main);
        let conversation = assembler.build_conversation(&members, DEPTH);
        let RunAssembler { is_used, mut found, agents, results, .. } = assembler;
        unmapped.results = results;
        for (agent, _) in agents.all.iter().zip(&agents.is_used).filter(|(_, is_used)| !**is_used) {
            let first = agent.members.first().and_then(|at| records.get(*at));
            if let Some((record, found)) = first.and_then(|one| Some((one, found.get_mut(one.file)?))) {
                let message = "no call started this agent".to_owned();
                let note = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, record.span, message);
                found.push(note.help("its records are kept in `metadata`"));
            }
        }
        diagnose_unknown_kinds(&records, &mut found);
        let created = members.first().and_then(|at| records.get(*at)?.time());
        let name = title(&records).or_else(|| run_name(&reports.first()?.path, name));
        let is_message_record =
            |(record, is_main): &(&Record, &bool)| **is_main && record.message().is_some();
        let messages = records.iter().zip(&is_main).filter(is_message_record);
        let ids = messages.filter_map(|(record, _)| record.text("uuid").map(str::to_owned)).collect();
        let named = leaves.iter().filter_map(|at| records.get(*at).and_then(sessions::id));
        let last: Set<&str> = named.collect();
        let last: Vec<String> =
            last.iter().filter(|_| last.len() > 1).map(|name| (*name).to_owned()).collect();
        let ends = leaves.iter().filter_map(|at| records.get(*at)?.text("uuid").map(str::to_owned)).collect();
        for (record, is_used) in records.into_iter().zip(is_used) {
            let Some(report) = reports.get_mut(record.file) else { continue };
            match is_used {
                true => report.used.push(record.line),
                false => unmapped.keep(report, record.file, record.line, &record.kind, record.raw),
            }
        }
        let mut own = Entries::default().with("format", Value::from("claude-code"));
        own.put("session", (!common.is_empty()).then(|| Value::Object(common.clone())));
        let names: Vec<&str> = reports.iter().skip(1).map(|file| file.path.as_str()).collect();
        own.put("files", (!names.is_empty()).then(|| names.into()));
        unmapped.write_to(&mut own);
        let metadata = Entries::default()
            .with("name", name.filter(|name| !name.is_empty()).map(Value::from))
            .with("created", created.map(Value::from))
            .with("recording", own.into_value());
        let files = reports.into_iter().zip(found);
        let files = files.map(|(report, diagnostics)| FileReport::sorted(report, diagnostics)).collect();
        ClaudeSession {
            ends,
            ids,
            last,
            imported: Imported { files, transcript: conversation.transcript(metadata.into_value()) },
        }
    }
}

/// The values of the first record that most records share.
fn common(records: &[Record]) -> Map<String, Value> {
    let mut out = Map::new();
    for key in record::COMMON {
        let value = records.iter().find_map(|record| record.raw.get(key)).filter(|value| !value.is_null());
        out.put_some(key, value.cloned());
    }
    out
}

/// The title of the session: by a person, else by an agent or the program.
fn title(records: &[Record]) -> Option<String> {
    let kinds = [
        ("custom-title", "customTitle"),
        ("agent-name", "agentName"),
        ("ai-title", "aiTitle"),
        ("summary", "summary"),
    ];
    kinds.into_iter().find_map(|(kind, key)| {
        let named = records.iter().rev().find(|record| record.kind == kind && record.text(key).is_some());
        named?.text(key).map(str::to_owned)
    })
}

/// Reports each unknown kind of record, once.
fn diagnose_unknown_kinds(records: &[Record], found: &mut [Vec<Diagnostic>]) {
    let mut known: Table<&str, (&Record, usize)> = Table::new();
    for record in records.iter().filter(|record| record.message().is_none() && !record.is_known()) {
        known.entry(&record.kind).or_insert((record, 0)).1 += 1;
    }
    for (kind, (record, count)) in known.iter() {
        let Some(found) = found.get_mut(record.file) else { continue };
        let (code, message) = match (*kind, record.raw.is_object()) {
            (_, false) => (codes::LOG_ENTRY, "record: expected a map".to_owned()),
            ("", _) => (codes::LOG_ENTRY, "this record has no `type`".to_owned()),
            ("user" | "assistant", _) => (codes::LOG_ENTRY, format!("this `{kind}` has no message")),
            _ => (codes::LOG_EVENT, format!("unknown record type `{kind}`")),
        };
        let help = match count {
            1 => "it is kept in `metadata`".to_owned(),
            count => format!("it and {} more of this type are kept in `metadata`", count - 1),
        };
        found.push(Diagnostic::new(code, Severity::Warning, record.span, message).help(help));
    }
}

impl RunAssembler<'_> {
    /// The run of some records.
    fn build_conversation(&mut self, members: &[usize], depth: usize) -> super::conversation::Conversation {
        let all = self.records;
        let record = |at: &usize| Some((all.get(*at)?, self.answers.first_record(*at)));
        let records: Vec<(&Record, Option<usize>)> = members.iter().filter_map(record).collect();
        for at in members {
            if let Some(is_used) = self.is_used.get_mut(*at) {
                *is_used = true;
            }
        }
        let file = records.first().map_or(0, |(record, _)| record.file);
        let common = self.common;
        let mut found = Vec::new();
        let steps = steps::steps(&records, common, &mut found, &mut |call| self.agent_outcome(call, depth));
        let conversation = build_inner_conversation(steps, &mut self.results, &mut found);
        if let Some(all) = self.found.get_mut(file) {
            all.append(&mut found);
        }
        conversation
    }

    /// The run of the agent that carried out a call.
    fn agent_outcome(&mut self, call: &str, depth: usize) -> Option<ToolOutcome> {
        let at = if depth > 0 { self.agents.take(call)? } else { return None };
        let agent = self.agents.all.get(at)?;
        let (id, all) = (agent.id.clone(), agent.members.clone());
        let is_message_record = |at: &usize| self.records.get(*at).is_some_and(|one| one.message().is_some());
        let members: Vec<usize> = all.into_iter().filter(is_message_record).collect();
        let inner = self.build_conversation(&members, depth - 1);
        let id = Some(id.as_str()).filter(|id| !id.is_empty());
        let metadata = Entries::default().with("name", id.map(Value::from)).into_value();
        let result = nested_result(id, Value::Null, inner.transcript(metadata));
        Some(ToolOutcome { result: Some(result), ..ToolOutcome::default() })
    }

    /// Reports what is not part of the chosen conversation, and where a history was reassembled.
    fn diagnose_branches(&mut self, members: &[usize], ends: usize, broken: &[usize], is_main: &[bool]) {
        let all = self.records;
        let mut report = |at: usize, code, severity, message: String, help: &str| {
            if let Some((record, found)) =
                all.get(at).and_then(|one| Some((one, self.found.get_mut(one.file)?)))
            {
                found.push(Diagnostic::new(code, severity, record.span, message).help(help));
            }
        };
        let others = ends.saturating_sub(1);
        if let Some(last) = members.last().filter(|_| others > 0) {
            let more = if others == 1 {
                "one more conversation".to_owned()
            } else {
                format!("{others} more conversations")
            };
            let message = format!(
                "the session has {more}, because the user went back; the run is the one that ends here"
            );
            let help = "the others are kept in `metadata`; choose one by the `uuid` of its last record with `session`";
            report(*last, codes::LOG_ENTRY, Severity::Info, message, help);
        }
        if let Some(at) = broken.first() {
            let message = match broken.len() {
                1 => "the parent of this record is not in the file".to_owned(),
                count => {
                    format!("the parents of this record and {} more are not in the file", count - 1)
                }
            };
            report(
                *at,
                codes::LOG_PAIR,
                Severity::Warning,
                message,
                "the previous record is used as its parent",
            );
        }
        for (at, record) in all.iter().enumerate() {
            let is_boundary = record.raw.get("subtype").is_some_and(|subtype| subtype == "compact_boundary");
            if is_boundary && is_main.get(at) == Some(&true) {
                let message = "the history was rebuilt here".to_owned();
                let help = "the run keeps the whole history; requests from here on start with the summary";
                report(at, codes::LOG_ENTRY, Severity::Info, message, help);
            }
        }
    }
}

/// Whether a record has a message with its content.
fn is_message(value: &Value) -> bool {
    let message = value
        .get("message")
        .filter(|_| value.get("type").is_some_and(|kind| kind == "user" || kind == "assistant"));
    message.is_some_and(|message| {
        message.get("role").is_some_and(Value::is_string) && message.get("content").is_some()
    })
}

/// Whether a value is a recording of the messages that the Agent SDK and the program send each other.
fn is_recording(value: &Value) -> bool {
    value.get("messages").and_then(|all| all.get(0)).is_some_and(|first| {
        first.get("direction").is_some()
            && first.get("message").is_some_and(|message| message.get("type").is_some())
    })
}

/// The messages of such a recording, and what it says besides.
fn recorded_entries(file: &LogFile<'_>, values: &values::Values) -> Option<Vec<Entry>> {
    let (value, span, line) = match (values.entries.as_slice(), values.lost.as_slice()) {
        ([entry], _) => (&entry.value, entry.span, entry.line),
        // It is cut.
        ([], [piece]) => (piece.read.as_ref()?, piece.span, piece.line),
        _ => return None,
    };
    if !is_recording(value) {
        return None;
    }
    let mut records = Records::read(file);
    let roots = std::mem::take(&mut records.roots);
    let all = roots.first()?.get("messages")?.items().iter();
    let message = |one: &Node| {
        let mut entry = records.entry(one.get("message").unwrap_or(one));
        // What is sent names no session.
        let map =
            entry.value.as_object_mut().filter(|map| map.get("session_id").is_some_and(|id| id == "default"));
        map.map(|map| map.shift_remove("session_id"));
        entry
    };
    let mut out: Vec<Entry> = all.map(message).collect();
    let rest = non_null_except(value, &["messages"]);
    if !rest.is_empty() {
        out.insert(0, Entry { value: rest.into(), span, line });
    }
    Some(out)
}
