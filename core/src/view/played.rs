//! A document played: its recording against itself, or its handlers in the place of the model.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::simulate::simulation_with;
use super::{CheckView, ListedOutcome, difference, difference_options};
use crate::document::{Document, Options};
use crate::mock::Code;
use crate::model::{Message, Role, Transcript, TurnKind};
use crate::parse::{Node, parse};
use crate::replay::{ReplayAnswer, Session, Settings, ToolAnswer, ToolMatch, ToolSession};
use crate::simulate::{Progress, Simulation};
use crate::text::{JsonMap, json};
use crate::write;

/// How a document is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayMode {
    /// Each recorded request is made again and gets the recorded answer.
    #[default]
    Strict,
    /// The handlers answer for the model, and the tools give what was recorded.
    MockedTools,
    /// The handlers answer for the model and the tools give their own results, and nothing but the assertions is held against
    /// what comes of it.
    Property,
}

impl PlayMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Strict, Self::MockedTools, Self::Property];

    /// The mode of that name: `strict`, `mocked-tools`, `property`.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::MockedTools => "mocked-tools",
            Self::Property => "property",
        }
    }
}

/// The result of playing a document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayResult {
    /// Whether it could be played.
    pub ok: bool,
    /// Why not.
    pub reason: Option<String>,
    /// What became of the recorded steps. A message that arrives is none that could differ, and is left out.
    pub steps: Vec<PlayedStep>,
    /// How many steps the run had that were not recorded.
    pub extra: usize,
    /// The outcomes of the assertions, held against the run.
    pub outcomes: Vec<ListedOutcome>,
    /// The run as a transcript in YAML, where handlers answered.
    pub text: Option<String>,
    /// Notes, as clauses.
    pub notes: Vec<String>,
}

/// What became of a recorded step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PlayedStep {
    /// The step.
    pub path: String,
    /// Its status.
    pub status: PlayStatus,
    /// What differs, in short.
    pub why: Option<String>,
}

/// The status of a recorded step in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayStatus {
    /// The run has the same step.
    Matched,
    /// The recording answered for the tool.
    Substituted,
    /// The run did not come to the step.
    Skipped,
    /// The step of the run is different.
    Diverged,
}

/// Plays a document that holds a recorded run.
///
/// ```
/// use transcript_core::document::{Document, Options};
/// use transcript_core::view::{PlayMode, PlayStatus, play_document};
/// let text = "handlers: {bot: {type: queue, responses: [Good day]}}\n\
///             messages: ['user: Hi', 'assistant: Hello!']\nassertions: [{contains: Hello}]";
/// let options = Options::default();
/// let document = Document::open_with(text, &options);
/// let strict = play_document(&document, PlayMode::Strict, &options);
/// assert_eq!(strict.steps[0].status, PlayStatus::Matched);
/// let mocked = play_document(&document, PlayMode::MockedTools, &options);
/// assert_eq!(mocked.steps[0].status, PlayStatus::Diverged);
/// assert_eq!(mocked.outcomes[0].message, "`msg_002` does not contain `Hello`");
/// ```
#[must_use]
pub fn play_document(document: &Document, mode: PlayMode, options: &Options) -> PlayResult {
    let Some(timeline) = document.timeline().filter(|_| document.is_whole()) else {
        return refused("the document contains no complete run");
    };
    if timeline.steps() == 0 {
        return refused("the document contains no run; open the Handlers view to try its handlers");
    }
    match mode {
        PlayMode::Strict => play_strictly(document),
        mode => play_with_handlers(document, timeline.transcript(), mode, options),
    }
}

fn refused(reason: impl Into<String>) -> PlayResult {
    PlayResult { reason: Some(reason.into()), ..PlayResult::default() }
}

