//! The Agent Trajectory Interchange Format of harbor, versions 1.0 to 1.8: the steps of a run in order, each
//! answer with its calls and their outcomes, and runs of other agents as separate trajectories.

mod diagnose;
mod format;
mod sessions;
mod step;

use serde_json::{Map, Value};

use super::conversation::Conversation;
use super::files::{LogFile, unique_name};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::steps::nested_result;
use super::values::Entry;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{JsonMap, Set, Table, json};
use crate::write::Entries;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};

/// The maximum nesting depth of trajectories; deeper ones are kept in `metadata`.
const DEPTH: usize = 8;

/// Trajectories, read.
#[derive(Debug)]
pub(super) struct Trajectories {
    /// The ids of the top-level trajectories, each with the user's first words or its agent.
    pub runs: Vec<(String, String)>,
    records: Records,
    /// The indexes of the top-level trajectories.
    own: Vec<usize>,
    all: Vec<Trajectory>,
    /// Entries that are no trajectory.
    unrecognized: Vec<Entry>,
}

/// One trajectory.
#[derive(Debug, Default)]
struct Trajectory {
    id: String,
    line: u32,
    places: diagnose::Places,
    /// All of it but its steps and the trajectories in it.
    head: Map<String, Value>,
    steps: Vec<Entry>,
    /// The trajectories nested in it, with their ids.
    inner: Vec<(String, usize)>,
    /// Agents with steps among its own, by agent id.
    aside: Table<String, usize>,
    /// The trajectory that contains these steps.
    host: Option<usize>,
}

/// Whether the format has this version.
fn is_version(version: &str) -> bool {
    version.starts_with("ATIF-v")
}

/// Reads a file of trajectories: one, or several on lines or in a list.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "coder", "version": "1"}, "steps": [
///     {"step_id": 1, "source": "user", "message": "Hi"}, {"step_id": 2, "source": "agent", "message": "Hello!"}]}"#;
/// let read = read_as("atif", &[LogFile { path: "trajectory.json", text }]).unwrap();
/// assert_eq!(read.names, [("s".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn trajectories(file: &LogFile<'_>) -> Trajectories {
    let records = Records::read(file);
    let mut out = Trajectories {
        runs: Vec::new(),
        records,
        own: Vec::new(),
        all: Vec::new(),
        unrecognized: Vec::new(),
    };
    let mut seen = Set::new();
    for root in std::mem::take(&mut out.records.roots) {
        if root.get("steps").is_none() && root.get("agent").is_none() {
            out.unrecognized.push(out.records.entry(&root));
            continue;
        }
        let at = out.read(&root, DEPTH);
        let Some(read) = out.all.get(at) else { continue };
        let agent = read.head.get("agent").and_then(|agent| agent.get("name")?.as_str());
        let first =
            read.steps.iter().find(|step| step.value.get("source").is_some_and(|source| source == "user"));
        let first = preview::from_content(first.and_then(|step| step.value.get("message")));
        let words = if first.is_empty() { agent.unwrap_or_default().to_owned() } else { first };
        let count = out.runs.len() + 1;
        let id = if read.id.is_empty() { format!("trajectory-{count}") } else { read.id.clone() };
        out.runs.push((unique_name(id, count, &mut seen), words));
        out.own.push(at);
    }
    let own = out.own.iter().filter_map(|at| out.all.get(*at)).map(|run| (&run.id, Some(run.places.id)));
    diagnose::diagnose_duplicates(
        own,
        "each is a separate run; this one has its number after its id",
        &mut out.records,
    );
    out
}

impl Trajectories {
    fn read(&mut self, node: &Node, depth: usize) -> usize {
        let lists = ["steps", "subagent_trajectories"];
        let head: Map<String, Value> = node
            .entries()
            .iter()
            .filter(|entry| !lists.contains(&&*entry.key.text) || entry.value.items().is_empty())
            .map(|entry| (entry.key.text.to_string(), entry.value.to_value()))
            .collect();
        let text = |key: &str| head.get(key).and_then(Value::as_str).map(str::to_owned);
        let id = text("trajectory_id").or_else(|| text("session_id")).unwrap_or_default();
        let line = self.records.lines.line(node.span.start as usize);
        let items = |key: &str| node.get(key).map(Node::items).unwrap_or_default();
        let steps = items("steps").iter().map(|step| self.records.entry(step)).collect();
        let (steps, aside) = self.split_agents(steps, line);
        let mut inner = Vec::new();
        for one in items("subagent_trajectories") {
            if depth == 0 || one.get("steps").is_none() {
                self.unrecognized.push(self.records.entry(one));
                continue;
            }
            let at = self.read(one, depth - 1);
            let id = self.all.get(at).map(|read| read.id.clone()).unwrap_or_default();
            inner.push((id, at));
        }
        let at = self.all.len();
        for agent in aside.values() {
            if let Some(agent) = self.all.get_mut(*agent) {
                agent.host = Some(at);
            }
        }
        let places = diagnose::Places::from_node(node);
        self.all.push(Trajectory { id, line, places, head, steps, inner, aside, host: None });
        at
    }

