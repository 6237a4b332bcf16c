//! The transcript of a recording.

use serde_json::{Map, Value};

use super::agent_run::TurnSource;
use super::changes::Changes;
use super::group::{Group, Part, Turn, message_of};
use super::turns::Nested;
use super::visibility::Visibility;
use super::{Fact, FactKind, NestedFiles, Problem, Recorder, sent, settings, turns, warnings};
use crate::compact;
use crate::parse::{Limits, Node, parse, read};
use crate::text::{JsonMap, Span, Table, sort_by_key};
use crate::write::{self, Entries, TranscriptParts, final_state_entry, initial_state_entry, turn_entry};

/// The result of a recorder.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The transcript as data, in the full form unless `is_compact`.
    pub transcript: Value,
    /// Whether the transcript is compact: if requested, and nothing would be lost.
    pub is_compact: bool,
    /// The runs of nested agents in separate files, by their name in the transcript: a path relative to it.
    pub files: Vec<(String, Value)>,
    /// The problems, in the order of the facts.
    pub problems: Vec<Problem>,
    /// What the compact form would lose, if it was requested.
    pub losses: Vec<String>,
}

impl Recorder {
    /// The transcript of the recording so far. The recorder may continue.
    #[must_use]
    pub fn finish(&self) -> Recorded {
        self.finish_as(None, None)
    }

    /// The same with a name and a time of creation for a recording without them, such as those of its file.
    #[must_use]
    pub fn finish_as<'r>(&'r self, name: Option<&'r str>, created: Option<&'r str>) -> Recorded {
        let mut finisher = Finisher::new(self);
        finisher.name = self.options.name.as_deref().or(name);
        finisher.created = self.options.created.as_deref().or(created);
        let mut full = finisher.group(0);
        finisher.write_problems(&mut full);
        let mut out = Recorded { files: finisher.files, ..Recorded::default() };
        let stray = finisher.stray.into_iter().map(|(problem, _)| problem);
        out.problems = self.problems().cloned().chain(stray).chain(finisher.problems).collect();
        sort_by_key(&mut out.problems, |problem| problem.seq);
        out.transcript = full;
        if self.options.compact {
            match compacted(&out.transcript) {
                Ok(compact) => {
                    out.transcript = compact;
                    out.is_compact = true;
                }
                Err(losses) => out.losses = losses,
            }
        }
        out
    }
}

/// The compact form as data, or what it would lose.
fn compacted(full: &Value) -> Result<Value, Vec<String>> {
    let root = Node::from_value(full, Span::empty(0));
    let transcript = read::transcript(&root, read::Fill::Nothing);
    let compacted = compact::compact(&transcript, Some(&root));
    if !compacted.losses.is_empty() {
        return Err(compacted.summary());
    }
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    let root = parse(&compacted.text, &limits).root;
    root.map(|root| root.to_value()).ok_or_else(|| vec!["the compact form cannot be read".to_owned()])
}

struct Finisher<'f> {
    recorder: &'f Recorder,
    name: Option<&'f str>,
    created: Option<&'f str>,
    facts: Table<&'f str, Vec<&'f Fact>>,
    /// The runs that are written into one transcript; the first is the outermost.
    groups: Vec<Vec<&'f str>>,
    /// The groups that carry out the tool calls of runs.
    nested: Table<&'f str, Table<&'f str, (usize, u64)>>,
    files: Vec<(String, Value)>,
    problems: Vec<Problem>,
    /// Facts that belong to nothing, with why.
    stray: Vec<(Problem, &'f Fact)>,
    /// Calls with unknown messages sent.
    unknown: Vec<&'f Fact>,
}