fn play_strictly(document: &Document) -> PlayResult {
    let mut played = PlayResult { ok: true, outcomes: listed(document.check()), ..PlayResult::default() };
    let Some(timeline) = document.timeline() else { return played };
    let mut answered: Vec<(String, Option<String>)> = Vec::new();
    let settings = Settings::from_value(&Value::Null).unwrap_or_default();
    match Session::with(timeline.clone(), settings) {
        Ok(mut session) => {
            while let Some(answer) = session.rehearse() {
                match answer {
                    ReplayAnswer::Response { step, .. } | ReplayAnswer::Error { step, .. } => {
                        answered.push((step, None))
                    }
                    ReplayAnswer::Divergence { divergence } => {
                        let why = divergence.text.lines().next().unwrap_or_default().to_owned();
                        answered.push((divergence.step.clone(), Some(why)));
                        break;
                    }
                }
            }
        }
        Err(reason) => played.notes.push(reason.to_string()),
    }
    let answered: crate::text::Table<String, Option<String>> = answered.into_iter().collect();
    for row in document.steps() {
        let (status, why) = match (&*row.kind, answered.get(&row.path)) {
            ("tool_call", _) => (PlayStatus::Substituted, None),
            ("llm_call", Some(None)) => (PlayStatus::Matched, None),
            ("llm_call", Some(Some(why))) => (PlayStatus::Diverged, Some(why.clone())),
            ("llm_call", None) => (PlayStatus::Skipped, None),
            _ => continue,
        };
        played.steps.push(PlayedStep { path: row.path, status, why });
    }
    played
}

fn play_with_handlers(
    document: &Document,
    run: &Transcript,
    mode: PlayMode,
    options: &Options,
) -> PlayResult {
    if !run.agents.is_empty() {
        return refused("a run with several agents cannot be played with handlers");
    }
    let Some(root) = parse(document.text(), &options.limits).root else { return refused("it is empty") };
    let Some((name, handlers)) = root.present("handlers").and_then(|handlers| {
        let handlers = handlers.to_map();
        Some((handlers.keys().next()?.clone(), handlers))
    }) else {
        return refused("the document has no `handlers`");
    };
    let scenario = scenario(run, &name, handlers, recorded_tools(&root, run, mode));
    let begun = match simulation_with(&scenario.to_string(), &options.limits, &Code::default()) {
        Ok(begun) => begun,
        Err(problems) => {
            let first = problems.into_iter().next();
            let message = first.map(|problem| format!("`{}` {}", problem.path, problem.message));
            return refused(message.unwrap_or_default());
        }
    };
    let mut simulation = begun.simulation;
    let Some(timeline) = document.timeline() else { return refused("there is no run") };
    let tools = ToolSession::new(timeline.clone(), ToolMatch::Arguments, Settings::default());
    let (substituted, mut notes) = play(&mut simulation, tools);
    let text = write::yaml(&simulation.transcript());
    let actual = Document::open_with(&text, options);
    let (steps, extra) = compare_steps(document, &actual, &substituted);
    if simulation.report().steps.iter().any(|step| step.error.is_some()) {
        notes.extend(simulation.report().steps.iter().filter_map(|step| {
            step.error.as_ref().map(|error| format!("{}: {}", error.kind, error.message))
        }));
    }
    let outcomes = listed(document.check_against(&actual));
    PlayResult { ok: true, reason: None, steps, extra, outcomes, text: Some(text), notes }
}

fn listed(outcomes: Vec<CheckView>) -> Vec<ListedOutcome> {
    outcomes.into_iter().map(ListedOutcome::from).collect()
}

/// Goes on to the end; tools without results of their own give what was recorded. Returns the steps that this was taken
/// from.
fn play(simulation: &mut Simulation, mut tools: ToolSession) -> (Vec<String>, Vec<String>) {
    let (mut substituted, mut notes) = (Vec::new(), Vec::new());
    loop {
        let taken = match simulation.run() {
            Progress::Done => break,
            Progress::Event { .. } => Ok(()),
            Progress::NeedsTool { call, .. } => match tools.call(None, &call.name, &call.arguments) {
                ToolAnswer::Result { step, result } => {
                    substituted.push(step);
                    simulation.tool_result(&result)
                }
                ToolAnswer::Error { step, error } => {
                    substituted.push(step);
                    simulation.tool_error(&error.into())
                }
                ToolAnswer::Miss { .. } => {
                    notes.push(format!("this call to `{}` has no recorded result", call.name));
                    simulation.tool_error(&format!("`{}` has no recorded result", call.name).into())
                }
            },
            Progress::NeedsResponse { agent, .. } | Progress::NeedsFunction { agent, .. } => {
                notes.push(format!("`{agent}` has a handler in code, so the run ends there"));
                break;
            }
        };
        if taken.is_err() {
            break;
        }
    }
    (substituted, notes)
}