    /// Separates the steps of agents from those around them: each agent in a result is a run of its
    /// own.
    fn split_agents(&mut self, steps: Vec<Entry>, line: u32) -> (Vec<Entry>, Table<String, usize>) {
        let of = |step: &Entry| sessions::agent_of_step(&step.value).map(str::to_owned);
        if !steps.iter().any(|step| of(step).is_some()) {
            return (steps, Table::new());
        }
        let results = |step: &Entry| step.value.get("observation")?.get("results")?.as_array().cloned();
        let agents: Set<String> = steps
            .iter()
            .flat_map(|step| results(step).unwrap_or_default())
            .filter_map(|result| sessions::agent_of_result(&result).map(str::to_owned))
            .collect();
        let (mut own, mut aside) = (Vec::new(), Table::new());
        for step in steps {
            let Some(agent) = of(&step).filter(|agent| agents.contains(agent)) else {
                own.push(step);
                continue;
            };
            let at = *aside.entry(agent.clone()).or_insert_with(|| {
                let head = json!({"agent": {"name": agent}}).as_object().cloned().unwrap_or_default();
                self.all.push(Trajectory { id: agent.clone(), line, head, ..Trajectory::default() });
                self.all.len() - 1
            });
            if let Some(agent) = self.all.get_mut(at) {
                agent.steps.push(step);
            }
        }
        (own, aside)
    }

    /// One of the trajectories as a transcript.
    pub(super) fn imported(&self, chosen: Option<usize>) -> Imported {
        let Self { records, own, all, unrecognized, .. } = self;
        let mut records = records.clone();
        let mut assembler = RunAssembler { all, used: Set::new(), records: &mut records };
        let top = chosen.and_then(|at| own.get(at)).copied();
        let read = top.and_then(|at| Some((at, all.get(at)?)));
        let conversation = read.map(|(at, _)| assembler.build_conversation(at, DEPTH)).unwrap_or_default();
        // Those inside it are between the one before it and itself; its own that no step names are kept.
        let used = std::mem::take(&mut assembler.used);
        let begin = chosen.and_then(|at| own.get(at.checked_sub(1)?)).map_or(0, |before| before + 1);
        let inside = all.iter().enumerate().take(top.unwrap_or_default()).skip(begin);
        for (_, run) in inside.filter(|(at, _)| !used.contains(at)) {
            let record = run.to_record();
            records.keep(&record, "trajectory");
        }
        for record in unrecognized {
            let message = "this is not a trajectory; it is kept in `metadata`".to_owned();
            let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, record.span, message);
            let found = found.help("a trajectory needs `agent` and `steps`");
            records.kinds.add("entries are not trajectories", found);
            records.keep(record, "");
        }
        let head = read.map(|(_, run)| run.head.clone()).unwrap_or_default();
        let created =
            read.and_then(|(_, run)| run.steps.iter().find_map(|step| step.value.get("timestamp")?.as_str()));
        let name = head.get("agent").and_then(|agent| agent.get("name")?.as_str()).unwrap_or_default();
        let mut trajectory = head.clone();
        let extra = taken_extra(&mut trajectory);
        trajectory.retain(|_, value| !value.is_null());
        let own = Entries::default().with("trajectory", Value::Object(trajectory));
        let name = records.name_or_file(name);
        let mut metadata = records.metadata(name, created, "atif", own);
        if let (Some(Value::Object(extra)), Value::Object(made)) = (extra.get("metadata"), &mut metadata) {
            let recording = made.shift_remove("recording");
            made.extend(extra.clone());
            made.put_some("recording", recording);
        }
        records.imported(conversation.transcript(metadata))
    }
}

/// Removes and returns the part of a trajectory's extra data that a run has places for.
fn taken_extra(head: &mut Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    let Some(Value::Object(extra)) = head.get_mut("extra") else { return out };
    for key in ["metadata", "context"] {
        if extra.get(key).is_some_and(Value::is_object)
            && let Some(value) = extra.shift_remove(key)
        {
            out.put(key, value);
        }
    }
    let is_own = |one: &Value| one.get("type").is_some_and(Value::is_string);
    if extra.get("assertions").and_then(Value::as_array).is_some_and(|all| all.iter().all(is_own))
        && let Some(value) = extra.shift_remove("assertions")
    {
        out.put("assertions", value);
    }
    if extra.is_empty() {
        head.shift_remove("extra");
    }
    out
}

impl Trajectory {
    fn to_record(&self) -> Entry {
        let mut value = self.head.clone();
        value.put("steps", self.steps.iter().map(|step| step.value.clone()).collect());
        let span = self.steps.first().map(|step| step.span).unwrap_or_default();
        Entry { line: self.line, span, value: Value::Object(value) }
    }