impl<'f> Finisher<'f> {
    fn new(recorder: &'f Recorder) -> Self {
        let mut finisher = Self {
            recorder,
            name: None,
            created: None,
            facts: Table::new(),
            groups: vec![Vec::new()],
            nested: Table::new(),
            files: Vec::new(),
            problems: Vec::new(),
            stray: Vec::new(),
            unknown: Vec::new(),
        };
        let mut group_of: Table<&'f str, usize> = Table::new();
        for fact in &recorder.facts {
            let run = fact.run.as_str();
            if !finisher.facts.contains_key(run) {
                let group = finisher.place(run, fact.seq.unwrap_or_default(), &group_of);
                group_of.insert(run, group);
                if let Some(runs) = finisher.groups.get_mut(group) {
                    runs.push(run);
                }
            }
            finisher.facts.entry(run).or_default().push(fact);
        }
        for facts in finisher.facts.values_mut() {
            let sorted = warnings::check_facts(facts);
            *facts = sorted.kept;
            finisher.stray.extend(sorted.stray);
            finisher.problems.extend(sorted.warnings);
        }
        sort_by_key(&mut finisher.stray, |(problem, _)| problem.seq);
        // An outermost run with nothing but children is none.
        if let Some(runs) = finisher.groups.first_mut().filter(|runs| runs.is_empty()) {
            runs.push("");
        }
        finisher
    }

    /// The group of a run: that of the call it carries out, else that of its parent run.
    fn place(&mut self, run: &str, seq: u64, group_of: &Table<&'f str, usize>) -> usize {
        let recorder = self.recorder;
        let parent = recorder.runs.get(run).and_then(|run| run.parent.as_ref());
        let Some((above, call)) = parent else { return 0 };
        let Some(call) = call else { return group_of.get(above.as_str()).copied().unwrap_or(0) };
        let next = self.groups.len();
        let (group, _) = *self.nested.entry(above).or_default().entry(call).or_insert((next, seq));
        if group == next {
            self.groups.push(Vec::new());
        }
        group
    }

    /// Writes a group; those in it are written on the way. Runs are bounded in how deep they are nested.
    fn group(&mut self, index: usize) -> Value {
        let recorder = self.recorder;
        let runs = self.groups.get(index).cloned().unwrap_or_default();
        let parts = runs.iter().map(|run| Part {
            run,
            agent: recorder.runs.get(*run).and_then(|run| run.agent.as_deref()),
            facts: self.facts.get(run).cloned().unwrap_or_default(),
            nested: self
                .nested
                .get(run)
                .map(|calls| calls.iter().map(|(call, (_, seq))| (*call, *seq)).collect())
                .unwrap_or_default(),
        });
        let parts: Vec<Part<'f>> = parts.collect();
        let mut group = Group::new(&parts, &recorder.options);
        drop(parts);
        for fact in group.agent_runs.iter().flat_map(super::agent_run::AgentRun::empty_messages) {
            let message = format!("the message `{}` has no content and no call", fact.text("id"));
            let problem = Problem::new(message).help("add its `content`, or the `call` that created it");
            self.problems.push(problem.with_seq(fact.seq.unwrap_or_default()));
        }
        for fact in group.agent_runs.iter().flat_map(super::agent_run::AgentRun::other_calls) {
            let message =
                format!("the tool calls of the message `{}` differ from its response", fact.text("id"));
            let problem = Problem::new(message).help("the transcript has those of the response");
            self.problems.push(problem.with_seq(fact.seq.unwrap_or_default()));
        }
        let is_outermost = index == 0;
        let none = Map::new();
        let config = if is_outermost { &recorder.options.config } else { &none };
        let context = if is_outermost { &recorder.options.context } else { &none };
        let changes = Changes::new(&group, context);
        let configs = group.agent_runs.iter().map(|agent_run| {
            let config = if agent_run.agent.is_some() && group.is_several() { &none } else { config };
            settings::agent_config(agent_run, config)
        });
        let configs: Vec<Map<String, Value>> = configs.collect();
        let mut execution = Vec::with_capacity(group.turns.len());
        let is_long = !group.is_several() && recorder.sent > write::SPELLED;
        let visibilities =
            (0..group.agent_runs.len()).map(|at| Visibility::new(&group, at, &changes, is_long));
        let mut visibilities: Vec<Visibility<'f>> = visibilities.collect();
        let mut times: Table<Option<&'f str>, &'f str> = Table::new();
        for place in 0..group.turns.len() {
            let Some(&turn) = group.turns.get(place) else { continue };
            let agent = group.agent_runs.get(turn.0).and_then(|agent_run| agent_run.agent);
            // The turns of an agent are ordered by time, even if they began in another order.
            let all = turns::times(&group, turn);
            let last = times.get(&agent).copied().unwrap_or_default();
            let time = all.into_iter().find(|time| *time >= last);
            if let Some(time) = time {
                times.insert(agent, time);
            }
            let named = agent.filter(|_| is_outermost || group.is_several());
            let mut out = turn_entry(place + 1, kind(turn.1), named, time);
            if let Some(visibility) = visibilities.get_mut(turn.0) {
                self.turn(&mut group, turn, time, &configs, visibility, &mut out);
                if let Some(agent_run) = group.agent_runs.get(turn.0).filter(|_| is_long) {
                    visibility.advance_past(agent_run, turn.1, &changes, place);
                }
            }
            out.put("state_changes", changes.turn_changes(place));
            execution.push(out.into_value());
        }
        self.assemble(&group, &changes, configs, execution, is_outermost)
    }