/// The tools that the agent has: with results of their own where these are to be used, else those of the recording.
fn recorded_tools(root: &Node, run: &Transcript, mode: PlayMode) -> Vec<Value> {
    let own = root.get("tools").map(Node::to_value).filter(Value::is_array);
    let own = own.or_else(|| run.config.get("tools").cloned());
    let own = own.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
    let name_of = |tool: &Value| {
        tool.as_str().or_else(|| tool.get("name").and_then(Value::as_str)).unwrap_or_default().to_owned()
    };
    let mut names: Vec<String> = own.iter().map(name_of).collect();
    let mut tools: Vec<Value> = own
        .into_iter()
        .map(|mut tool| {
            if let Some(map) = tool.as_object_mut().filter(|_| mode == PlayMode::MockedTools) {
                map.shift_remove("results");
                map.shift_remove("agent");
            }
            tool
        })
        .collect();
    for tool in run.turns.iter().filter_map(|turn| turn.tool.as_ref()) {
        let name = tool.name.value.to_string();
        if !names.contains(&name) {
            tools.push(name.as_str().into());
            names.push(name);
        }
    }
    tools
}

/// The scenario in which the agent receives the recorded messages and is called wherever it was called in the recording.
fn scenario(run: &Transcript, name: &str, handlers: Map<String, Value>, tools: Vec<Value>) -> Value {
    let mut steps = Vec::new();
    let mut system = String::new();
    let mut append_message = |steps: &mut Vec<Value>, message: &Message| {
        let content = message.content.as_ref().map(crate::model::Content::to_text).unwrap_or_default();
        let role = match &message.role.value {
            Role::System | Role::Developer if steps.is_empty() && system.is_empty() => {
                system = content;
                return;
            }
            Role::System | Role::Developer => "system",
            Role::Assistant => "assistant",
            // An agent cannot receive a result without its call.
            Role::Tool => return,
            Role::User | Role::Other(_) => "user",
        };
        steps.push(json!({ "op": "append", "agent": name, "role": role, "content": content }));
    };
    for message in &run.initial {
        append_message(&mut steps, message);
    }
    let mut is_called = false;
    for turn in &run.turns {
        match turn.kind.value {
            TurnKind::Message => {
                if let Some(message) = &turn.created {
                    append_message(&mut steps, message);
                }
                is_called = false;
            }
            TurnKind::LlmCall if !is_called => {
                steps.push(json!({ "op": "execute", "agent": name }));
                is_called = true;
            }
            _ => {}
        }
    }
    let mut agent = json!({ "name": name, "tools": tools, "context": run.context });
    if let (Some(agent), false) = (agent.as_object_mut(), system.is_empty()) {
        agent.put("system", system.into());
    }
    let handlers: Map<String, Value> = handlers.into_iter().filter(|(key, _)| key == name).collect();
    json!({ "agents": [agent], "handlers": handlers, "steps": steps })
}

/// The parts of a step in which a difference counts: answers, calls, results and messages.
const COUNTED: [&str; 6] = [
    "llm_response.content",
    "llm_response.tool_calls",
    "llm_error",
    "tool_call",
    "message_created.content",
    "type",
];

