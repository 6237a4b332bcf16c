//! Sessions of agents that are lists of entries in order: messages, answers with their calls, and results. A format only says what
//! one entry is.

mod builder;
mod forms;
mod sections;

use serde_json::{Map, Value};

use super::files::unique_name;
use super::keys::{list, non_null_except, text};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::runs::{Refusal, Request, Runs};
use super::steps::{StepKind, build_conversation};
use super::values::Entry;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{Set, Span, text_or_json};
use crate::write::Entries;
pub(super) use builder::{Answer, SessionBuilder, ToolResult, from_milliseconds, total, usage};
pub(super) use forms::{blocks, calls, chat_message, detected, parts, plain, response};
pub(super) use sections::{Sections, lines, one};

/// What an entry is for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A part of the run.
    Step,
    /// It describes the session; the `head` of the builder has all of it.
    Head,
    /// No part of the run; it is kept in the metadata.
    Other,
}

/// How sessions of a format are read.
#[derive(Debug)]
pub(super) struct SessionFormat {
    /// The name of the format in the metadata.
    pub name: &'static str,
    /// The key of the list of entries in a document; empty if each line is an entry. In files of documents, most values at the
    /// top have it; in all others each value at the top is an entry.
    pub entries: &'static str,
    /// The key of the map that describes a document; empty if it describes itself.
    pub head: &'static str,
    /// Whether results of calls are in the files.
    pub has_results: bool,
    /// The entries that are part of the conversation, in order: the chosen branch of a tree, the last version of each.
    pub choose: fn(Vec<Entry>) -> Branch,
    /// The conversations in a text that is no JSON.
    pub split: Option<fn(&str) -> Vec<TextSession>>,
    /// Reads one entry.
    pub read: fn(&Value, &mut SessionBuilder) -> Role,
    /// Completes a session after its last entry.
    pub end: fn(&mut SessionBuilder),
}

/// What a conversation in a text says of itself, and its entries.
pub(super) type TextSession = (Map<String, Value>, Vec<Entry>);

/// The entries of a session.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// The current branch.
    pub chosen: Vec<Entry>,
    /// Those that were replaced, or are on other branches.
    pub others: Vec<Entry>,
    /// The lines of those whose content the chosen ones have.
    pub repeated: Vec<u32>,
}

/// All entries, in the order of the file.
pub(super) fn all(chosen: Vec<Entry>) -> Branch {
    Branch { chosen, ..Branch::default() }
}

/// The branch that the last entry ends, by the keys of an entry and its parent. Another branch begins where an entry has the
/// same parent as one of this branch; what is in no tree belongs to all branches.
pub(super) fn last_branch(entries: Vec<Entry>, id: &str, parent: &str) -> Branch {
    let key = |entry: &Entry, key: &str| text(&entry.value, key).map(str::to_owned);
    let (mut on_branch, mut forks) = (Set::new(), Set::new());
    let mut wanted = entries.iter().rev().find_map(|entry| key(entry, id));
    for entry in entries.iter().rev() {
        if wanted.is_some() && key(entry, id) == wanted {
            on_branch.extend(wanted.clone());
            wanted = key(entry, parent);
            forks.extend(wanted.clone());
        }
    }
    let mut branch = Branch::default();
    for entry in entries {
        let is_other = !key(&entry, id).is_some_and(|id| on_branch.contains(&id))
            && key(&entry, parent).is_some_and(|parent| forks.contains(&parent));
        if is_other {
            forks.extend(key(&entry, id));
            branch.others.push(entry);
        } else {
            branch.chosen.push(entry);
        }
    }
    branch
}

/// One session of a file.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// What its document says of it.
    pub head: Map<String, Value>,
    pub branch: Branch,
}

impl Session {
    /// A session of a map: the entries are the items of the list, or the values of the map, under a key.
    pub(super) fn from_node(records: &Records, root: &Node, key: &str) -> Self {
        let list = root.get(key);
        let mut nodes: Vec<&Node> = list.into_iter().flat_map(|list| list.items()).collect();
        nodes.extend(list.into_iter().flat_map(|list| list.entries()).map(|entry| &entry.value));
        let chosen = nodes.into_iter().map(|node| records.entry(node)).collect();
        Self { head: non_null_except(&root.to_value(), &[key]), branch: all(chosen) }
    }
}

/// The keys of the name of a session.
const NAMES: [&str; 9] =
    ["sessionId", "composerId", "id", "instance_id", "started", "uuid", "conversation_id", "task_id", "name"];

impl SessionFormat {
    /// A format whose lines are entries, which all belong to the run.
    pub(super) const BASE: Self = Self {
        name: "",
        entries: "",
        head: "",
        has_results: true,
        choose: all,
        split: None,
        read: |_, _| Role::Other,
        end: |_| {},
    };

