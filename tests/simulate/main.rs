//! Agents, tools and conversations run on handlers.

mod default_profile;
mod errors;
mod functions;
mod hostile;
mod input;
mod library;
mod nested;
mod page;
mod seed;
mod surface;

use serde_json::Value;
use transcript_core::simulate::{Progress, Report, Simulation};

/// Runs an input that needs nothing of the host, and holds its transcript to what must be true of all.
fn run(input: &Value) -> Report {
    let mut simulation = Simulation::new(input).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(simulation.run(), Progress::Done);
    finished(&simulation)
}

fn finished(simulation: &Simulation) -> Report {
    transcript_tests::simulated::holds(simulation).unwrap_or_else(|fault| panic!("{fault}"));
    let report = simulation.report();
    assert!(report.done);
    report
}

/// What a step gave out, as `role: content`.
fn step_messages(report: &Report, step: usize) -> Vec<String> {
    let step = &report.steps[step];
    let messages = step.yielded.iter().flatten().chain(&step.returned);
    messages.map(|message| format!("{}: {}", message.role, message.content.as_str().unwrap())).collect()
}