/// The outcome of each recorded step, and the number of further steps of the actual run.
fn compare_steps(document: &Document, actual: &Document, substituted: &[String]) -> (Vec<PlayedStep>, usize) {
    let ignored = json!({ "ignore": ["timestamps", "usage", "ulids", "ids"] });
    let found = difference_options(&ignored).ok().and_then(|options| difference(document, actual, &options));
    let rows: Vec<_> = document.steps().into_iter().filter(|row| row.depth == 0).collect();
    let Some(found) = found else { return (Vec::new(), 0) };
    let extra = found.steps.iter().filter(|(left, _)| left.is_none()).count();
    let pairs: crate::text::Table<usize, Option<usize>> =
        found.steps.iter().filter_map(|(left, right)| Some(((*left)?, *right))).collect();
    let steps = rows.into_iter().filter(|row| matches!(&*row.kind, "llm_call" | "tool_call")).map(|row| {
        let part = |path: &str| path.split_once("].").map(|(_, part)| part.to_owned()).unwrap_or_default();
        let counts = |part: &str| {
            // The id of a call is no difference, and neither is how long it took.
            COUNTED.iter().any(|counted| part.starts_with(counted))
                && !["id", "duration_ms"].iter().any(|end| part.ends_with(&format!(".{end}")))
        };
        let change = found
            .changes
            .iter()
            .find(|change| change.left_step.as_deref() == Some(&*row.path) && counts(&part(&change.path)));
        let (status, why) = match (pairs.get(&row.index), change) {
            (Some(Some(_)), Some(change)) => (PlayStatus::Diverged, Some(part(&change.path))),
            (Some(Some(_)), None) if substituted.contains(&row.path) => (PlayStatus::Substituted, None),
            (Some(Some(_)), None) => (PlayStatus::Matched, None),
            _ => (PlayStatus::Skipped, None),
        };
        PlayedStep { path: row.path, status, why }
    });
    (steps.collect(), extra)
}

#[cfg(test)]
mod tests {
    use super::PlayStatus::{Diverged, Matched, Skipped, Substituted};
    use super::*;

    const RUN: &str = "messages:\n  - 'system: Be brief'\n  - 'user: The weather?'\n  - \"assistant:call weather(city='Rome')\"\n  - 'tool:weather: {temp: 21}'\n  - \"assistant: It's 21 degrees.\"\n";

    fn play_text(text: &str, mode: PlayMode) -> PlayResult {
        let options = Options::default();
        play_document(&Document::open_with(text, &options), mode, &options)
    }

    fn statuses(played: &PlayResult) -> Vec<PlayStatus> {
        played.steps.iter().map(|step| step.status).collect()
    }

    #[test]
    fn strictly_the_recording_answers_itself() {
        let played = play_text(RUN, PlayMode::Strict);
        assert_eq!(statuses(&played), [Matched, Substituted, Matched]);
        assert!(played.ok && played.text.is_none());
    }

    #[test]
    fn handlers_stand_in_for_the_model_and_the_recording_for_its_tools() {
        let with = |last: &str| {
            format!(
                "{RUN}handlers:\n  bot:\n    type: queue\n    responses:\n      - {{content: '', tool_calls: [{{name: weather, arguments: {{city: Rome}}}}]}}\n      - \"{last}\"\nassertions: [{{final_response_contains: '21'}}]\n"
            )
        };
        let same = play_text(&with("It's {{ last_result.temp }} degrees."), PlayMode::MockedTools);
        assert_eq!(statuses(&same), [Matched, Substituted, Matched], "{same:?}");
        assert_eq!(same.extra, 0);
        let other = play_text(&with("It's warm."), PlayMode::MockedTools);
        assert_eq!(statuses(&other), [Matched, Substituted, Diverged]);
        assert_eq!(other.steps[2].why.as_deref(), Some("llm_response.content"));
        assert_eq!(other.outcomes[0].status, crate::check::Status::Failed);
        assert!(other.text.unwrap().contains("It's warm."));
    }

    #[test]
    fn a_run_that_ends_sooner_skips_steps() {
        let text = format!("{RUN}handlers: {{bot: {{type: queue, responses: [No idea]}}}}\n");
        let played = play_text(&text, PlayMode::Property);
        assert!(statuses(&played).contains(&Skipped), "{played:?}");
    }

    #[test]
    fn without_handlers_there_is_nobody_to_answer() {
        let played = play_text(RUN, PlayMode::MockedTools);
        assert!(!played.ok);
        assert_eq!(played.reason.as_deref(), Some("the document has no `handlers`"));
    }
}