    /// Reads the files of a request.
    pub(super) fn read_request<'t>(&'static self, request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
        self.read_parts(request, |records, roots| self.sessions(records, roots))
    }

    /// The same for files whose values at the top are divided into sessions in another way.
    pub(super) fn read_parts<'t>(
        &'static self,
        request: &Request<'t>,
        parts: impl Fn(&Records, &[Node]) -> Vec<Session>,
    ) -> Result<Runs<'t>, Refusal> {
        let file = request.file();
        let (records, mut sessions) = match self.split {
            Some(split) => {
                let mut records = Records::new(file.path, file.text);
                records.report.layout = "lines".into();
                let session = |(head, entries)| Session { head, branch: (self.choose)(entries) };
                (records, split(file.text).into_iter().map(session).collect())
            }
            None => {
                let mut records = Records::read(&file);
                let roots = std::mem::take(&mut records.roots);
                let sessions = parts(&records, &roots);
                (records, sessions)
            }
        };
        let mut seen = Set::new();
        let names = sessions.iter().enumerate().map(|(at, session)| {
            let named = NAMES.iter().find_map(|key| session.head.get(*key));
            let id = named.filter(|id| id.is_string() || id.is_number()).map(text_or_json);
            let id = id.unwrap_or_else(|| format!("session-{}", at + 1));
            (unique_name(id, at + 1, &mut seen), self.first_words(session))
        });
        let names: Vec<_> = names.collect();
        Ok(Runs::new(request, names, move |chosen| {
            self.import(records.clone(), chosen.and_then(|at| sessions.get_mut(at)).map(std::mem::take))
        }))
    }

    fn sessions(&self, records: &Records, roots: &[Node]) -> Vec<Session> {
        let documents = roots.iter().filter(|root| root.get(self.entries).is_some()).count();
        if documents * 2 <= roots.len() {
            let branch = (self.choose)(roots.iter().map(|node| records.entry(node)).collect());
            return vec![Session { head: Map::new(), branch }];
        }
        let session = |root: &Node| {
            let Session { mut head, branch } = Session::from_node(records, root, self.entries);
            if let Some(Value::Object(described)) = head.get(self.head).cloned() {
                head.shift_remove(self.head);
                head.extend(described);
            }
            Session { head, branch: (self.choose)(branch.chosen) }
        };
        roots.iter().map(session).collect()
    }

    /// The first line that the user wrote.
    fn first_words(&self, session: &Session) -> String {
        for entry in &session.branch.chosen {
            let mut builder = SessionBuilder::new(Map::new());
            (self.read)(&entry.value, &mut builder);
            let user = builder.steps.iter().find_map(|step| match &step.kind {
                StepKind::Message(message, _) if message.role == "user" => Some(&message.content),
                _ => None,
            });
            if user.is_some() {
                return preview::from_content(user);
            }
        }
        String::new()
    }

    fn import(&self, mut records: Records, session: Option<Session>) -> Imported {
        let Some(Session { head, branch }) = session else {
            let metadata = records.metadata(None, None, self.name, Entries::default());
            return records
                .imported(build_conversation(Vec::new(), &mut Records::new("", "")).transcript(metadata));
        };
        let begin = branch.chosen.first().map_or(Span::empty(0), |entry| entry.span);
        // What the reader of a database could not read.
        for why in ["unread_pages", "unread_checkpoint"].iter().filter_map(|key| head.get(*key)?.as_str()) {
            let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, begin, why.to_owned());
            records.diagnostics.push(found);
        }
        let mut builder = SessionBuilder::new(head);
        for entry in &branch.chosen {
            builder.begin(entry);
            match (self.read)(&entry.value, &mut builder) {
                Role::Step | Role::Head => records.mark_used(entry.line),
                Role::Other => records.keep(entry, kind(&entry.value)),
            }
        }
        for entry in &branch.others {
            records.keep(entry, kind(&entry.value));
        }
        records.report.entries += branch.repeated.len();
        records.report.streamed.extend(branch.repeated);
        builder.finish();
        (self.end)(&mut builder);
        let SessionBuilder { steps, head, why_empty, .. } = builder;
        if let Some(why) = why_empty.filter(|_| steps.is_empty()) {
            let found = Diagnostic::new(codes::NOTHING_UNDERSTOOD, Severity::Error, Span::empty(0), why);
            records.diagnostics.push(found.help("everything is kept in `metadata.recording`"));
        }
        let created = steps.iter().find_map(|step| step.time.clone());
        let conversation = build_conversation(steps, &mut records);
        if !self.has_results {
            records.diagnostics.retain(|found| found.code != codes::LOG_PAIR);
        }
        let title = head.get("title").or_else(|| head.get("name"));
        let title = title.and_then(Value::as_str).unwrap_or_default();
        let name = records.name_or_file(title);
        let own = Entries::default().with("session", (!head.is_empty()).then_some(Value::Object(head)));
        let metadata = records.metadata(name, created.as_deref(), self.name, own);
        records.imported(conversation.transcript(metadata))
    }
}

fn kind(entry: &Value) -> &str {
    text(entry, "type").or_else(|| text(entry, "role")).unwrap_or_default()
}

/// What the list of parts under a key has besides `taken` keys of parts of the known types, and all other parts, as an entry of
/// `metadata`. Without known types, all are known.
pub(super) fn other_parts(
    value: &Value,
    key: &str,
    known: &[&str],
    taken: &[&str],
) -> Option<(String, Value)> {
    let mut others = Vec::new();
    for part in list(value, key) {
        let is_known = known.is_empty() || text(part, "type").is_some_and(|kind| known.contains(&kind));
        if is_known && part.is_object() {
            let rest = non_null_except(part, taken);
            if rest.keys().any(|key| key != "type") {
                others.push(Value::Object(rest));
            }
        } else {
            others.push(part.clone());
        }
    }
    (!others.is_empty()).then(|| (key.to_owned(), Value::Array(others)))
}

/// The texts of parts with that type, a line each; `text_key` is the key of the text. A content that is a text is that text.
pub(super) fn joined(value: &Value, key: &str, kind: &str, text_key: &str) -> String {
    if let Some(content) = text(value, key).filter(|_| kind == "text") {
        return content.to_owned();
    }
    let texts = list(value, key).iter().filter(|part| text(part, "type") == Some(kind));
    let texts: Vec<&str> =
        texts.filter_map(|part| text(part, text_key)).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
