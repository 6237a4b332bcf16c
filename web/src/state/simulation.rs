//! A conversation with the handlers of the open document.
//!
//! Only the messages of the person are kept: after every message, step back and change of the text the conversation is
//! rerun from its beginning, which gives the same answers as long as the handlers are the same.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use transcript_core::edit::Change;
use transcript_core::simulate::Report;
use transcript_core::text::Table;
use transcript_core::view::question::{
    ListHandlers, RunSimulation, SimulationAnswer, SimulationProblems, SimulationReport, SimulationText,
    StartSimulation,
};
use transcript_core::view::{
    HandlersView, ListedSimulationProblem, ProgressKind, SimulationProgress, Utf16Range,
};

use super::ptr_arc::PtrArc;
use super::route::View;
use super::workspace::{Tab, Workspace};
use crate::io::authoring::{self, WorkerHandle};
use crate::io::workers::WorkerError;
use crate::strings::{fill, text};

/// Something that the run waits for: the result of a tool, or an answer in place of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingAnswer {
    pub(crate) agent: String,
    /// The tool with its arguments; `None` to answer for the agent itself.
    pub(crate) tool: Option<(String, Value)>,
    /// What the answer is kept under.
    key: String,
}

/// What the page knows of the handlers. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simulation {
    workspace: Workspace,
    /// The handlers of the document; `None` before they are read.
    pub(crate) spec: RwSignal<Option<PtrArc<HandlersView>>>,
    /// The recipient of the messages; the first agent when empty.
    agent: RwSignal<String>,
    /// The messages that the person sent.
    pub(crate) messages: RwSignal<Vec<String>>,
    /// The report on the run; without agents before the first message.
    pub(crate) report: RwSignal<PtrArc<Report>>,
    /// Why it cannot begin.
    pub(crate) problems: RwSignal<PtrArc<Vec<ListedSimulationProblem>>>,
    /// Why there is no report at all.
    pub(crate) failed: RwSignal<Option<String>>,
    pub(crate) ask: RwSignal<Option<PendingAnswer>>,
    /// A note about what was just saved, or why it was not.
    pub(crate) note: RwSignal<Option<String>>,
    /// Results that the person typed, by the key of their request: whether it succeeded, and with what.
    answers: StoredValue<Table<String, (bool, Value)>>,
    handle: StoredValue<Option<Rc<WorkerHandle<StartSimulation>>>, LocalStorage>,
    /// Counts the runs; an outdated run is ignored.
    run: StoredValue<u32>,
    requests: StoredValue<u32>,
}

impl Simulation {
    /// Starts to follow the document wherever the view of handlers is shown.
    pub(crate) fn new(workspace: Workspace) -> Self {
        let simulation = Self {
            workspace,
            spec: RwSignal::default(),
            agent: RwSignal::default(),
            messages: RwSignal::default(),
            report: RwSignal::new(PtrArc::new(Report::default())),
            problems: RwSignal::new(PtrArc::new(Vec::new())),
            failed: RwSignal::default(),
            ask: RwSignal::default(),
            note: RwSignal::default(),
            answers: StoredValue::default(),
            handle: StoredValue::new_local(None),
            run: StoredValue::default(),
            requests: StoredValue::default(),
        };
        let opened = StoredValue::new(0);
        Effect::new(move || {
            if !workspace.editing() || workspace.view() != View::Handlers {
                return;
            }
            let opening = workspace.revision.with(|revision| revision.opening);
            if opened.get_value() != opening {
                opened.set_value(opening);
                simulation.spec.set(None);
                simulation.agent.set(String::new());
                simulation.forget();
            }
            simulation.read();
            untrack(|| simulation.start());
        });
        simulation
    }

    /// That of the page, from any of its components.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// The agents that take messages.
    pub(crate) fn agents(self) -> Vec<String> {
        self.spec.with(|spec| {
            let agents = spec.iter().flat_map(|spec| &spec.agents);
            agents.map(|one| one.agent.clone()).collect()
        })
    }

    /// The recipient of the messages.
    pub(crate) fn agent(self) -> String {
        let chosen = self.agent.get();
        let agents = self.agents();
        if agents.contains(&chosen) { chosen } else { agents.into_iter().next().unwrap_or_default() }
    }

    /// Switches to another agent, from the beginning.
    pub(crate) fn select_agent(self, agent: String) {
        self.agent.set(agent);
        self.reset();
    }

    /// The messages of the document's scenario.
    pub(crate) fn scenario(self) -> Vec<String> {
        self.spec.with(|spec| spec.as_ref().map(|spec| spec.messages.clone()).unwrap_or_default())
    }

    /// Sends all messages of the scenario, from the beginning.
    pub(crate) fn send_scenario(self) {
        let scenario = untrack(|| self.scenario());
        if let Some(to) = self.spec.with_untracked(|spec| spec.as_ref()?.to.clone()) {
            self.agent.set(to);
        }
        self.messages.set(scenario);
        self.start();
    }

