//! The events of a run of several agents: tasks, answers, and what each agent waited for.
//!
//! The ids show which event caused which. The id of an event comes from the run and its place there. So the
//! same facts give the same events, in whatever order parallel agents were reported.

use std::collections::VecDeque;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::agent_run::{AgentRun, Call, Tool, TurnSource};
use super::{Fact, FactKind, Recorder, answers, body, calls, warnings};
use crate::encoding::exact::Exact;
use crate::events::{EventKind, NESTED, PayloadHash, Uuid};
use crate::text::{JsonMap, Table, json, sort_by_key};
use crate::time::epoch_nanoseconds;

/// The events between agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentEvents {
    /// The events, each after its parents.
    pub events: Vec<Value>,
    /// The answers of all model calls by the keys in `payload_ref`, in the form of a recording of
    /// `AgentLoom`.
    pub answers: Map<String, Value>,
}

impl AgentEvents {
    /// The log: a line of JSON for each event.
    #[must_use]
    pub fn log(&self) -> String {
        self.events.iter().map(|event| format!("{event}\n")).collect()
    }

    /// A recording of `AgentLoom`, version 2, with the events under `_inter_agent_events`.
    #[must_use]
    pub fn recording(&self) -> Value {
        let mut out = Map::new();
        out.put("_version", 2.into());
        out.extend(self.answers.clone());
        out.put(NESTED, Value::Array(self.events.clone()));
        Value::Object(out)
    }
}

impl Recorder {
    /// The events between agents so far, if the options request them and there are several runs of agents;
    /// else nothing. The transcript is the same with or without them.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::record::{Options, Recorder};
    /// let mut recorder = Recorder::new(Options { events: true, ..Options::default() });
    /// for fact in [
    ///     json!({"fact": "tool_called", "id": "t1", "name": "call_bob", "arguments": {"q": "Hi"}}),
    ///     json!({"fact": "agent_entered", "run": "r1", "agent": "bob", "parent_call": "t1"}),
    ///     json!({"fact": "agent_left", "run": "r1"}),
    ///     json!({"fact": "tool_returned", "id": "t1", "result": "Hello!"}),
    /// ] {
    ///     recorder.observe_value(&fact).unwrap();
    /// }
    /// let events = recorder.agent_events().unwrap().events;
    /// let sent = events.iter().find(|event| event["type"] == "task_sent").unwrap();
    /// assert_eq!((&sent["recipient_agent_id"], &sent["payload"]), (&json!("bob"), &json!({"q": "Hi"})));
    /// ```
    #[must_use]
    pub fn agent_events(&self) -> Option<AgentEvents> {
        if !self.options.events || self.runs.len() < 2 {
            return None;
        }
        let mut facts: Table<&str, Vec<&Fact>> = Table::new();
        let mut below: Table<(&str, Option<&str>), Vec<&str>> = Table::new();
        for fact in &self.facts {
            facts.entry(fact.run.as_str()).or_default().push(fact);
        }
        let mut open = VecDeque::new();
        for (run, known) in &self.runs {
            match &known.parent {
                None => open.push_back(run.as_str()),
                Some((above, call)) => {
                    below.entry((above.as_str(), call.as_deref())).or_default().push(run);
                }
            }
        }
        let mut observer = Observer {
            recorder: self,
            facts,
            below,
            open,
            running: Table::new(),
            out: AgentEvents::default(),
        };
        while let Some(run) = observer.open.pop_front() {
            observer.run(run, None);
        }
        Some(observer.out)
    }
}

/// The tool call that a run carries out.
struct Task<'f> {
    /// The outcome of the call.
    end: Option<&'f Fact>,
    /// Its event.
    called: Uuid,
    arguments: Value,
}

struct Observer<'f> {
    recorder: &'f Recorder,
    facts: Table<&'f str, Vec<&'f Fact>>,
    /// The runs that belong to a run, by the call in it that they carry out; in the order of their ids.
    below: Table<(&'f str, Option<&'f str>), Vec<&'f str>>,
    /// Runs that no call waits for, with events still to be written.
    open: VecDeque<&'f str>,
    /// Where each run began.
    running: Table<&'f str, Uuid>,
    out: AgentEvents,
}

