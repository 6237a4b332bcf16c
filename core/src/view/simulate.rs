//! Simulations for page, package and command line: a text goes in, plain data comes out.

use crate::diagnostic::Severity;
use crate::mock::Code;
use crate::parse::{Limits, Node, parse};
use crate::simulate::{SimError, Simulation};
use crate::text::{LineIndex, Place, Span};
use serde::Serialize;
use serde_json::{Value, json};

/// Why a simulation cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulationProblem {
    /// Where in the data, such as `agents[0].tools[1].name`; empty for a text that cannot be read.
    pub path: String,
    /// The name of the error, such as `InputError`.
    pub name: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where in the text.
    pub place: Place,
}

/// Makes a simulation of a text in YAML or JSON; `public/docs/simulate.md` tells of its form.
///
/// # Errors
/// What is wrong with the text, or with what it says.
///
/// ```
/// use serde_json::json;
/// use transcript_core::view::{Limits, simulation, simulation_call};
/// let text = "agents: [{name: bot, mock: [Hello!]}]\nsteps: [{op: call, content: Hi}]";
/// let mut bot = simulation(text, &Limits::default()).unwrap();
/// assert_eq!(simulation_call(&mut bot, "run", &json!(null)).unwrap()["kind"], "done");
/// let report = simulation_call(&mut bot, "report", &json!(null)).unwrap();
/// assert_eq!(report["steps"][0]["returned"]["content"], "Hello!");
///
/// let problems = simulation("agents: [{name: bot}]\nsteps: [{op: cal}]", &Limits::default()).unwrap_err();
/// assert_eq!((&*problems[0].path, problems[0].place.line), ("steps[0].op", 2));
/// ```
pub fn simulation(text: &str, limits: &Limits) -> Result<Simulation, Vec<SimulationProblem>> {
    simulation_with(text, limits, &Code::default())
}

/// The same with functions of the host at some places of its handlers.
///
/// # Errors
/// As [`simulation`].
pub fn simulation_with(
    text: &str,
    limits: &Limits,
    code: &Code,
) -> Result<Simulation, Vec<SimulationProblem>> {
    let lines = LineIndex::new(text);
    let problem = |path: &str, name, message: &str, span: Span| SimulationProblem {
        path: path.to_owned(),
        name,
        message: message.to_owned(),
        place: Place::new(text, &lines, span),
    };
    if let Some(too_large) = limits.check_size(text.len()) {
        return Err(vec![problem("", "SyntaxError", &too_large.message, too_large.span)]);
    }
    let parsed = parse(text, limits);
    let faults = parsed.diagnostics.iter().filter(|fault| fault.severity == Severity::Error);
    let faults: Vec<SimulationProblem> =
        faults.map(|fault| problem("", "SyntaxError", &fault.message, fault.span)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let root = parsed.root.unwrap_or_else(|| Node::of(&Value::Null, Span::default()));
    Simulation::with_code(&root.to_value(), code).map_err(|error| {
        let span = place(&root, &error.path);
        vec![problem(&error.path, error.kind, &error.message, span)]
    })
}

/// The place of what a path such as `agents[0].name` leads to, or of the last thing on the way.
fn place(root: &Node, path: &str) -> Span {
    let mut node = root;
    for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let index = part.parse::<usize>().ok();
        match node.get(part).or_else(|| node.items().get(index?)) {
            Some(next) => node = next,
            None => break,
        }
    }
    node.span
}

/// Carries one call of the host out, by name and with plain data, so that an edge needs one door:
/// `poll`, `run`, `report`, `roster`, `transcript`, `sent` (`{agent, call}`), `reply` (the response), `replyError`
/// (`{type, message}`), `said` (what a function says), `saidError` (`{name, message}`), `toolResult` (the result),
/// `toolError` (a text or `{type, message}`). An error may have a `failure`, a number of the host's own, by which the
/// report tells of it.
///
/// # Errors
/// When there is no such call, or what it brings is not awaited.
pub fn simulation_call(simulation: &mut Simulation, method: &str, argument: &Value) -> Result<Value, String> {
    let text = |key: &str| argument.get(key).and_then(Value::as_str).unwrap_or("");
    let done = |taken: Result<(), crate::simulate::NotAwaited>| match taken {
        Ok(()) => Ok(json!({"kind": "taken"})),
        Err(error) => Err(error.0),
    };
    match method {
        "poll" => plain(&simulation.poll()),
        "run" => plain(&simulation.run()),
        "report" => plain(&simulation.report()),
        "transcript" => Ok(simulation.transcript()),
        "sent" => {
            let call = argument.get("call").and_then(Value::as_u64).unwrap_or(0);
            plain(&simulation.sent(text("agent"), usize::try_from(call).unwrap_or(usize::MAX)))
        }
        "reply" => done(simulation.reply(argument)),
        "replyError" => {
            let failure = argument.get("failure").and_then(Value::as_u64);
            done(simulation.fail(SimError { failure, ..SimError::new(text("type"), text("message")) }))
        }
        "roster" => plain(&simulation.roster()),
        "said" => done(simulation.said(Ok(argument.clone()))),
        "saidError" => done(simulation.said(Err(argument.clone()))),
        "toolResult" => done(simulation.tool_result(argument)),
        "toolError" => done(simulation.tool_error(argument)),
        other => Err(format!("a simulation has no `{other}`")),
    }
}

fn plain(value: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}