    pub(crate) fn send(self, message: String) {
        self.note.set(None);
        self.messages.update(|messages| messages.push(message));
        self.start();
    }

    /// Takes the last message back, with all that followed from it.
    pub(crate) fn step_back(self) {
        self.note.set(None);
        self.messages.update(|messages| drop(messages.pop()));
        self.start();
    }

    pub(crate) fn reset(self) {
        self.forget();
        self.start();
    }

    fn forget(self) {
        self.note.set(None);
        self.messages.set(Vec::new());
        self.answers.set_value(Table::new());
    }

    /// Gives what the run waits for: a result or answer, or with `failed` how the tool fails. JSON is taken as data,
    /// anything else as a text.
    pub(crate) fn give_answer(self, input: &str, failed: bool) {
        let Some(ask) = self.ask.get_untracked() else { return };
        let value = serde_json::from_str(input).unwrap_or_else(|_| Value::from(input));
        let value = if failed || ask.tool.is_none() { Value::from(input) } else { value };
        self.answers.update_value(|answers| drop(answers.insert(ask.key, (!failed, value))));
        self.start();
    }

    /// Reads the handlers of the text of now.
    fn read(self) {
        let text = self.workspace.revision.with(|revision| revision.text.clone());
        let number = self.requests.with_value(|requests| requests + 1);
        self.requests.set_value(number);
        spawn_local(async move {
            let answer = authoring::ask(ListHandlers { text: &text }).await;
            if self.requests.get_value() != number {
                return;
            }
            match answer {
                Ok(spec) => {
                    self.spec.set(Some(PtrArc::new(spec)));
                    // The recipient may have another name now.
                    if self.failed.with_untracked(Option::is_some) {
                        self.start();
                    }
                }
                Err(error) => self.failed.set(Some(error.to_string())),
            }
        });
    }

    /// Runs the conversation from its beginning.
    fn start(self) {
        let number = self.run.with_value(|run| run + 1);
        self.run.set_value(number);
        if self.messages.with_untracked(Vec::is_empty) {
            self.handle.set_value(None);
            self.set_report(Report::default(), Vec::new(), None);
            self.failed.set(None);
            return;
        }
        spawn_local(async move {
            let result = self.follow(number).await;
            if self.run.get_value() == number {
                self.failed.set(result.err().map(|error| error.to_string()));
            }
        });
    }

    /// Whether a run was overtaken by another one.
    fn is_over(self, number: u32) -> bool {
        self.run.get_value() != number
    }

    fn set_report(self, report: Report, problems: Vec<ListedSimulationProblem>, ask: Option<PendingAnswer>) {
        self.problems.set(PtrArc::new(problems));
        self.report.set(PtrArc::new(report));
        self.ask.set(ask);
    }

    async fn follow(self, number: u32) -> Result<(), WorkerError> {
        let text = self.workspace.revision.with_untracked(|revision| revision.text.clone());
        let chosen = self.agent.get_untracked();
        let is_there = untrack(|| self.agents()).contains(&chosen);
        let agent = is_there.then_some(chosen);
        let start = StartSimulation { user: self.messages.get_untracked(), agent };
        let handle = Rc::new(WorkerHandle::begin(&text, start).await?);
        let problems = handle.ask(SimulationProblems).await?;
        if self.is_over(number) {
            return Ok(());
        }
        if !problems.is_empty() {
            self.handle.set_value(None);
            self.set_report(Report::default(), problems, None);
            return Ok(());
        }
        let mut responses = 0;
        let ask = loop {
            let need = handle.ask(RunSimulation).await?;
            if self.is_over(number) {
                return Ok(());
            }
            let Some(ask) = pending_answer(need, &mut responses) else { break None };
            let Some((succeeded, value)) = self.answers.with_value(|answers| answers.get(&ask.key).cloned())
            else {
                break Some(ask);
            };
            let answer = match (ask.tool.is_some(), succeeded) {
                (true, true) => SimulationAnswer::ToolResult(value),
                (true, false) => SimulationAnswer::ToolError(value),
                (false, _) => SimulationAnswer::Response(value),
            };
            handle.ask(answer).await?;
        };
        let report = handle.ask(SimulationReport).await?;
        if !self.is_over(number) {
            self.handle.set_value(Some(handle));
            self.set_report(report, Vec::new(), ask);
        }
        Ok(())
    }

    /// Selects a place of the source.
    pub(crate) fn show(self, place: Utf16Range) {
        drop(self.workspace.read_now());
        self.workspace.show_text(place.start, place.end);
    }

    /// Opens the run as a transcript of its own.
    pub(crate) fn save_as_transcript(self) {
        let Some(handle) = self.handle.get_value() else { return };
        spawn_local(async move {
            match handle.ask(SimulationText).await {
                Ok(run) => {
                    let name = self.workspace.name.get_untracked();
                    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
                    self.workspace.create_from_text(&format!("{stem}_run.yaml"), &run);
                }
                Err(error) => self.note.set(Some(error.to_string())),
            }
        });
    }

