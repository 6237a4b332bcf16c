//! A simulation that lives on the Rust side.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::render::TerminalStyle;
use transcript_core::mock::Code;
use transcript_core::simulate::Simulation;
use transcript_core::view::{
    SimulationProblem, StartedSimulation, simulation_call, simulation_problems_text, simulation_with,
    start_conversation,
};
use transcript_core::write;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::options;

/// A simulation, or why it cannot begin.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SimulationHandle {
    simulation: Option<Simulation>,
    /// Why it cannot begin, or its warnings, as data.
    problems: Vec<Value>,
    /// The transcript of a finished run, once it was made for the report.
    written: Option<Value>,
}

#[wasm_bindgen]
impl SimulationHandle {
    /// Reads a simulation, as YAML or JSON. With `user`, a list of texts, among the options, the text is a document
    /// with handlers, and the first of them, or that of `agent`, gets those texts. `code` lists the places in the
    /// handlers with functions of the host. `file` is its name in diagnostics, and `color` enables the colors
    /// of a terminal.
    ///
    /// # Errors
    /// When the options cannot be read, or there are no handlers.
    pub fn begin(text: &str, options: &str) -> Result<Self, JsError> {
        begin(text, options).map_err(JsError::from)
    }

    /// Why it cannot begin, as a JSON list that is empty when it can. `rendered` in each is what a compiler would
    /// print of it.
    #[must_use]
    pub fn problems(&self) -> String {
        match self.simulation {
            Some(_) => "[]".to_owned(),
            None => Value::from(self.problems.as_slice()).to_string(),
        }
    }

    /// What in the handlers is probably not what was meant, in the same form.
    #[must_use]
    pub fn warnings(&self) -> String {
        match self.simulation {
            Some(_) => Value::from(self.problems.as_slice()).to_string(),
            None => "[]".to_owned(),
        }
    }

    /// Carries out a call by name, JSON in and out; `text` gives the transcript as YAML.
    ///
    /// # Errors
    /// When there is no such call, or what it brings is not awaited.
    pub fn call(&mut self, method: &str, argument: &str) -> Result<String, JsError> {
        let Some(simulation) = &mut self.simulation else {
            return Err(JsError::new("the simulation cannot start"));
        };
        if method == "text" {
            let written = self.written.take().unwrap_or_else(|| simulation.transcript());
            return Ok(Value::String(write::yaml(&written)).to_string());
        }
        let argument: Value = transcript_core::text::json_value(argument)?;
        let mut answer = simulation_call(simulation, method, &argument)?;
        let text = answer.to_string();
        // What models were sent grows with the square of a run: it is spelt out once.
        if answer.get("done").is_some_and(|done| done == true) {
            self.written = answer.get_mut("transcript").map(Value::take);
        }
        Ok(text)
    }
}

fn begin(text: &str, options: &str) -> Result<SimulationHandle, InvalidInput> {
    let mut own = options::map(options)?;
    let mut take = |key: &str| own.remove(key).filter(|value| !value.is_null());
    let (user, agent, file, color) = (take("user"), take("agent"), take("file"), take("color"));
    let code = take("code").unwrap_or_default();
    let code = Code::new(code.as_array().into_iter().flatten().filter_map(Value::as_str));
    let limits = options::take(&mut own)?.limits;
    let begun = match user {
        Some(Value::Array(user)) => {
            let user: Vec<String> = user.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            start_conversation(text, &user, agent.as_ref().and_then(Value::as_str), &limits, &code)?
        }
        _ => simulation_with(text, &limits, &code),
    };
    let begun = begun.map(|mut begun| {
        begun.simulation.report_messages_once();
        begun
    });
    let file = file.as_ref().and_then(Value::as_str).unwrap_or("<text>");
    let style = match color {
        Some(Value::Bool(true)) => TerminalStyle::Ansi,
        _ => TerminalStyle::Plain,
    };
    let with_rendered = |problem: &SimulationProblem| {
        let mut data = serde_json::to_value(problem).unwrap_or_default();
        if let Some(map) = data.as_object_mut() {
            let rendered = simulation_problems_text(file, text, std::slice::from_ref(problem), style);
            map.insert("rendered".to_owned(), rendered.into());
        }
        data
    };
    let (simulation, problems) = match begun {
        Ok(StartedSimulation { simulation, warnings }) => (Some(simulation), warnings),
        Err(problems) => (None, problems),
    };
    Ok(SimulationHandle { simulation, problems: problems.iter().map(with_rendered).collect(), written: None })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{SimulationHandle, begin};

    const BOTS: &str = "handlers: {a: {type: queue, responses: [A]}, b: {type: queue, responses: [B]}}";

    #[test]
    fn one_talks_to_the_agent_that_is_named() {
        let b = begin(BOTS, r#"{"user": ["Hi"], "agent": "b"}"#).unwrap();
        let mut b = b.simulation.unwrap();
        b.run();
        let report = b.report();
        assert_eq!(report.steps[0].yielded.as_ref().unwrap()[0].content, "B");
    }

    #[test]
    fn a_transcript_that_was_made_is_kept_for_its_text() {
        let mut bot = SimulationHandle::begin(BOTS, r#"{"user": ["Hi"]}"#).unwrap();
        let text = |bot: &mut SimulationHandle| bot.call("text", "null").unwrap();
        bot.call("report", "null").unwrap();
        assert!(bot.written.is_none(), "the run is not over");
        bot.call("run", "null").unwrap();
        let before = text(&mut bot);
        bot.call("report", "null").unwrap();
        assert!(bot.written.is_some());
        assert_eq!(text(&mut bot), before);
    }

    #[test]
    fn probable_mistakes_are_warnings() {
        let text = "handlers: {bot: {type: repeat, respond: 'You said {{ lastuser }}', loop: true}}";
        let bot = SimulationHandle::begin(text, r#"{"user": ["Hi"], "file": "bot.yaml"}"#).unwrap();
        assert_eq!(bot.problems(), "[]");
        let warnings: Value = serde_json::from_str(&bot.warnings()).unwrap();
        let codes: Vec<&str> =
            warnings.as_array().unwrap().iter().filter_map(|warning| warning["code"].as_str()).collect();
        assert_eq!(codes, ["T615", "T103"]);
        assert_eq!(warnings[0]["path"], "handlers.bot.respond");
        let rendered = warnings[0]["rendered"].as_str().unwrap();
        assert!(
            rendered.starts_with("warning[T615]: unknown variable `lastuser`\n --> bot.yaml:1:"),
            "{rendered}"
        );
    }

    #[test]
    fn without_handlers_there_is_nobody_to_talk_to() {
        let error = begin("messages: ['user: Hi']", r#"{"user": ["Hi"]}"#).unwrap_err();
        assert_eq!(error.to_string(), "the text has no `handlers`");
        let odd = begin("handlers: [", r#"{"user": ["Hi"], "file": "bots.yaml"}"#).unwrap();
        let rendered = odd.problems[0]["rendered"].as_str().unwrap();
        assert!(
            rendered.starts_with("error[T001]: the bracket is not closed\n --> bots.yaml:1:11\n"),
            "{rendered}"
        );
    }
}