    /// The settings of its agent, in the form of a run.
    fn config(&self) -> Map<String, Value> {
        let mut config = Map::new();
        for (key, value) in self.head.get("agent").and_then(Value::as_object).into_iter().flatten() {
            let taken = match (key.as_str(), value) {
                (_, Value::Null) => continue,
                ("model_name", model) => ("model", model.clone()),
                ("tool_definitions", Value::Array(tools)) => {
                    let own = |tool: &Value| tool.get("function").unwrap_or(tool).clone();
                    // A truncated tool may lack its name.
                    let is_named = |tool: &Value| tool.get("name").is_some_and(Value::is_string);
                    ("tools", tools.iter().map(own).filter(is_named).collect())
                }
                ("extra", Value::Object(extra)) => {
                    for (key, value) in extra {
                        config.entry(key.clone()).or_insert_with(|| value.clone());
                    }
                    continue;
                }
                (key, value) => (key, value.clone()),
            };
            config.insert(taken.0.to_owned(), taken.1);
        }
        config
    }
}

/// The state while a trajectory is read.
struct RunAssembler<'t> {
    all: &'t [Trajectory],
    /// The trajectories that became runs.
    used: Set<usize>,
    records: &'t mut Records,
}

impl RunAssembler<'_> {
    fn build_conversation(&mut self, at: usize, depth: usize) -> Conversation {
        let mut conversation = Conversation::default();
        let Some(run) = self.all.get(at) else { return conversation };
        self.used.insert(at);
        diagnose::diagnose(run, self.all, self.records);
        let has_numbers = diagnose::is_disordered(&run.steps);
        conversation.configure("", run.config());
        let mut head = run.head.clone();
        let extra = taken_extra(&mut head);
        if let Some(Value::Object(context)) = extra.get("context") {
            conversation.change_context(context, &[]);
        }
        if let Some(assertions) = extra.get("assertions") {
            conversation.set_assertions(assertions.clone());
        }
        // A file with only an agent's steps is the run of that agent.
        let is_amid = run.steps.iter().any(|step| !sessions::is_aside(&step.value));
        let is_strange = |step: &Entry| is_amid && sessions::is_aside(&step.value);
        if let Some(first) = run.steps.iter().find(|step| is_strange(step)) {
            let message = "steps belong to agents without a result; they are kept in `metadata`".to_owned();
            let help = "they have `extra.is_sidechain`";
            self.records.warn(codes::LOG_PAIR, first.span, message, help);
        }
        for step in &run.steps {
            if is_strange(step) {
                self.records.keep(step, "step");
                continue;
            }
            match self.step(&mut conversation, run, step, (depth, has_numbers)) {
                true => self.records.mark_used(step.line),
                false => {
                    let message = "this step has no source; it is kept in `metadata`".to_owned();
                    let help = "a step needs the `source` `system`, `user` or `agent`";
                    let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, step.span, message);
                    self.records.kinds.add("steps have no source", found.help(help));
                    self.records.keep(step, "step");
                }
            }
        }
        for (_, span) in conversation.missing_results() {
            let message = "the previous step has a call without a result".to_owned();
            let help = super::unanswered::HELP;
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message);
            self.records.kinds.add("steps come after a call without a result", found.help(help));
        }
        conversation.close();
        self.records.diagnostics.extend(conversation.take_diagnostics());
        conversation
    }

    /// The trajectory that a result refers to, as that result.
    fn nested(&mut self, run: &Trajectory, id: &str, content: &Value, depth: usize) -> Option<Value> {
        let aside = |run: &Trajectory| run.aside.get(id).copied();
        let host = run.host.and_then(|host| self.all.get(host));
        // If several have one id, each result gets its own, as long as there are enough.
        let own = || run.inner.iter().filter(|(own, _)| own == id).map(|(_, at)| *at);
        let free = own().find(|at| !self.used.contains(at)).or_else(|| own().next());
        let at = free.or_else(|| aside(host.unwrap_or(run)))?;
        if depth == 0 || self.used.contains(&at) {
            return None;
        }
        let inner = self.build_conversation(at, depth - 1);
        let read = self.all.get(at)?;
        let name = read.head.get("agent").and_then(|agent| agent.get("name")?.as_str());
        let response = match content {
            Value::Null => inner.last_content().unwrap_or_default(),
            content => content.clone(),
        };
        let mut head = read.head.clone();
        let extra = taken_extra(&mut head);
        let mut metadata = extra.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        if let Some(name) = name {
            metadata.entry("name").or_insert_with(|| name.into());
        }
        head.retain(|_, value| !value.is_null());
        metadata.put("recording", json!({"format": "atif", "trajectory": head}));
        Some(nested_result(name, response, inner.transcript(Value::Object(metadata))))
    }
}