/// One event that is being written.
struct Draft<'f> {
    run: &'f str,
    kind: EventKind,
    /// The part that makes it unique among its kind in the run.
    place: &'f str,
    at: Option<&'f Fact>,
    parent: Option<Uuid>,
    also: Vec<Uuid>,
}

impl<'f> Observer<'f> {
    /// Writes the events of a run, and of the nested ones that its calls wait for. Returns its last event.
    /// The depth of nested runs is bounded; parallel runs are written one after the other.
    fn run(&mut self, run: &'f str, task: Option<&Task<'f>>) -> Uuid {
        let recorder = self.recorder;
        let own = self.facts.remove(run).unwrap_or_default();
        let known = recorder.runs.get(run);
        let kept = warnings::check_facts(&own).kept;
        let agent_run = AgentRun::new(known.and_then(|run| run.agent.as_deref()), &kept, &[]);
        let left = own.iter().copied().find(|fact| fact.kind == FactKind::AgentLeft);
        let above = known.and_then(|run| run.parent.as_ref()).map(|(above, _)| above.as_str());
        self.answers(run, &agent_run);
        let mut last = None;
        if let Some(above) = above {
            last = Some(self.task(run, above, task, agent_run.entered, &first_user_text(&agent_run)));
        }
        let mut now = self.state(run, "start", ("idle", "running"), agent_run.entered, last, Vec::new());
        self.running.insert(run, now);
        let mut state = "running";
        for (stage, tools) in stages(&agent_run) {
            now = self.state(run, &format!("{stage} waits"), (state, "waiting"), None, Some(now), Vec::new());
            state = "waiting";
            let mut ends: Vec<Uuid> = Vec::new();
            for tool in &tools {
                ends.extend(self.tool(run, tool, now));
            }
            let goes_on = ends.len() == tools.len() || stage + 1 < agent_run.calls.len();
            if let Some(end) = ends.pop().filter(|_| goes_on) {
                now = self.state(
                    run,
                    &format!("{stage} joined"),
                    ("waiting", "running"),
                    None,
                    Some(end),
                    ends,
                );
                state = "running";
            }
        }
        if let Some(above) = above {
            now = self.response(run, above, &agent_run, task, left, now);
        }
        let failed = task.is_some_and(|task| task.end.is_some_and(is_failure));
        if left.is_some() || task.is_some_and(|task| task.end.is_some()) {
            let ended = agent_run.calls.last().and_then(|call| call.end);
            let is_well = !failed && ended.is_none_or(|end| end.kind != FactKind::ModelFailed);
            let to = if is_well { "done" } else { "failed" };
            now = self.state(run, "end", (state, to), left, Some(now), Vec::new());
        }
        self.open.extend(self.below.remove(&(run, None)).unwrap_or_default());
        now
    }

    /// The events of the task of a run: sent and received.
    fn task(
        &mut self,
        run: &'f str,
        above: &'f str,
        task: Option<&Task<'f>>,
        entered: Option<&'f Fact>,
        prompt: &Value,
    ) -> Uuid {
        let payload = task.map_or(prompt, |task| &task.arguments);
        let cause = task.map(|task| task.called).or_else(|| self.running.get(above).copied());
        let key = format!("{}/task", self.key(run));
        let mut fields = Map::new();
        fields.put("recipient_agent_id", self.name(run).into());
        fields.put("payload_ref", key.as_str().into());
        // It is an event of the parent agent; its run makes it unique there.
        let sent = Draft {
            run: above,
            kind: EventKind::TaskSent,
            place: run,
            at: entered,
            parent: cause,
            also: Vec::new(),
        };
        let sent = self.write_hashed(&sent, fields, ("payload", payload));
        let mut fields = Map::new();
        fields.put("sender_agent_id", self.name(above).into());
        fields.put("payload_ref", key.into());
        let kind = EventKind::TaskReceived;
        let taken = Draft { run, kind, place: "", at: entered, parent: Some(sent), also: Vec::new() };
        self.write_hashed(&taken, fields, ("payload", payload))
    }

