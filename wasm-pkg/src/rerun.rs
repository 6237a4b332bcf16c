//! A changed run that is played on, and lives on the Rust side.

use serde_json::Value;
use transcript_core::canonical::{CanonicalMessage, KnownMessages};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::render::problems;
use transcript_core::document::Document;
use transcript_core::mock::{MockModel, Profile, Response, latest, with_result_text};
use transcript_core::travel::{Change, EndReason, Rerun, RerunNeeds, RerunOptions};
use transcript_core::view::{RerunRequest, RerunRequestKind, TravelAnswer, TravelProblem};
use transcript_core::wire::ToolCall;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::options;

/// A changed run with the document that it comes of.
#[wasm_bindgen]
pub struct RerunHandle {
    document: Document,
    file: String,
    rerun_result: Result<Rerun, TravelProblem>,
    /// The messages of the last request, which the host has.
    sent_to_host: KnownMessages<CanonicalMessage>,
    /// The handlers of the document, once they were used.
    model: Option<MockModel>,
}

impl std::fmt::Debug for RerunHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RerunHandle").field("file", &self.file).finish_non_exhaustive()
    }
}

#[wasm_bindgen]
impl RerunHandle {
    /// Changes the run of a document. The options are those of the opening, and `file`, `changes`, `maxSteps`, `continuePastEnd`.
    ///
    /// # Errors
    /// When the options cannot be read, or a change is none.
    pub fn begin(text: &[u8], options: &str) -> Result<Self, JsError> {
        begin(text, options).map_err(JsError::from)
    }

    /// Carries out a call by name, JSON in and out: `needs`, `reply`, `fail`, `toolResult`, `toolError`,
    /// `handlers`, which lets those of the document answer for the model as far as they can, and `finish`,
    /// which ends the run and returns it.
    ///
    /// # Errors
    /// When there is no such call, or its argument is not expected.
    pub fn call(&mut self, method: &str, argument: &str) -> Result<String, JsError> {
        let argument: Value = transcript_core::text::json_value(argument)?;
        self.carry_out(method, &argument).map(|answer| answer.to_string()).map_err(JsError::from)
    }
}

fn begin(text: &[u8], options: &str) -> Result<RerunHandle, InvalidInput> {
    let mut own = options::map(options)?;
    let changes = own.remove("changes").unwrap_or_default();
    let file = own.remove("file").and_then(|file| file.as_str().map(str::to_owned)).unwrap_or_default();
    let continue_past_end = own.remove("continuePastEnd") == Some(Value::Bool(true));
    let most = own.remove("maxSteps").and_then(|most| most.as_u64());
    let max_steps = most.and_then(|most| usize::try_from(most).ok());
    let options = options::take(&mut own)?;
    Change::list(&changes)?;
    let document = Document::open_bytes_with(text, &options);
    let max_steps = max_steps.unwrap_or(RerunOptions::default().max_steps);
    let rerun_result = document.rerun(&changes, RerunOptions { max_steps, continue_past_end });
    Ok(RerunHandle { document, file, rerun_result, sent_to_host: KnownMessages::default(), model: None })
}

impl RerunHandle {
    fn carry_out(&mut self, method: &str, argument: &Value) -> Result<Value, InvalidInput> {
        if method == "finish" {
            return Ok(self.finish());
        }
        if method == "handlers" {
            return self.answer_with_handlers();
        }
        let Ok(rerun) = &mut self.rerun_result else { return Err("the run was not changed".into()) };
        match method {
            "needs" => return Ok(self.needs()),
            "respond" => {
                let reply =
                    Response::from_value(argument, Profile::Default).map_err(|error| error.message)?;
                rerun.respond(&reply)?;
            }
            "fail" => rerun.fail(argument.clone())?,
            "toolResult" => rerun.tool_result(&Ok(argument.clone()))?,
            "toolError" => rerun.tool_result(&Err(argument.clone()))?,
            other => return Err(format!("unknown key `{other}` of a rerun").into()),
        }
        Ok(Value::Null)
    }

    /// Has the first of the document's handlers answer, or that of the agent that is requested.
    fn answer_with_handlers(&mut self) -> Result<Value, InvalidInput> {
        let Ok(rerun) = &mut self.rerun_result else { return Err("the run was not changed".into()) };
        if self.model.is_none() {
            let agent = match rerun.needs() {
                RerunNeeds::Response(request) => request.agent,
                _ => None,
            };
            let names = self.document.mocked();
            let own = agent.as_deref().filter(|agent| names.contains(agent));
            let name = own.or(names.first().copied()).ok_or("the document has no handlers")?;
            let runner = self.document.mock(name, Profile::Default).map_err(|error| error.message)?;
            self.model = Some(MockModel::new(runner));
        }
        if let Some(model) = &mut self.model {
            rerun.answer_with(model).map_err(|error| error.message)?;
        }
        Ok(Value::Null)
    }