    fn turn(
        &mut self,
        group: &mut Group<'f>,
        (agent_run, source): Turn,
        time: Option<&str>,
        configs: &[Map<String, Value>],
        visibility: &mut Visibility<'f>,
        out: &mut Entries,
    ) {
        let options = &self.recorder.options;
        let Some(found) = group.agent_runs.get(agent_run) else { return };
        let created = message_of(found, source);
        let mut created = created.map(|at| turns::message(group, (agent_run, at), options, None, time));
        match source {
            TurnSource::Message(_) => {}
            TurnSource::Call(at) => {
                let mut sent = sent::list(group, (agent_run, at), options, visibility);
                out.put("messages_sent_to_llm", Some(sent.list.take()));
                self.drop_unknown(group, agent_run, at, &sent);
                let call = group.agent_runs.get(agent_run).and_then(|found| found.calls.get(at));
                let of_turn = call
                    .zip(configs.get(agent_run))
                    .and_then(|(call, it)| settings::turn_settings(call.fact, it));
                out.put("llm_config", of_turn);
                if let Some((key, answer)) = turns::answer(group, agent_run, at) {
                    out.put(key, Some(answer));
                }
            }
            TurnSource::Tool(at) => {
                let run = group.runs.get(agent_run).copied().unwrap_or_default();
                let Some(tool) = found.tools.get(at) else { return };
                let carried_out = self.nested.get(run).and_then(|calls| calls.get(tool.id)).copied();
                let nested = carried_out.map(|(index, _)| self.nested_run(index));
                let (answers, own) =
                    (group.call_ids.answers(agent_run, source), group.call_ids.uncalled(agent_run, source));
                let (ran, response) =
                    turns::tool_run(tool, answers.or(own), own.is_some(), created.as_ref(), nested);
                out.put("tool_call", Some(ran));
                if let (Some(Value::Object(message)), Some(response)) = (&mut created, response) {
                    let at = message.keys().position(|key| key == "content").map_or(0, |at| at + 1);
                    message.shift_insert(at, "tool_response".to_owned(), response);
                }
            }
        }
        out.put("message_created", created);
    }

