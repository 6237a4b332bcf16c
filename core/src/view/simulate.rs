//! Simulations for page, package and command line: a text goes in, plain data comes out.

pub use super::simulation_problem::{SimulationProblem, StartedSimulation, simulation_problems_text};
use super::simulation_problem::{read, start_simulation};
use crate::diagnostic::InvalidInput;
use crate::mock::Code;
use crate::parse::{Limits, Node};
use crate::simulate::{SimError, Simulation};
use crate::text::{JsonMap, json};
use serde::Serialize;
use serde_json::{Map, Value};

/// Makes a simulation of a text in YAML or JSON; `public/docs/simulate.md` describes its form. In a document of handlers
/// that has no `agents`, each handler answers for an agent of its own.
///
/// # Errors
/// What is wrong with the text or its content.
///
/// ```
/// use serde_json::json;
/// use transcript_core::document::Limits;
/// use transcript_core::view::{simulation, simulation_call};
/// let text = "agents: [{name: bot, mock: [Hello!]}]\nsteps: [{op: call, content: Hi}]";
/// let mut bot = simulation(text, &Limits::default()).unwrap();
/// assert_eq!(simulation_call(&mut bot, "run", &json!(null)).unwrap()["kind"], "done");
/// let report = simulation_call(&mut bot, "report", &json!(null)).unwrap();
/// assert_eq!(report["steps"][0]["returned"]["content"], "Hello!");
///
/// let problems = simulation("agents: [{name: bot}]\nsteps: [{op: cal}]", &Limits::default()).unwrap_err();
/// assert_eq!((&*problems[0].path, problems[0].place.line), ("steps[0].op", 2));
/// assert_eq!(problems[0].help.as_deref(), Some("did you mean `call`?"));
/// ```
pub fn simulation(text: &str, limits: &Limits) -> Result<Simulation, Vec<SimulationProblem>> {
    simulation_with(text, limits, &Code::default()).map(|begun| begun.simulation)
}

/// The same with what it warns of, and with functions of the host at some places of its handlers.
///
/// # Errors
/// As [`simulation`].
///
/// ```
/// use transcript_core::mock::Code;
/// use transcript_core::document::Limits;
/// use transcript_core::view::simulation_with;
/// let text = "agents: [{name: bot, mock: ['You said {{ lastuser }}']}]";
/// let begun = simulation_with(text, &Limits::default(), &Code::default()).unwrap();
/// assert_eq!(begun.warnings[0].path, "agents[0].mock[0]");
/// assert_eq!(begun.warnings[0].message, "unknown variable `lastuser`");
/// ```
pub fn simulation_with(
    text: &str,
    limits: &Limits,
    code: &Code,
) -> Result<StartedSimulation, Vec<SimulationProblem>> {
    let root = read(text, limits)?;
    let mut input = root.to_value();
    if let (Some(handlers), None) = (root.present("handlers"), root.get("agents")) {
        input = as_scenario(input, &root, handlers);
    }
    start_simulation(text, &root, &input, code)
}

/// A document of handlers as a scenario: each of them answers for an agent of its own, which has the tools of the
/// document.
fn as_scenario(mut document: Value, root: &Node, handlers: &Node) -> Value {
    let tools = root.get("tools").map(Node::to_value).filter(Value::is_array);
    let agent = |name: &String| {
        let mut agent = Map::new();
        agent.put("name", name.as_str().into());
        if let Some(tools) = &tools {
            agent.put("tools", tools.clone());
        }
        Value::Object(agent)
    };
    let agents: Vec<Value> = handlers.to_map().keys().map(agent).collect();
    if let Some(scenario) = document.as_object_mut() {
        // The description of a document has no meaning for a run; a key that neither knows is reported.
        for key in ["tags", "author", "metadata", "tools"] {
            scenario.remove(key);
        }
        scenario.put("agents", agents.into());
    }
    document
}

