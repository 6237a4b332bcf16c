//! What of a simulation the page cannot read by its own type. Each name is that of the field that the simulation writes.

use serde::Deserialize;

use super::Place;
use crate::wire::ToolCall;

/// A [`Progress`](crate::simulate::Progress) without what its kinds have of their own: the page decodes no enums with data.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SimulationProgress {
    /// Which it is.
    pub kind: ProgressKind,
    /// The key of the agent; empty when nothing is needed.
    #[serde(default)]
    pub agent: String,
    /// The call of the tool that the host runs.
    pub call: Option<ToolCall>,
}

/// The kinds of [`Progress`](crate::simulate::Progress).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProgressKind {
    /// Code of the host has to answer for a model.
    NeedsResponse,
    /// The host has to run a tool.
    NeedsTool,
    /// The host has to call a function of a handler.
    NeedsFunction,
    /// Something happened.
    Event,
    /// All steps were run.
    Done,
}

/// A [`SimulationProblem`](super::SimulationProblem) without the code of its rule: to read that, the page would hold the table of all codes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ListedSimulationProblem {
    /// What is wrong.
    pub message: String,
    /// Where in the text.
    pub place: Place,
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::parse::Limits;
    use crate::simulate::{Event, Progress};
    use crate::view::{SimulationProblem, simulation};

    #[test]
    fn progress_is_read_as_it_is_written() {
        let read = |progress: &Progress| {
            let SimulationProgress { kind, agent, call } = serde_json::from_value(json!(progress)).unwrap();
            (kind, agent, call)
        };
        let call = ToolCall { id: "c".to_owned(), name: "f".to_owned(), arguments: json!({"a": 1}) };
        let needs = Progress::NeedsTool { agent: "bot".to_owned(), call: call.clone(), ahead: Vec::new() };
        assert_eq!(read(&needs), (ProgressKind::NeedsTool, "bot".to_owned(), Some(call)));
        let external = "agents: [{name: bot, external: true}]\nsteps: [{op: call, content: Hi}]";
        let needs = simulation(external, &Limits::default()).unwrap().run();
        assert_eq!(read(&needs), (ProgressKind::NeedsResponse, "bot".to_owned(), None));
        let event = Event { event: "e".into(), agent: "bot".to_owned(), fields: Map::new() };
        assert_eq!(read(&Progress::Event { event }).0, ProgressKind::Event);
        assert_eq!(read(&Progress::Done), (ProgressKind::Done, String::new(), None));
    }

    #[test]
    fn a_problem_is_read_as_it_is_written() {
        let text = "agents: [{name: bot}]\nsteps: [{op: cal}]";
        let problems: Vec<SimulationProblem> = simulation(text, &Limits::default()).unwrap_err();
        let read: Vec<ListedSimulationProblem> = serde_json::from_value(json!(problems)).unwrap();
        let [ListedSimulationProblem { message, place }] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!((message, place), (&problems[0].message, &problems[0].place));
    }
}
