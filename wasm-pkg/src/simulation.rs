//! A simulation that lives on the Rust side.

use serde_json::{Map, Value, json};
use transcript_core::mock::Code;
use transcript_core::parse::parse;
use transcript_core::simulate::Simulation;
use transcript_core::view::{Limits, SimulationProblem, simulation, simulation_call, simulation_with};
use transcript_core::write;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::options;

/// The input of a simulation in which `user` talks to the handlers of a document, or to that of one agent, one step
/// for each text; `None` when the text holds no handlers.
///
/// ```
/// use transcript_core::view::Limits;
/// let text = "handlers: {bot: {type: queue, responses: [Hello!]}}";
/// let input = transcript_wasm::simulation::talk(text, &["Hi".to_owned()], None, &Limits::default()).unwrap();
/// assert_eq!(input["agents"][0]["handler"]["type"], "queue");
/// assert_eq!(input["steps"][0]["content"], "Hi");
/// ```
#[must_use]
pub fn talk(text: &str, user: &[String], agent: Option<&str>, limits: &Limits) -> Option<Value> {
    if limits.check_size(text.len()).is_some() {
        return None;
    }
    let root = parse(text, limits).root?;
    let Value::Object(handlers) = root.get("handlers")?.to_value() else { return None };
    let asked = agent.or_else(|| handlers.keys().next().map(String::as_str)).unwrap_or_default().to_owned();
    let tools = root.get("tools").map(transcript_core::parse::Node::to_value).unwrap_or_default();
    let agents: Vec<Value> = (handlers.into_iter())
        .map(|(name, handler)| {
            let mut agent = Map::new();
            agent.insert("name".to_owned(), name.into());
            agent.insert("handler".to_owned(), handler);
            if tools.is_array() {
                agent.insert("tools".to_owned(), tools.clone());
            }
            Value::Object(agent)
        })
        .collect();
    let steps = user.iter().map(|said| json!({ "op": "execute", "agent": asked, "content": said }));
    Some(json!({ "agents": agents, "steps": steps.collect::<Vec<_>>() }))
}

/// A simulation, or why it cannot begin.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SimulationHandle {
    begun: Result<Simulation, Vec<SimulationProblem>>,
}

#[wasm_bindgen]
impl SimulationHandle {
    /// Reads a simulation, as YAML or JSON. With `user`, a list of texts, among the options, the text is a document
    /// with handlers, of which those texts are said to the first, or to that of `agent`. `code` lists the places in the
    /// handlers where functions of the host stand.
    ///
    /// # Errors
    /// When the options cannot be read, or there are no handlers to talk to.
    pub fn begin(text: &str, options: &str) -> Result<Self, JsError> {
        begin(text, options).map(|begun| Self { begun }).map_err(|error| JsError::new(&error))
    }

    /// Why it cannot begin, as a JSON list that is empty when it can.
    #[must_use]
    pub fn problems(&self) -> String {
        let problems = self.begun.as_ref().err().map(Vec::as_slice).unwrap_or_default();
        serde_json::to_string(problems).unwrap_or_default()
    }

    /// Carries out a call by name, JSON in and out; `text` gives the transcript as YAML.
    ///
    /// # Errors
    /// When there is no such call, or what it brings is not awaited.
    pub fn call(&mut self, method: &str, argument: &str) -> Result<String, JsError> {
        let Ok(simulation) = &mut self.begun else { return Err(JsError::new("the simulation cannot begin")) };
        if method == "text" {
            return Ok(Value::String(write::yaml(&simulation.transcript())).to_string());
        }
        let argument: Value = serde_json::from_str(argument)?;
        let answer = simulation_call(simulation, method, &argument).map_err(|error| JsError::new(&error))?;
        Ok(answer.to_string())
    }
}

fn begin(text: &str, given: &str) -> Result<Result<Simulation, Vec<SimulationProblem>>, String> {
    let mut own = options::map(given)?;
    let user = own.remove("user");
    let agent = own.remove("agent");
    let code = own.remove("code").unwrap_or_default();
    let code = Code::new(code.as_array().into_iter().flatten().filter_map(Value::as_str));
    let limits = options::take(&mut own)?.limits;
    let Some(Value::Array(user)) = user else { return Ok(simulation_with(text, &limits, &code)) };
    let user: Vec<String> = user.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let Some(input) = talk(text, &user, agent.as_ref().and_then(Value::as_str), &limits) else {
        let parsed = simulation(text, &limits);
        // A text that is not well-formed says so itself.
        return match parsed {
            Err(problems) if problems.iter().any(|problem| problem.name == "SyntaxError") => {
                Ok(Err(problems))
            }
            _ => Err("there are no `handlers` in the text that one could talk to".to_owned()),
        };
    };
    Ok(simulation(&input.to_string(), &limits))
}

#[cfg(test)]
mod tests {
    use super::begin;

    const BOTS: &str = "handlers: {a: {type: queue, responses: [A]}, b: {type: queue, responses: [B]}}";

    #[test]
    fn one_talks_to_the_agent_that_is_named() {
        let mut b = begin(BOTS, r#"{"user": ["Hi"], "agent": "b"}"#).unwrap().unwrap();
        b.run();
        let report = b.report();
        assert_eq!(report.steps[0].yielded.as_ref().unwrap()[0].content, "B");
    }

    #[test]
    fn without_handlers_there_is_nobody_to_talk_to() {
        let error = begin("messages: ['user: Hi']", r#"{"user": ["Hi"]}"#).unwrap_err();
        assert_eq!(error, "there are no `handlers` in the text that one could talk to");
        assert!(begin("handlers: [", r#"{"user": ["Hi"]}"#).unwrap().is_err());
    }
}
