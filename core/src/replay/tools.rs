//! Mocked tools: a live model, and the recorded results of its tools.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::compare::{Comparison, Difference};
use super::index::hash_data;
use super::settings::Settings;
use super::timeline::Timeline;
use crate::diagnostic::{InvalidInput, closest};
use crate::model::{ToolRun, Transcript};
use crate::text::Table;
use crate::wire::ToolCall;

/// How a call finds its recorded result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolMatch {
    /// By tool and arguments; the n-th of equal calls gets the n-th result, in any order of calls.
    #[default]
    Arguments,
    /// By the call's id.
    Id,
    /// By tool: each call gets the next result of that tool, whatever its arguments.
    Order,
}

impl ToolMatch {
    /// The matching with a name: `arguments`, `id` or `order`.
    ///
    /// # Errors
    /// For any other name.
    pub fn new(name: &str) -> Result<Self, InvalidInput> {
        match name {
            "arguments" => Ok(Self::Arguments),
            "id" => Ok(Self::Id),
            "order" => Ok(Self::Order),
            other => Err(InvalidInput::from(format!(
                "unknown tool matching `{other}`; use `arguments`, `id` or `order`"
            ))),
        }
    }
}

/// Answers the tool calls of a live agent with the recorded results, those of nested runs included.
#[derive(Debug)]
pub struct ToolSession {
    timeline: Timeline,
    settings: Settings,
    matching: ToolMatch,
    /// Every recorded tool run, in order of begin.
    all: Vec<RunLocation>,
    /// The unused runs, by look-up key.
    runs: Table<(String, u64), VecDeque<usize>>,
    /// Every recorded run of each tool.
    by_tool: Table<String, Vec<usize>>,
    /// Every recorded run of each call with an id.
    by_id: Table<String, Vec<usize>>,
    /// The total number of recorded runs by the same key.
    totals: Table<(String, u64), usize>,
}

/// The place of a recorded tool run.
#[derive(Debug)]
struct RunLocation {
    /// The run of another agent that it is in.
    inside: Option<Arc<Transcript>>,
    /// Its step there.
    step: usize,
    /// The tool run that contains it, among all.
    parent: Option<usize>,
    used: bool,
    /// Whether a run inside it was used: the host runs that agent itself.
    entered: bool,
}

/// The outcome of a tool call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ToolAnswer {
    /// The recorded result.
    Result {
        /// The step it was recorded in.
        step: String,
        /// What the tool returned.
        result: Value,
    },
    /// The recorded failure.
    Error {
        /// The step it was recorded in.
        step: String,
        /// The error of the tool.
        error: String,
    },
    /// Nothing is recorded for this call.
    Miss {
        /// The nearest recording.
        miss: Box<ToolMiss>,
    },
}

/// Why a call has no recorded result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolMiss {
    /// The nearest recorded runs of the tool, with the path that prevents each from matching.
    pub nearest: Vec<NearestRun>,
    /// A remedy.
    pub hint: String,
    /// All of this as text.
    pub text: String,
}

/// A recorded run that nearly matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestRun {
    /// The step.
    pub step: String,
    /// The path of the difference, such as `arguments.city`; `None` when its arguments are the
    /// same.
    pub path: Option<String>,
    /// The recorded value; `None` for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// The value in the call; `None` for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
    /// Whether its result was used already.
    pub used: bool,
}

/// The maximum numbers of nearest runs that are listed, and of runs that are examined.
const NEAREST: usize = 3;
const LOOKED_AT: usize = 200;

/// Every tool run in a recording and in its nested runs, in order of begin.
fn run_locations(recording: &Transcript) -> Vec<RunLocation> {
    let mut all: Vec<RunLocation> = Vec::new();
    // The runs that are being walked through, each with the next turn.
    let mut open: Vec<(Option<Arc<Transcript>>, Option<usize>, usize)> = vec![(None, None, 0)];
    while let Some((inside, parent, index)) = open.last_mut() {
        let transcript = inside.as_deref().unwrap_or(recording);
        let Some(turn) = transcript.turns.get(*index) else {
            open.pop();
            continue;
        };
        *index += 1;
        let Some(tool) = &turn.tool else { continue };
        let nested = tool.nested.clone();
        let place = RunLocation {
            inside: inside.clone(),
            step: *index,
            parent: *parent,
            used: false,
            entered: false,
        };
        all.push(place);
        if nested.is_some() {
            open.push((nested, Some(all.len() - 1), 0));
        }
    }
    all
}