/// Makes a simulation in which a user sends `messages`, one after the other, to the handlers of a document or to the
/// agents of a scenario, instead of its `steps`: to those of `agent`, or to the first. `code` lists where functions of
/// the host stand. Problems and the paths of traces refer to the document.
///
/// ```
/// use transcript_core::mock::Code;
/// use transcript_core::document::Limits;
/// use transcript_core::view::start_conversation;
/// let text = "handlers: {bot: {type: queue, responses: [Hello!]}}";
/// let mut bot = start_conversation(text, &["Hi".to_owned()], None, &Limits::default(), &Code::default()).unwrap().unwrap().simulation;
/// bot.run();
/// let report = bot.report();
/// assert_eq!(report.agents[0].calls[0].trace.decisions[0].path, "handlers.bot.responses[0]");
/// let nobody = start_conversation(text, &[], Some("bott"), &Limits::default(), &Code::default()).unwrap_err();
/// assert_eq!(nobody.to_string(), "the text has no handler `bott`; did you mean `bot`?");
/// ```
///
/// # Errors
/// The outer one when there is no agent to talk to; the inner ones describe what is wrong with the text.
pub fn start_conversation(
    text: &str,
    messages: &[String],
    agent: Option<&str>,
    limits: &Limits,
    code: &Code,
) -> Result<Result<StartedSimulation, Vec<SimulationProblem>>, InvalidInput> {
    let root = match read(text, limits) {
        Ok(root) => root,
        Err(problems) => return Ok(Err(problems)),
    };
    let own = root.get("agents").map(Node::items).unwrap_or_default();
    let name_of = |agent: &Node| {
        agent.get("key").or_else(|| agent.get("name")).and_then(Node::as_str).map(str::to_owned)
    };
    let handlers = root.present("handlers").map(Node::to_map).unwrap_or_default();
    let names: Vec<String> = match own {
        [] => handlers.keys().cloned().collect(),
        own => own.iter().filter_map(name_of).collect(),
    };
    let agent_name = match (agent, names.first()) {
        (_, None) => return Err("the text has no `handlers`".into()),
        (None, Some(first)) => first,
        (Some(agent), Some(_)) => names.iter().find(|name| *name == agent).ok_or_else(|| {
            let message = format!("the text has no handler `{agent}`");
            InvalidInput::unknown(message, agent, names.iter().map(String::as_str))
        })?,
    };
    let step = |message: &String| json!({ "op": "execute", "agent": agent_name, "content": message });
    let steps: Vec<Value> = messages.iter().map(step).collect();
    let input = match (own, root.present("handlers")) {
        ([], Some(handlers)) => {
            as_scenario(json!({ "steps": steps, "handlers": handlers.to_value() }), &root, handlers)
        }
        _ => {
            let mut scenario = root.to_map();
            scenario.put("steps", steps.into());
            Value::Object(scenario)
        }
    };
    Ok(start_simulation(text, &root, &input, code))
}

/// Runs one command of the host, by name and with plain data, so that a host needs one entry point:
/// `poll`, `run`, `report`, `roster`, `transcript`, `sent` (`{agent, call}`), `response`, `responseError`
/// (`{type, message}`), `functionResult` (the result of a function), `functionError` (`{name, message}`), `toolResult` (the result),
/// `toolError` (a text or `{type, message}`). An error may have a `failure`, a number chosen by the host, which the
/// report repeats.
///
/// # Errors
/// When there is no such call, or what it brings is not awaited.
pub fn simulation_call(
    simulation: &mut Simulation,
    method: &str,
    argument: &Value,
) -> Result<Value, InvalidInput> {
    let text = |key: &str| argument.get(key).and_then(Value::as_str).unwrap_or("");
    let done = |taken: Result<(), InvalidInput>| taken.map(|()| json!({"kind": "taken"}));
    match method {
        "poll" => plain(&simulation.poll()),
        "run" => plain(&simulation.run()),
        "report" => {
            let mut report = simulation.report();
            // The transcript is by far the most of it, and is data already.
            let transcript = std::mem::take(&mut report.transcript);
            let mut data = plain(&report)?;
            if let Some(data) = data.as_object_mut() {
                data.put("transcript", transcript);
            }
            Ok(data)
        }
        "transcript" => Ok(simulation.transcript()),
        "sent" => {
            let call = argument.get("call").and_then(Value::as_u64).unwrap_or(0);
            plain(&simulation.sent(text("agent"), usize::try_from(call).unwrap_or(usize::MAX)))
        }
        "response" => done(simulation.response(argument)),
        "responseError" => {
            let failure = argument.get("failure").and_then(Value::as_u64);
            done(simulation.fail(SimError { failure, ..SimError::new(text("type"), text("message")) }))
        }
        "roster" => plain(&simulation.roster()),
        "functionResult" => done(simulation.function_returned(Ok(argument.clone()))),
        "functionError" => done(simulation.function_returned(Err(argument.clone()))),
        "toolResult" => done(simulation.tool_result(argument)),
        "toolError" => done(simulation.tool_error(argument)),
        other => Err(format!("a simulation has no `{other}`").into()),
    }
}

fn plain(value: &impl Serialize) -> Result<Value, InvalidInput> {
    serde_json::to_value(value).map_err(|error| error.to_string().into())
}
