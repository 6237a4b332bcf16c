//! A run as its assertions see it: plain data.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use crate::model::{Content, Message, Role, State, Text, Tokens, ToolCall, Transcript, Turn};
use crate::text::{Span, Table};

/// A run when it has ended, recorded or actual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The messages of the store, hidden ones included, oldest first.
    pub messages: Vec<RunMessage>,
    /// The calls of the model, in order.
    pub calls: Vec<RunCall>,
    /// The context.
    pub context: Map<String, Value>,
    /// The model's last answer; `None` if it never answers.
    pub answer: Option<Answer>,
    /// The number of turns; `None` if unknown.
    pub turns: Option<u64>,
    /// The tokens of all answers; `None` if unknown.
    pub tokens: Option<u64>,
    /// What failed, in order.
    pub errors: Vec<RunError>,
    /// The runs of other agents, by the step of this run in which they took place, such as `2`.
    pub nested: Table<Text, Run>,
    /// The agent of a nested run: the one that the result names, else the tool.
    pub agent: Option<Text>,
}

/// A message of the store when the run has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMessage {
    /// The message; it is `visible` if the model can see it when the run ends.
    pub stored: Message,
    /// The step that made it, such as `2` or `2.1`; `0` for the initial state.
    pub step: Option<Text>,
}

/// A call of a tool by the model, and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCall {
    /// The call.
    pub call: ToolCall,
    /// The id of the message that holds it.
    pub message: Option<Text>,
    /// The step in which the model made it.
    pub step: Option<Text>,
    /// Whether the tool failed.
    pub failed: bool,
    /// What the tool returned; `None` when it never ran.
    pub result: Option<Value>,
}

/// The model's last answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Its content.
    pub content: Option<Content>,
    /// The id of its message.
    pub message: Option<Text>,
    /// Its step.
    pub step: Option<Text>,
}

/// Something that failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunError {
    /// The step.
    pub step: Option<Text>,
    /// The tool; `None` for a call of the model.
    pub tool: Option<Text>,
    /// The message of the error.
    pub message: String,
    /// Its place in a recording.
    pub span: Option<Span>,
}

impl Run {
    /// A recording as a run, the runs of other agents in it included.
    ///
    /// ```
    /// use transcript_core::check::Run;
    /// use transcript_core::model::Transcript;
    /// assert_eq!(Run::from_transcript(&Transcript::default()).turns, Some(0));
    /// ```
    #[must_use]
    pub fn from_transcript(transcript: &Transcript) -> Self {
        build_run(transcript, "")
    }
}

impl Run {
    /// The runs of other agents in it and in those, in order, each with the path of its step.
    pub(super) fn inside(&self) -> Vec<(String, &Run)> {
        let mut found = Vec::new();
        let mut open: Vec<(String, &Run)> = vec![(String::new(), self)];
        while let Some((path, run)) = open.pop() {
            let nested = run.nested.iter().map(|(step, inside)| (joined(&path, step), inside));
            open.extend(nested.collect::<Vec<_>>().into_iter().rev());
            if !path.is_empty() {
                found.push((path, run));
            }
        }
        found
    }
}

/// The path of a step in a run at `path`.
pub(super) fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") }
}

/// The calls that have no result yet, by id or, of those without one, by tool.
#[derive(Default)]
struct OpenCalls(Table<(bool, Text), VecDeque<usize>>);

impl OpenCalls {
    fn add(&mut self, call: &ToolCall, index: usize) {
        let id = call.id.as_ref().map(|id| (true, id.value.clone()));
        let key = id.unwrap_or_else(|| (false, call.name.value.clone()));
        self.0.entry(key).or_default().push_back(index);
    }

    fn take(&mut self, id: Option<&Text>, tool: Option<&Text>) -> Option<usize> {
        let key = match (id, tool) {
            (Some(id), _) => (true, id.clone()),
            (None, Some(tool)) => (false, tool.clone()),
            (None, None) => return None,
        };
        self.0.get_mut(&key)?.pop_front()
    }
}

