//! Sessions of agents that are lists of entries in order: messages, answers with their calls, and results. A format only says what
//! one entry is.

mod builder;

use serde_json::Value;

use super::files::{LogFile, unique_name};
use super::keys::{list, text};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::runs::{Refusal, Request, Runs};
use super::steps::{StepKind, build_conversation};
use super::values::Entry;
use crate::parse::Node;
use crate::text::Set;
use crate::write::Entries;
pub(super) use builder::{Answer, SessionBuilder, ToolResult, usage};

/// What an entry is for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A part of the run.
    Step,
    /// No part of the run; it is kept in the metadata.
    Other,
    /// It says nothing that other entries do not say.
    Repeated,
}

/// How sessions of a format are read.
#[derive(Debug)]
pub(super) struct SessionFormat {
    /// The name of the format in the metadata.
    pub name: &'static str,
    /// The key of the list of entries in a document; empty if each line is an entry.
    pub entries: &'static str,
    /// The key of the map that describes a document; empty if it describes itself.
    pub head: &'static str,
    /// The entries that are part of the conversation, in order: the chosen branch of a tree, the last version of each.
    pub choose: fn(Vec<Entry>) -> Branch,
    /// Reads one entry.
    pub read: fn(&Value, &mut SessionBuilder) -> Role,
}

/// The entries of a session, and those that were replaced or are on other branches.
#[derive(Debug, Default)]
pub(super) struct Branch {
    pub chosen: Vec<Entry>,
    pub others: Vec<Entry>,
}

/// All entries, in the order of the file.
pub(super) fn all(chosen: Vec<Entry>) -> Branch {
    Branch { chosen, others: Vec::new() }
}

/// The branch that the last entry ends, by the keys of an entry and its parent. Another branch begins where an entry has the
/// same parent as one of this branch; what is in no tree belongs to all branches.
pub(super) fn last_branch(entries: Vec<Entry>, id: &str, parent: &str) -> Branch {
    let key = |entry: &Entry, key: &str| text(&entry.value, key).map(str::to_owned);
    let (mut on_branch, mut forks) = (Set::new(), Set::new());
    let mut wanted = entries.iter().rev().find_map(|entry| key(entry, id));
    for entry in entries.iter().rev() {
        if wanted.is_some() && key(entry, id) == wanted {
            on_branch.insert(entry.span);
            wanted = key(entry, parent);
            forks.extend(wanted.clone());
        }
    }
    let mut branch = Branch::default();
    for entry in entries {
        let is_other = !on_branch.contains(&entry.span)
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
struct Session {
    head: Option<Entry>,
    branch: Branch,
}

impl SessionFormat {
    /// Reads the files of a request.
    pub(super) fn read_request<'t>(&'static self, request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
        let file = request.file();
        let (records, sessions) = self.sessions(&file);
        let mut seen = Set::new();
        let names = sessions.iter().enumerate().map(|(at, session)| {
            let head = session.head.as_ref().map(|head| &head.value);
            let id = head.and_then(|head| ["id", "sessionId"].iter().find_map(|key| text(head, key)));
            let id = id.map_or_else(|| format!("session-{}", at + 1), str::to_owned);
            (unique_name(id, at + 1, &mut seen), self.first_words(session))
        });
        let names: Vec<_> = names.collect();
        Ok(Runs::new(request, names, move |chosen| {
            self.import(records, chosen.and_then(|at| sessions.into_iter().nth(at)))
        }))
    }

    fn sessions(&self, file: &LogFile<'_>) -> (Records, Vec<Session>) {
        let mut records = Records::read(file);
        let roots = std::mem::take(&mut records.roots);
        let entries =
            |records: &Records, nodes: &[Node]| nodes.iter().map(|node| records.entry(node)).collect();
        if self.entries.is_empty() {
            let branch = (self.choose)(entries(&records, &roots));
            return (records, vec![Session { head: None, branch }]);
        }
        let session = |root: &Node| {
            let nodes = root.get(self.entries).map(Node::items).unwrap_or_default();
            let mut head = records.entry(root);
            if let Value::Object(map) = &mut head.value {
                map.shift_remove(self.entries);
                if let Some(described) = map.shift_remove(self.head) {
                    head.value = described;
                }
            }
            Session { head: Some(head), branch: (self.choose)(entries(&records, nodes)) }
        };
        let sessions = roots.iter().map(session).collect();
        (records, sessions)
    }

    /// The first line that the user wrote.
    fn first_words(&self, session: &Session) -> String {
        for entry in &session.branch.chosen {
            let mut builder = SessionBuilder::new(entry);
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
        let mut steps = Vec::new();
        for entry in &branch.chosen {
            let mut builder = SessionBuilder::new(entry);
            match (self.read)(&entry.value, &mut builder) {
                Role::Step => records.mark_used(entry.line),
                Role::Other => records.keep(entry, kind(&entry.value)),
                Role::Repeated => {
                    records.report.entries += 1;
                    records.report.streamed.push(entry.line);
                }
            }
            steps.extend(builder.steps);
        }
        for entry in &branch.others {
            records.keep(entry, kind(&entry.value));
        }
        let created = steps.iter().find_map(|step| step.time.clone());
        let conversation = build_conversation(steps, &mut records);
        let head =
            head.map(|head| head.value).filter(|head| head.as_object().is_some_and(|map| !map.is_empty()));
        let title = head.as_ref().and_then(|head| text(head, "title")).unwrap_or_default();
        let name = records.name_or_file(title);
        let own = Entries::default().with("session", head);
        let metadata = records.metadata(name, created.as_deref(), self.name, own);
        records.imported(conversation.transcript(metadata))
    }
}

fn kind(entry: &Value) -> &str {
    text(entry, "type").or_else(|| text(entry, "role")).unwrap_or_default()
}

/// The parts of none of these types, which `metadata` keeps with the message.
pub(super) fn other_parts(entry: &Value, parts: &str, known: &[&str]) -> Option<(String, Value)> {
    let is_other = |part: &&Value| text(part, "type").is_none_or(|kind| !known.contains(&kind));
    let others: Vec<Value> = list(entry, parts).iter().filter(is_other).cloned().collect();
    (!others.is_empty()).then(|| (parts.to_owned(), Value::Array(others)))
}

/// The texts of parts with that type, a line each; `key` is the key of the text.
pub(super) fn joined(content: &Value, parts: &str, kind: &str, key: &str) -> String {
    let texts = list(content, parts).iter().filter(|part| text(part, "type") == Some(kind));
    let texts: Vec<&str> = texts.filter_map(|part| text(part, key)).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