    fn needs(&mut self) -> Value {
        let Ok(rerun) = &mut self.rerun_result else { return Value::Null };
        match rerun.needs() {
            RerunNeeds::Nothing(ended) => {
                let request = RerunRequest {
                    kind: RerunRequestKind::Nothing,
                    step: String::new(),
                    call: None,
                    messages: None,
                };
                let ended = if ended == EndReason::Done { "done" } else { "limit" };
                to_value_with(&request, [("ended", ended.into())])
            }
            RerunNeeds::Tool(need) => {
                let call =
                    ToolCall { id: need.id.unwrap_or_default(), name: need.name, arguments: need.arguments };
                let request = RerunRequest {
                    kind: RerunRequestKind::Tool,
                    step: need.step,
                    call: Some(call),
                    messages: None,
                };
                to_value_with(&request, [("agent", need.agent.into())])
            }
            RerunNeeds::Response(request) => {
                // Messages that the host has from the request before are not sent again.
                let same = self.sent_to_host.update(request.messages);
                let messages = self.sent_to_host.as_slice();
                let new = RerunRequest {
                    kind: RerunRequestKind::Response,
                    step: request.step,
                    call: None,
                    messages: Some(messages.iter().skip(same).map(with_result_text).collect()),
                };
                let mut need = to_value_with(
                    &new,
                    [
                        ("origin", request.origin.into()),
                        ("agent", request.agent.into()),
                        ("same", same.into()),
                        ("iteration", request.iteration.into()),
                        ("model", request.model.into()),
                        ("tools", request.tools.into()),
                        ("context", request.context.into()),
                        ("config", request.config.into()),
                    ],
                );
                if let Some(need) = need.as_object_mut() {
                    need.extend(latest(messages, None));
                }
                need
            }
        }
    }

    fn finish(&mut self) -> Value {
        let ended = TravelProblem { change: None, message: "the rerun is at its end".to_owned(), help: None };
        let rerun_result = std::mem::replace(&mut self.rerun_result, Err(ended));
        let answer = match rerun_result {
            Ok(rerun) => self.document.travelled(rerun.finish()),
            Err(problem) => TravelAnswer::from_problem(problem),
        };
        let mut answer = serde_json::to_value(answer).unwrap_or_default();
        let found =
            problems(&self.file, self.document.text(), self.document.lines(), self.document.diagnostics());
        if let Some(map) = answer.as_object_mut() {
            map.insert("diagnostics".to_owned(), serde_json::to_value(found).unwrap_or_default());
        }
        answer
    }
}

/// The request as data, with what only the package reads.
fn to_value_with<const N: usize>(request: &RerunRequest, entries: [(&str, Value); N]) -> Value {
    let mut data = serde_json::to_value(request).unwrap_or_default();
    if let Some(map) = data.as_object_mut() {
        map.extend(entries.map(|(key, value)| (key.to_owned(), value)));
    }
    data
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::begin;

    const RUN: &[u8] = b"messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Goodbye']";

    #[test]
    fn steps_that_no_longer_hold_are_requested_and_only_new_messages_are_sent() {
        let changes = json!({"changes": {"edit_message": {"step": 0, "content": "Good day"}}}).to_string();
        let mut rerun = begin(RUN, &changes).unwrap();
        let first = rerun.carry_out("needs", &Value::Null).unwrap();
        assert_eq!((&first["kind"], &first["same"]), (&json!("response"), &json!(0)));
        assert_eq!(first["messages"][0]["content"], "Good day");
        rerun.carry_out("respond", &json!("Good day to you")).unwrap();
        let second = rerun.carry_out("needs", &Value::Null).unwrap();
        assert_eq!((&second["same"], second["messages"].as_array().unwrap().len()), (&json!(1), 2));
        rerun.carry_out("respond", &json!("Goodbye")).unwrap();
        assert_eq!(rerun.carry_out("needs", &Value::Null).unwrap()["ended"], "done");
        let answer = rerun.carry_out("finish", &Value::Null).unwrap();
        assert_eq!(
            (&answer["ok"], &answer["holds"], &answer["diagnostics"]),
            (&json!(true), &json!(true), &json!([]))
        );
        assert_eq!(rerun.carry_out("finish", &Value::Null).unwrap()["ok"], false);
    }

    #[test]
    fn handlers_of_the_document_answer() {
        let run = b"messages: ['user: Hi', 'assistant: Hello!']\nhandlers: {bot: {type: repeat, respond: 'You said {{ last_user }}', loop: true}}";
        let changes = json!({"changes": {"edit_message": {"step": 0, "content": "Good day"}}}).to_string();
        let mut rerun = begin(run, &changes).unwrap();
        rerun.carry_out("handlers", &Value::Null).unwrap();
        assert_eq!(rerun.carry_out("needs", &Value::Null).unwrap()["kind"], "nothing");
        let answer = rerun.carry_out("finish", &Value::Null).unwrap();
        assert!(answer["text"].as_str().unwrap().contains("You said Good day"), "{answer}");
        let mut nobody = begin(RUN, &changes).unwrap();
        assert_eq!(
            nobody.carry_out("handlers", &Value::Null).unwrap_err().to_string(),
            "the document has no handlers"
        );
    }

    #[test]
    fn an_impossible_change_is_reported_at_the_end() {
        let mut rerun = begin(RUN, r#"{"changes": [{"skip": {"step": 9}}]}"#).unwrap();
        assert!(rerun.carry_out("needs", &Value::Null).is_err());
        let answer = rerun.carry_out("finish", &Value::Null).unwrap();
        assert_eq!(answer["problem"]["message"], "there is no step `9`; the run has 3 steps");
        assert!(begin(RUN, r#"{"changes": [{"skipp": {"step": 9}}]}"#).is_err());
    }
}