    /// The answer of a run, if it has one: after its last event so far.
    fn response(
        &mut self,
        run: &'f str,
        above: &'f str,
        agent_run: &AgentRun<'f>,
        task: Option<&Task<'f>>,
        left: Option<&'f Fact>,
        now: Uuid,
    ) -> Uuid {
        let returned = task.and_then(|task| task.end).filter(|end| !is_failure(end));
        if left.is_none() && returned.is_none() {
            return now;
        }
        let (key, at, payload) = match last_answer(agent_run) {
            Some(call) => {
                let key = format!("{}/{}", self.key(run), call.fact.text("call"));
                (key, call.end, answers::answer_content(agent_run, call))
            }
            None => {
                let Some(returned) = returned else { return now };
                let key = format!("{}/answer", self.key(run));
                (key, None, returned.get("result").cloned().unwrap_or_default())
            }
        };
        let mut fields = Map::new();
        fields.put("recipient_agent_id", self.name(above).into());
        fields.put("payload_ref", key.into());
        let kind = EventKind::ResponseSent;
        let draft = Draft { run, kind, place: "", at, parent: Some(now), also: Vec::new() };
        self.write_hashed(&draft, fields, ("payload", &payload))
    }

    /// A tool call with its runs, and its return; returns the latter's id, if it returned.
    fn tool(&mut self, run: &'f str, tool: &Tool<'f>, now: Uuid) -> Option<Uuid> {
        let name = tool_name(tool);
        let arguments = body::parameters(tool);
        let fields = || {
            let mut fields = Map::new();
            fields.put("tool_name", name.into());
            fields.put("call_id", tool.id.into());
            fields
        };
        let kind = EventKind::ToolCall;
        let begin = Draft { run, kind, place: tool.id, at: tool.begin, parent: Some(now), also: Vec::new() };
        // Only a map is allowed under `arguments`.
        let under = if arguments.is_object() { "arguments" } else { "payload" };
        let called = self.write_hashed(&begin, fields(), (under, &arguments));
        let mut ends = Vec::new();
        for inner in self.below.remove(&(run, Some(tool.id))).unwrap_or_default() {
            let task = Task { end: tool.end, called, arguments: arguments.clone() };
            ends.push(self.run(inner, Some(&task)));
        }
        let end = tool.end?;
        let mut fields = fields();
        fields.put("success", (!is_failure(end)).into());
        let under = if is_failure(end) { "error" } else { "result" };
        let result = end.get(under).cloned().unwrap_or_default();
        let parent = Some(ends.pop().unwrap_or(called));
        let kind = EventKind::ToolReturn;
        Some(self.write_hashed(
            &Draft { run, kind, place: tool.id, at: Some(end), parent, also: ends },
            fields,
            (under, &result),
        ))
    }

    fn state(
        &mut self,
        run: &'f str,
        place: &str,
        (from, to): (&str, &str),
        at: Option<&'f Fact>,
        parent: Option<Uuid>,
        also: Vec<Uuid>,
    ) -> Uuid {
        let mut fields = Map::new();
        fields.put("from_state", from.into());
        fields.put("to_state", to.into());
        // It has no content but its own fields, so they are hashed, unchecked.
        let hash = PayloadHash::from_value(&Exact::from(&Value::Object(fields.clone())));
        let draft = Draft { run, kind: EventKind::StateTransition, place, at, parent, also };
        self.write(&draft, fields, hash)
    }

    fn write_hashed(
        &mut self,
        draft: &Draft<'_>,
        mut fields: Map<String, Value>,
        (key, hashed): (&str, &Value),
    ) -> Uuid {
        let hash = PayloadHash::from_value(&Exact::from(hashed));
        fields.put(key, hashed.clone());
        self.write(draft, fields, hash)
    }

