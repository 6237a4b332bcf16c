//! Questions about a conversation with the handlers of a document.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::{CallOf, Question, Start};
use crate::simulate::Report;
use crate::text::json;
use crate::view::{ListedSimulationProblem, SimulationProgress};

/// Starts a conversation in which a user sends messages.
#[derive(Clone, Debug)]
pub struct StartSimulation {
    /// The messages.
    pub user: Vec<String>,
    /// The agent that gets them; `None` for the first.
    pub agent: Option<String>,
}

impl Start for StartSimulation {
    const KIND: &'static str = "simulation";

    fn options(&self) -> Value {
        json!({ "user": self.user, "agent": self.agent })
    }
}

/// Why it cannot begin; nothing when it can.
#[derive(Clone, Copy, Debug)]
pub struct SimulationProblems;

impl Question for SimulationProblems {
    type Answer = Vec<ListedSimulationProblem>;

    fn name(&self) -> &'static str {
        "problems"
    }
}

impl CallOf<StartSimulation> for SimulationProblems {}

/// Runs it until it needs the host.
#[derive(Clone, Copy, Debug)]
pub struct RunSimulation;

impl Question for RunSimulation {
    type Answer = SimulationProgress;

    fn name(&self) -> &'static str {
        "run"
    }
}

impl CallOf<StartSimulation> for RunSimulation {}

/// What it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationAnswer {
    /// The answer in place of an agent.
    Response(Value),
    /// The result of a tool.
    ToolResult(Value),
    /// How a tool failed.
    ToolError(Value),
}

impl Question for SimulationAnswer {
    type Answer = IgnoredAny;

    fn name(&self) -> &'static str {
        match self {
            Self::Response(_) => "response",
            Self::ToolResult(_) => "toolResult",
            Self::ToolError(_) => "toolError",
        }
    }

    fn options(&self) -> Value {
        let (Self::Response(value) | Self::ToolResult(value) | Self::ToolError(value)) = self;
        value.clone()
    }
}

impl CallOf<StartSimulation> for SimulationAnswer {}

/// What happened so far.
#[derive(Clone, Copy, Debug)]
pub struct SimulationReport;

impl Question for SimulationReport {
    type Answer = Report;

    fn name(&self) -> &'static str {
        "report"
    }
}

impl CallOf<StartSimulation> for SimulationReport {}

/// The run as a transcript in YAML.
#[derive(Clone, Copy, Debug)]
pub struct SimulationText;

impl Question for SimulationText {
    type Answer = String;

    fn name(&self) -> &'static str {
        "text"
    }
}

impl CallOf<StartSimulation> for SimulationText {}