impl ToolSession {
    /// Begins with every recorded run of a tool.
    #[must_use]
    pub fn new(timeline: Timeline, matching: ToolMatch, settings: Settings) -> Self {
        let mut session = Self {
            totals: Table::new(),
            runs: Table::new(),
            by_tool: Table::new(),
            by_id: Table::new(),
            all: Vec::new(),
            timeline,
            settings,
            matching,
        };
        session.all = run_locations(session.timeline.transcript());
        for at in 0..session.all.len() {
            let Some(run) = session.run(at) else { continue };
            let (id, name) = (run.id.as_ref().map(|id| id.value.to_string()), run.name.value.to_string());
            let key = session.call_key(id.as_deref(), &name, &run.parameters);
            if let Some(key) = key {
                *session.totals.entry(key.clone()).or_default() += 1;
                session.runs.entry(key).or_default().push_back(at);
            }
            session.by_tool.entry(name).or_default().push(at);
            if let Some(id) = id {
                session.by_id.entry(id).or_default().push(at);
            }
        }
        session
    }

    fn run(&self, at: usize) -> Option<&ToolRun> {
        let place = self.all.get(at)?;
        let transcript = place.inside.as_deref().unwrap_or_else(|| self.timeline.transcript());
        transcript.turns.get(place.step.checked_sub(1)?)?.tool.as_ref()
    }

    /// The path of the step of a run, such as `3.1`.
    fn path(&self, at: usize) -> String {
        let mut steps = Vec::new();
        let mut place = self.all.get(at);
        while let Some(found) = place {
            steps.push(found.step.to_string());
            place = found.parent.and_then(|parent| self.all.get(parent));
        }
        steps.reverse();
        steps.join(".")
    }

    fn call_key(&self, id: Option<&str>, name: &str, arguments: &Value) -> Option<(String, u64)> {
        Some(match self.matching {
            ToolMatch::Id => (id?.to_owned(), 0),
            ToolMatch::Order => (name.to_owned(), 0),
            ToolMatch::Arguments => (name.to_owned(), hash_data(arguments, &self.settings)),
        })
    }

    /// The steps with results that were not requested. A tool of another agent is not requested if that
    /// agent's answer was taken from the recording, nor is that answer if the host runs the agent itself.
    #[must_use]
    pub fn leftover(&self) -> Vec<String> {
        // Whether the recording answered for the agent that each run is in.
        let mut is_answered: Vec<bool> = Vec::with_capacity(self.all.len());
        let mut left = Vec::new();
        for (at, place) in self.all.iter().enumerate() {
            let parent =
                place.parent.and_then(|parent| Some((self.all.get(parent)?, is_answered.get(parent)?)));
            let answered = parent.is_some_and(|(parent, &above)| !parent.entered && (parent.used || above));
            is_answered.push(answered);
            if !place.used && !place.entered && !answered {
                left.push(self.path(at));
            }
        }
        left
    }