    /// Reports a call that was sent unknown messages, which the transcript leaves out.
    fn drop_unknown(&mut self, group: &Group<'f>, agent_run: usize, at: usize, sent: &sent::Sent) {
        let call = group.agent_runs.get(agent_run).and_then(|found| found.calls.get(at));
        let is_known = sent.unknown.is_empty() && !sent.is_lost;
        let Some(fact) = call.map(|call| call.fact).filter(|_| !is_known) else { return };
        self.unknown.push(fact);
        if sent.is_lost {
            let before = fact.get("after").and_then(|after| after.get("call")).and_then(Value::as_str);
            let message = format!(
                "the model call `{}` repeats the messages of `{}`, which are not all known",
                fact.text("call"),
                before.unwrap_or_default()
            );
            let help = "the transcript has the messages that were visible at that time";
            self.problems.push(Problem::new(message).help(help).with_seq(fact.seq.unwrap_or(0)));
        }
        for id in &sent.unknown {
            let message = format!(
                "the model call `{}` has the message `{id}`, which was never appended",
                fact.text("call")
            );
            let help = "append the message, or pass all of it; it is missing in the request";
            self.problems.push(Problem::new(message).help(help).with_seq(fact.seq.unwrap_or(0)));
        }
    }

    fn nested_run(&mut self, index: usize) -> Nested {
        let recorder = self.recorder;
        let runs = self.groups.get(index).map(Vec::as_slice).unwrap_or_default();
        let agent = runs.iter().find_map(|run| recorder.runs.get(*run)?.agent.clone());
        let run = self.group(index);
        match recorder.options.nested {
            NestedFiles::Above(bytes) if run.to_string().len() > bytes => {
                let stem = stem(self.name);
                let name = format!("{stem}.nested_{:03}.yaml", self.files.len() + 1);
                self.files.push((name.clone(), run));
                Nested { agent, key: "nested_transcript_ref", run: name.into() }
            }
            _ => Nested { agent, key: "nested_transcript", run },
        }
    }

    fn assemble(
        &self,
        group: &Group<'f>,
        changes: &Changes<'f>,
        mut configs: Vec<Map<String, Value>>,
        execution: Vec<Value>,
        is_outermost: bool,
    ) -> Value {
        let options = &self.recorder.options;
        let mut initial = Vec::new();
        let mut agents: Map<String, Value> = Map::new();
        let mut config = Map::new();
        for (at, agent_run) in group.agent_runs.iter().enumerate() {
            let first = (0..agent_run.messages.len())
                .filter(|at| agent_run.messages.get(*at).is_some_and(|message| message.turn.is_none()));
            let first = first.map(|message| {
                let visible = changes.visible.get(&(at, message)).copied();
                turns::message(group, (at, message), options, visible, None)
            });
            let first: Vec<Value> = first.collect();
            let own = configs.get_mut(at).map(std::mem::take).unwrap_or_default();
            match agent_run.agent.filter(|_| group.is_several()) {
                None => {
                    initial.extend(first);
                    config.extend(own);
                }
                Some(name) => agent_entry(&mut agents, name, own, changes.of_agents.get(name), first),
            }
        }
        let parts = TranscriptParts {
            metadata: self.metadata(group, changes, is_outermost),
            config: Some(config),
            agents,
            initial_state: initial_state_entry(changes.initial.clone(), initial),
            turns: execution,
            final_state: final_state(group, changes),
        };
        parts.into_value()
    }

    /// Writes the problems into the outermost transcript, once its content is known.
    fn write_problems(&mut self, full: &mut Value) {
        sort_by_key(&mut self.problems, |problem| problem.seq);
        let note = |problem: &Problem, fact: Option<Value>| {
            let mut note = Entries::default();
            note.put("seq", Value::from(problem.seq));
            note.put("problem", Value::from(problem.message.as_str()));
            note.put("fact", fact);
            note.into_value()
        };
        let rejected = self.recorder.rejected.iter().map(|(problem, fact)| (problem, fact.clone()));
        let stray = self.stray.iter().map(|(problem, fact)| (problem, fact.to_value()));
        let mut rejected: Vec<(&Problem, Value)> = rejected.chain(stray).collect();
        sort_by_key(&mut rejected, |(problem, _)| problem.seq);
        let rejected: Vec<Value> =
            rejected.into_iter().map(|(problem, fact)| note(problem, Some(fact))).collect();
        let warnings: Vec<Value> = self.problems.iter().map(|problem| note(problem, None)).collect();
        let unknown: Vec<Value> = self.unknown.iter().map(|fact| fact.to_value()).collect();
        let dropped = self.recorder.dropped;
        let mut notes = Entries::default();
        notes.put("not_in_place", (!rejected.is_empty()).then_some(Value::Array(rejected)));
        notes.put("doubtful", (!warnings.is_empty()).then_some(Value::Array(warnings)));
        notes.put("sent_unknown", (!unknown.is_empty()).then_some(Value::Array(unknown)));
        notes.put("not_kept", (dropped > 0).then(|| dropped.into()));
        let Some(metadata) = full.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        if let Some(Value::Object(lost)) = metadata.shift_remove("recording") {
            notes.0.extend(lost);
        }
        if !notes.0.is_empty() {
            metadata.put("recording", Value::Object(notes.0));
        }
    }