fn build_run(transcript: &Transcript, path: &str) -> Run {
    let mut run = Run { turns: Some(transcript.turns.len() as u64), ..Run::default() };
    let mut state = State::initial(transcript);
    let mut open = OpenCalls::default();
    let start: Text = joined(path, "0").into();
    for message in transcript.first_messages() {
        run.add_message(message, &start);
        run.add_calls(&message.tool_calls, Some(&message.id.value), &start, &mut open);
        run.take_result(message, &mut open);
    }
    run.tokens = Some(0);
    for (index, turn) in transcript.turns.iter().enumerate() {
        let number = (index + 1).to_string();
        let step: Text = joined(path, &number).into();
        state.apply(turn);
        let message = turn.created.as_ref().map(|created| &created.id.value);
        let stored = turn.created.as_ref().map(|created| created.tool_calls.as_slice()).unwrap_or_default();
        let answered = turn.response.as_ref().map(|answer| answer.tool_calls.as_slice()).unwrap_or_default();
        // The answer and the message made of it hold the same calls; one of them may be missing.
        run.add_calls(if answered.is_empty() { stored } else { answered }, message, &step, &mut open);
        if let Some(created) = &turn.created {
            run.add_message(created, &step);
            if turn.tool.is_none() {
                run.take_result(created, &mut open);
            }
        }
        if let Some(answer) = &turn.response {
            let content = answer.content.clone();
            run.answer = Some(Answer { content, message: message.cloned(), step: Some(step.clone()) });
            let tokens = answer.usage.as_ref().and_then(|usage| Tokens::read(usage).total());
            // A run without answers used no tokens; one answer without figures makes the total
            // unknown.
            run.tokens = run.tokens.zip(tokens).map(|(used, tokens)| used.saturating_add(tokens));
        }
        run.add_tool(turn, &number, &step, &mut open);
    }
    for (message, (_, visible)) in run.messages.iter_mut().zip(state.store()) {
        message.stored.visible = *visible;
    }
    run.context = state.context().clone();
    run
}

impl Run {
    fn add_message(&mut self, message: &Message, step: &Text) {
        self.messages.push(RunMessage { stored: message.clone(), step: Some(step.clone()) });
    }

    fn add_calls(&mut self, calls: &[ToolCall], message: Option<&Text>, step: &Text, open: &mut OpenCalls) {
        for call in calls {
            open.add(call, self.calls.len());
            let (call, step) = (call.clone(), Some(step.clone()));
            self.calls.push(RunCall { call, message: message.cloned(), step, failed: false, result: None });
        }
    }

    /// The result in a tool message outside a tool's turn.
    fn take_result(&mut self, message: &Message, open: &mut OpenCalls) {
        if message.role.value != Role::Tool {
            return;
        }
        let id = message.tool_call_id.as_ref().map(|id| &id.value);
        let Some(call) = open.take(id, message.tool_name.as_ref()).and_then(|at| self.calls.get_mut(at))
        else {
            return;
        };
        let response = message.tool_response();
        call.failed = response.is_some_and(|response| response.success == Some(false));
        call.result = Some(match (response, &message.content) {
            (Some(response), _) => response.response.clone(),
            (None, Some(content)) => content.to_value(),
            (None, None) => Value::Null,
        });
    }

    fn add_tool(&mut self, turn: &Turn, number: &str, step: &Text, open: &mut OpenCalls) {
        if let Some(tool) = &turn.tool {
            let call = open.take(tool.id.as_ref().map(|id| &id.value), Some(&tool.name.value));
            if let Some(call) = call.and_then(|at| self.calls.get_mut(at)) {
                call.failed = !tool.success;
                call.result = Some(tool.host_result());
            }
            if let Some(nested) = &tool.nested {
                let named = tool.result.get("agent_id").and_then(Value::as_str);
                let agent = named.map_or_else(|| tool.name.value.clone(), Text::from);
                self.nested.insert(number.into(), Run { agent: Some(agent), ..build_run(nested, step) });
            }
            if !tool.success {
                let message = tool.error.as_ref().map(Content::to_text).unwrap_or_default();
                self.errors.push(RunError {
                    step: Some(step.clone()),
                    tool: Some(tool.name.value.clone()),
                    message,
                    span: Some(tool.name.span),
                });
                return;
            }
        }
        if let Some(error) = &turn.error {
            let (step, message, span) = (Some(step.clone()), error_text(error), Some(turn.kind.span));
            self.errors.push(RunError { step, tool: None, message, span });
        }
    }
}

/// The text of an error.
pub(super) fn error_text(error: &Value) -> String {
    match error.get("message").unwrap_or(error) {
        Value::String(text) => text.clone(),
        _ => crate::text::json_line(error),
    }
}