    /// Answers one call: `{id?, name, arguments}`, the arguments as data or as JSON text.
    ///
    /// # Errors
    /// When it is no call.
    pub fn call_value(&mut self, call: &Value) -> Result<ToolAnswer, InvalidInput> {
        let name = call.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| InvalidInput::from("a tool call has no `name`"))?;
        let id = call.get("id").and_then(Value::as_str);
        let arguments = crate::wire::parse_arguments(call.get("arguments"));
        Ok(self.call(id, name, &arguments))
    }

    /// Answers one call.
    pub fn call(&mut self, id: Option<&str>, name: &str, arguments: &Value) -> ToolAnswer {
        let key = self.call_key(id, name, arguments);
        let candidates = key.as_ref().and_then(|key| self.runs.get(key));
        let found = candidates.and_then(|steps| {
            let fits = |(_, step): &(usize, &usize)| self.mismatch(**step, name, arguments).is_none();
            steps.iter().enumerate().find(fits).map(|(at, step)| (at, *step))
        });
        let (Some((at, step)), Some(key)) = (found, key) else {
            return ToolAnswer::Miss { miss: Box::new(self.miss(id, name, arguments)) };
        };
        if let Some(steps) = self.runs.get_mut(&key) {
            steps.remove(at);
        }
        self.mark_used(step);
        let named = self.path(step);
        match self.run(step) {
            Some(run) if !run.success => {
                let error = run.error.as_ref().map(|error| error.to_text().to_string());
                let error = error.unwrap_or_else(|| match &run.result {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                });
                ToolAnswer::Error { step: named, error }
            }
            run => {
                ToolAnswer::Result { step: named, result: run.map(ToolRun::host_result).unwrap_or_default() }
            }
        }
    }

    /// Marks a run as used, and the agents around it as run by the host.
    fn mark_used(&mut self, at: usize) {
        if let Some(place) = self.all.get_mut(at) {
            place.used = true;
        }
        let parent = |session: &Self, at: usize| session.all.get(at).and_then(|place| place.parent);
        let mut above = parent(self, at);
        while let Some(at) = above {
            let Some(place) = self.all.get_mut(at).filter(|place| !place.entered) else { break };
            place.entered = true;
            above = parent(self, at);
        }
    }

    /// How many arguments differ from those of a recorded run.
    fn distance(&self, step: usize, arguments: &Value) -> usize {
        let recorded = self.run(step).map(|run| crate::wire::parse_arguments(Some(&run.parameters)));
        let (Some(Value::Object(a)), Value::Object(b)) = (recorded, arguments) else { return usize::MAX };
        let changed = a.iter().filter(|(key, value)| b.get(*key) != Some(*value)).count();
        changed + b.keys().filter(|key| !a.contains_key(*key)).count()
    }

    /// The reason why a recorded run does not match this call.
    fn mismatch(&self, step: usize, name: &str, arguments: &Value) -> Option<Difference> {
        match self.matching {
            ToolMatch::Order => None,
            // The arguments may differ, but an id belongs to one tool.
            ToolMatch::Id => {
                self.argument_difference(step, name, arguments).filter(|found| found.path == "name")
            }
            ToolMatch::Arguments => self.argument_difference(step, name, arguments),
        }
    }

    /// The first difference of a recorded run and this call.
    fn argument_difference(&self, step: usize, name: &str, arguments: &Value) -> Option<Difference> {
        let run = self.run(step)?;
        let one = |name: &str, arguments: &Value| ToolCall {
            id: String::new(),
            name: name.to_owned(),
            arguments: arguments.clone(),
        };
        let recorded = crate::wire::parse_arguments(Some(&run.parameters));
        let [expected, actual] = [one(&run.name.value, &recorded), one(name, arguments)];
        Comparison::default().name_and_arguments_difference(&expected, &actual, &self.settings.ignore)
    }

    fn miss(&self, id: Option<&str>, name: &str, arguments: &Value) -> ToolMiss {
        let shown = crate::text::json_line(arguments);
        // By id, the runs with the same id are nearest, for any tool.
        let by_id = id.filter(|_| self.matching == ToolMatch::Id).and_then(|id| self.by_id.get(id));
        let Some(runs) = by_id.or_else(|| self.by_tool.get(name)) else {
            let meant = closest(name, self.by_tool.keys().map(String::as_str));
            let hint = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "let the tool run live, or record the run again".to_owned(),
            };
            let text =
                format!("the tool `{name}` has no recorded result\n  called with: {shown}\n  hint: {hint}");
            return ToolMiss { nearest: Vec::new(), hint, text };
        };
        let near = |step: &usize| {
            let found = self.argument_difference(*step, name, arguments);
            let (path, expected, actual) = match found {
                Some(found) => (Some(found.path), found.expected, found.actual),
                None => (None, None, None),
            };
            let is_used = self.all.get(*step).is_some_and(|place| place.used);
            let distance = self.distance(*step, arguments);
            (distance, *step, NearestRun { step: self.path(*step), path, expected, actual, used: is_used })
        };
        let mut nearest: Vec<_> = runs.iter().take(LOOKED_AT).map(near).collect();
        crate::text::sort_by_key(&mut nearest, |(distance, step, _)| (*distance, *step));
        let nearest: Vec<NearestRun> = nearest.into_iter().take(NEAREST).map(|(_, _, near)| near).collect();
        let alike =
            self.call_key(id, name, arguments).and_then(|key| self.totals.get(&key)).copied().unwrap_or(0);
        let names = || by_id.into_iter().flatten().filter_map(|step| Some(&*self.run(*step)?.name.value));
        let other = names().next().filter(|_| names().all(|known| known != name));
        let (what, hint) = match (self.matching, id) {
            (ToolMatch::Id, Some(id)) if other.is_some() => (
                format!("the call `{id}` is to `{}`, not to `{name}`", other.unwrap_or_default()),
                "use the recorded call id, or match by `arguments`".to_owned(),
            ),
            (ToolMatch::Id, None) => (
                format!("a call to `{name}` has no id"),
                "tools are matched by id: use the recorded id, or match by `arguments`".to_owned(),
            ),
            (ToolMatch::Id, Some(id)) if alike > 0 => (
                format!("the recorded result of the call `{id}` to `{name}` is already used"),
                "the agent uses the same id for two calls".to_owned(),
            ),
            (ToolMatch::Id, Some(id)) => (
                format!("no result of `{name}` with the call id `{id}` is recorded"),
                "a live model creates its own ids: match by `arguments`".to_owned(),
            ),
            _ if alike > 0 => (
                format!("all {alike} recorded results of this call to `{name}` are used"),
                "the agent calls it more often than recorded: record the run again".to_owned(),
            ),
            _ => (
                format!("no result of `{name}` with these arguments is recorded"),
                "if this is intended, record the run again; to use results in order, match by `order`"
                    .to_owned(),
            ),
        };
        let mut text = format!("{what}\n  called with: {shown}");
        for near in &nearest {
            let shown =
                |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), crate::text::json_line);
            let used = if near.used { ", and is already used" } else { "" };
            let why = match &near.path {
                Some(path) => {
                    format!(
                        "{path} is {} there, but {} here{used}",
                        shown(&near.expected),
                        shown(&near.actual)
                    )
                }
                None if near.used => "which is already used".to_owned(),
                None => "with the same arguments".to_owned(),
            };
            text.push_str(&format!("\n  near: step {}, {why}", near.step));
        }
        text.push_str(&format!("\n  hint: {hint}"));
        ToolMiss { nearest, hint, text }
    }
}