    fn metadata(&self, group: &Group<'f>, changes: &Changes<'f>, is_outermost: bool) -> Value {
        let options = &self.recorder.options;
        let mut out = Entries::default();
        if is_outermost {
            out.put("name", self.name.map(Value::from));
            out.put("created", self.created.map(Value::from));
            out.put("author", Value::from("recorder"));
            out.0.extend(options.metadata.clone());
        }
        let run_facts = group.agent_runs.iter().flat_map(|agent_run| &agent_run.run_facts);
        let mut run_facts: Vec<&Fact> =
            run_facts.copied().filter(|fact| fact.kind == FactKind::MetadataSet).collect();
        sort_by_key(&mut run_facts, |fact| fact.seq);
        for fact in run_facts {
            out.0.extend(fact.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default());
        }
        let mut notes = Entries::default();
        let lost: Vec<Value> = changes.lost.iter().map(|fact| fact.to_value()).collect();
        notes.put("overwritten", (!lost.is_empty()).then_some(Value::Array(lost)));
        notes.put("renamed_calls", group.renamed(&self.recorder.runs));
        notes.put("uncalled", group.uncalled());
        out.put("recording", notes.unless_empty());
        out.into_value()
    }
}

fn agent_entry(
    agents: &mut Map<String, Value>,
    name: &str,
    mut config: Map<String, Value>,
    context: Option<&Map<String, Value>>,
    first: Vec<Value>,
) {
    // An agent that was entered again continues where it was.
    if let Some(Value::Array(store)) = agents.get_mut(name).and_then(|agent| agent.get_mut("message_store")) {
        store.extend(first);
        return;
    }
    let tools = config.shift_remove("tools");
    let mut out = Entries::default();
    out.put("config", (!config.is_empty()).then_some(Value::Object(config)));
    out.put("context", context.map(|context| Value::Object(context.clone())));
    out.put("tools", tools);
    out.put("message_store", Value::Array(first));
    agents.put(name, out.into_value());
}

fn final_state(group: &Group<'_>, changes: &Changes<'_>) -> Value {
    let last = changes.last_visible();
    let stored = group.stored();
    let stored = stored.iter().filter_map(|(place, _)| {
        let id = group.ids.id(place.0, place.1)?;
        let message = group.agent_runs.get(place.0).and_then(|agent_run| agent_run.messages.get(place.1));
        let own = message.and_then(|message| message.fact.get("visible")).and_then(Value::as_bool);
        let first = changes.visible.get(place).copied().or(own).unwrap_or(true);
        Some((id, last.get(id).copied().unwrap_or(first)))
    });
    final_state_entry(changes.end.clone(), stored, None)
}

fn kind(source: TurnSource) -> &'static str {
    match source {
        TurnSource::Call(_) => "llm_call",
        TurnSource::Tool(_) => "tool_call",
        TurnSource::Message(_) => "message",
    }
}

/// The prefix of file names: the transcript's own name, as far as a file name allows.
fn stem(name: Option<&str>) -> String {
    let may_stand = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let stem: String = name.unwrap_or_default().chars().take(80).map(may_stand).collect();
    if stem.is_empty() { "transcript".to_owned() } else { stem }
}