    fn write(&mut self, draft: &Draft<'_>, fields: Map<String, Value>, hash: PayloadHash) -> Uuid {
        let id = self.id(draft);
        let mut event = Map::new();
        event.put("event_id", id.to_string().into());
        event.put("type", draft.kind.name().into());
        event.put("agent_id", self.name(draft.run).into());
        event.put("timestamp_ns", draft.at.map_or(0, nanoseconds).into());
        event.put("parent_event_id", draft.parent.map(|id| id.to_string()).into());
        event.put("payload_hash", hash.to_string().into());
        if !draft.also.is_empty() {
            event.put("also_after", draft.also.iter().map(ToString::to_string).collect());
        }
        event.extend(fields);
        self.out.events.push(Value::Object(event));
        id
    }

    /// A UUID in the form of version 4 that the recording's name, the run and the place there make.
    fn id(&self, draft: &Draft<'_>) -> Uuid {
        let options = &self.recorder.options;
        let made_of = json!([options.name, options.created, draft.run, draft.kind.name(), draft.place]);
        let digest = Sha256::digest(made_of.to_string());
        let number = digest.iter().take(16).fold(0_u128, |sum, byte| sum << 8 | u128::from(*byte));
        let (version, variant) = (0xf << 76, 0b11 << 62);
        Uuid(number & !version & !variant | 4 << 76 | 0b10 << 62)
    }

    /// The name of a run's agent; that of the outermost is `main` by default.
    fn name(&self, run: &str) -> String {
        let agent = self.recorder.runs.get(run).and_then(|run| run.agent.as_deref());
        agent.unwrap_or(if run.is_empty() { "main" } else { run }).to_owned()
    }

    /// The key of a run in the recording: its id. The outermost has none, and no key may begin like the
    /// recording's own.
    fn key(&self, run: &str) -> String {
        if !run.is_empty() && !run.starts_with('_') {
            return run.to_owned();
        }
        let mut key = format!("{}{run}", if run.is_empty() { "main" } else { "run" });
        while self.recorder.runs.contains_key(&key) {
            key.push('_');
        }
        key
    }

    fn answers(&mut self, run: &str, agent_run: &AgentRun<'f>) {
        for call in &agent_run.calls {
            if let Some(answer) = answers::answer(agent_run, call) {
                let key = format!("{}/{}", self.key(run), call.fact.text("call"));
                self.out.answers.insert(key, answer);
            }
        }
    }
}

/// The task of a run that no call started: its first user message.
fn first_user_text(agent_run: &AgentRun<'_>) -> Value {
    let first = agent_run.messages.iter().find(|message| message.fact.text("role") == "user");
    first.and_then(|message| message.fact.get("content")).cloned().unwrap_or_default()
}

/// The tool calls of a run by the model call that made them, else the one before which they began.
fn stages<'s, 'f>(agent_run: &'s AgentRun<'f>) -> Table<usize, Vec<&'s Tool<'f>>> {
    let mut stages: Table<usize, Vec<&Tool<'f>>> = Table::new();
    for tool in &agent_run.tools {
        let made = match tool.declared.map(|declared| agent_run.call_source(declared.by)) {
            Some(TurnSource::Call(at)) => at,
            _ => agent_run.calls.partition_point(|call| call.seq < tool.seq).saturating_sub(1),
        };
        stages.entry(made).or_default().push(tool);
    }
    for tools in stages.values_mut() {
        sort_by_key(tools, |tool| (tool.declared.map_or(usize::MAX, |declared| declared.at), tool.id));
    }
    stages
}

fn last_answer<'s, 'f>(agent_run: &'s AgentRun<'f>) -> Option<&'s Call<'f>> {
    agent_run.calls.iter().rfind(|call| call.end.is_some_and(|end| end.kind == FactKind::ModelResponded))
}

fn tool_name<'f>(tool: &Tool<'f>) -> &'f str {
    let declared = tool.declared.and_then(|declared| calls::name(declared.call));
    tool.begin.map(|begin| begin.text("name")).or(declared).unwrap_or_default()
}

fn is_failure(end: &Fact) -> bool {
    end.kind == FactKind::ToolFailed
}

/// The nanoseconds since 1970 of the host's time; 0 without one.
fn nanoseconds(fact: &Fact) -> i64 {
    fact.at.as_deref().and_then(epoch_nanoseconds).unwrap_or_default()
}