    /// Writes the messages into the document as its scenario, with the results that the person typed.
    pub(crate) fn save_as_scenario(self) {
        let agent = untrack(|| self.agent());
        let step = |content: &String| json!({ "op": "execute", "agent": agent, "content": content });
        let steps: Vec<Value> = self.messages.with_untracked(|messages| messages.iter().map(step).collect());
        let mut changes = self.tool_changes();
        changes.push(Change::Set { path: vec!["steps".into()], value: steps.into() });
        self.change(changes, text::scenario_saved());
    }

    /// Gives the handler of the agent something to say where no rule fits.
    pub(crate) fn add_default(self) {
        let path = vec!["handlers".into(), untrack(|| self.agent()).as_str().into(), "default".into()];
        self.change(vec![Change::Set { path, value: text::default_answer().into() }], text::default_added());
    }

    /// The tools of the document with the results that the person typed.
    fn tool_changes(self) -> Vec<Change> {
        let answers = self.answers.get_value();
        self.spec.with_untracked(|spec| {
            let tools = spec.as_ref().map(|spec| spec.tools.as_slice()).unwrap_or_default();
            let change = |(at, tool): (usize, &Value)| {
                let name = tool["name"].as_str().or(tool.as_str())?;
                let mut results = Vec::new();
                for (key, (succeeded, value)) in answers.iter() {
                    let Some(arguments) = arguments_of(key, name) else { continue };
                    let mut result = json!({ if *succeeded { "return" } else { "error" }: value });
                    if arguments.as_object().is_some_and(|arguments| !arguments.is_empty()) {
                        result["match"] = arguments;
                    }
                    if !results.contains(&result) {
                        results.push(result);
                    }
                }
                let mut whole = if tool.is_object() { tool.clone() } else { json!({ "name": name }) };
                whole["results"] = results.into();
                let has_results = whole["results"].as_array().is_some_and(|results| !results.is_empty());
                has_results.then(|| Change::Set { path: vec!["tools".into(), at.into()], value: whole })
            };
            tools.iter().enumerate().filter_map(change).collect()
        })
    }

    /// Makes changes of the text as one edit, which undo takes back.
    fn change(self, changes: Vec<Change>, done: &'static str) {
        let workspace = self.workspace;
        spawn_local(async move {
            // On a narrow screen the change must be visible.
            workspace.tab.set(Tab::Source);
            self.note.set(Some(match workspace.change(changes).await {
                Ok(_) => done.to_owned(),
                Err(error) => fill(text::not_changed(), &[("reason", &error.to_string())]),
            }));
        });
    }
}

/// What a run waits for; `None` when it is over, or waits for what a page cannot give.
fn pending_answer(need: SimulationProgress, responses: &mut usize) -> Option<PendingAnswer> {
    let SimulationProgress { kind, agent, call } = need;
    match kind {
        ProgressKind::NeedsTool => {
            let call = call?;
            // With the arguments in it, an answer is not taken for that to another question.
            let key = json!([call.name, call.arguments, call.id]).to_string();
            Some(PendingAnswer { agent, tool: Some((call.name, call.arguments)), key })
        }
        ProgressKind::NeedsResponse => {
            *responses += 1;
            let key = json!([agent, *responses]).to_string();
            Some(PendingAnswer { agent, tool: None, key })
        }
        ProgressKind::NeedsFunction | ProgressKind::Event | ProgressKind::Done => None,
    }
}

/// The arguments in the key of an answer, if it is one to that tool.
fn arguments_of(key: &str, tool: &str) -> Option<Value> {
    let Ok(Value::Array(mut parts)) = serde_json::from_str(key) else { return None };
    (parts.len() == 3 && parts.first().is_some_and(|name| name == tool)).then(|| parts.swap_remove(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;

    #[test]
    fn an_answer_is_kept_for_its_call_alone() {
        let pending = |city: &str| {
            let need = json!({
                "kind": "needsTool", "agent": "bot",
                "call": {"id": "call_1", "name": "weather", "arguments": {"city": city}},
            });
            pending_answer(decode(&need), &mut 0).unwrap()
        };
        let (paris, rome) = (pending("Paris"), pending("Rome"));
        assert_ne!(paris.key, rome.key);
        assert_eq!(arguments_of(&paris.key, "weather"), Some(json!({"city": "Paris"})));
        assert_eq!(arguments_of(&paris.key, "search"), None);
        assert_eq!(pending_answer(decode(&json!({"kind": "done"})), &mut 0), None);
    }

    #[test]
    fn each_response_of_an_agent_has_a_key_of_its_own() {
        let need = json!({"kind": "needsResponse", "agent": "bot", "context": {}});
        let mut responses = 0;
        let mut next_key = || pending_answer(decode(&need), &mut responses).unwrap().key;
        assert_ne!(next_key(), next_key());
    }
}
