//! Agents, tools and conversations run on handlers, step by step, without calling back into the host.
//!
//! A [`Simulation`] is made of plain data: agents with their instructions, tools and handlers, and steps. It
//! runs until code of the host must answer or a tool of the host must run. Its [`Report`] has the outcome.
//! Under the profile `good-agent` it does what the Python library was observed to do, under `default` what
//! the documents promise.

mod agent;
mod answer;
mod arguments;
mod engine;
mod flow;
mod forms;
mod history;
mod input;
mod jinja;
mod limits;
mod machine;
mod message;
mod model_call;
mod report;
mod reporting;
mod run;
mod sequence;
mod shape;
mod step;
mod tool;
mod transcript;
mod use_tool;

pub use input::{InputError, Profile};
pub use limits::Limits;
pub use machine::{Progress, ResponseContext, Simulation};
pub use message::{SimMessage, SimResponse};
pub use report::{
    AgentReport, Event, Execution, ModelAnswer, ModelCall, Report, RosterEntry, SimError, StepReport,
};
pub use shape::SCENARIO;
