//! Builds a conversation from steps in order: messages, responses and failed calls.

use serde_json::{Map, Value, json};

use super::conversation::{Conversation, Exchange, Outcome, ResultMatch, ToolOutcome};
use super::files::LogFile;
use super::report::Report;
use super::unanswered;
use super::values::{Piece, Values};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{Span, sort_by_key};
use crate::wire::ToolCall;
use crate::wire::{Message, ModelRequest, ModelResponse};
use crate::write::Entries;

/// A step of a conversation.
#[derive(Debug)]
pub(super) struct Step {
    /// The line of it, from 1, and its place in the text.
    pub line: u32,
    pub span: Span,
    pub time: Option<String>,
    pub kind: StepKind,
}

/// The kind of a step.
#[derive(Debug)]
pub(super) enum StepKind {
    /// A message that no model made; for a tool, with its outcome.
    Message(Box<Message>, ToolOutcome),
    /// The model answered, set up so; `messages` of what it was asked are those that only this call knows.
    Response(Box<ModelResponse>, Box<ModelRequest>, Map<String, Value>),
    /// The model was called and failed.
    Failed(Map<String, Value>),
}

/// Builds the conversation, and returns it with the results that match no open call.
pub(super) fn build_conversation(
    steps: Vec<Step>,
    found: &mut Vec<Diagnostic>,
) -> (Conversation, Vec<Value>) {
    let mut conversation = Conversation::default();
    let mut unmapped = Vec::new();
    let mut is_open = false;
    let mut losses = MissingResults::default();
    for Step { line, span, time, kind } in steps {
        let mut tell = |message: String, help: &str| {
            found.push(Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message).help(help));
        };
        let exchange = |request: ModelRequest, outcome: Outcome, about| {
            Exchange::single_agent(line, request, outcome, time.clone(), about)
        };
        let exchange = match kind {
            StepKind::Message(message, tool_outcome) => {
                let matched = if message.role == "tool" {
                    conversation.match_result(&message)
                } else {
                    ResultMatch::Open
                };
                let id = message.tool_call_id.clone().unwrap_or_default();
                match matched {
                    ResultMatch::Open | ResultMatch::Late => {}
                    ResultMatch::AlreadyAnswered => {
                        tell(
                            format!("the call `{id}` has a result already"),
                            "this one is kept in `metadata`",
                        );
                        unmapped.push(result_entry(line, &message));
                        continue;
                    }
                    ResultMatch::NoCall if is_open => {
                        tell(no_call(&id), "it is kept in `metadata`");
                        unmapped.push(result_entry(line, &message));
                        continue;
                    }
                    ResultMatch::NoCall => {
                        tell(no_call(&id), "the call stands in the run without arguments");
                        let tool = message.name.clone().unwrap_or_else(|| "unknown".to_owned());
                        let call = ToolCall { id, name: tool, arguments: json!({}) };
                        let metadata = Entries::default().with("missing", Value::from("call")).0;
                        let answer =
                            ModelResponse { calls: vec![call], metadata, ..ModelResponse::default() };
                        let outcome = Outcome::Answer(Box::new(answer));
                        losses.add(
                            conversation.add_exchange(exchange(ModelRequest::default(), outcome, Map::new())),
                            span,
                        );
                    }
                }
                conversation.receive(*message, tool_outcome, time.as_deref());
                diagnose_notes(&mut conversation, span, found);
                is_open = conversation.has_open_calls();
                continue;
            }
            StepKind::Response(answer, request, about) => exchange(*request, Outcome::Answer(answer), about),
            StepKind::Failed(error) => exchange(ModelRequest::default(), Outcome::Error(error), Map::new()),
        };
        losses.add(conversation.add_exchange(exchange), span);
        diagnose_notes(&mut conversation, span, found);
        is_open = conversation.has_open_calls();
    }
    found.extend(losses.remaining(&mut conversation).map(|(lost, span)| missing_results(lost, span)));
    conversation.finish();
    (conversation, unmapped)
}

/// The number of missing tool results before each model call, with its position.
#[derive(Debug, Default)]
pub(super) struct MissingResults(Vec<(usize, Span)>);

impl MissingResults {
    /// Adds what the next call of a model lacks.
    pub(super) fn add(&mut self, lost: usize, span: Span) {
        self.0.push((lost, span));
    }

    /// The model calls that still lack results at the end.
    pub(super) fn remaining(
        mut self,
        conversation: &mut Conversation,
    ) -> impl Iterator<Item = (usize, Span)> {
        for number in conversation.take_late_arrivals() {
            if let Some((lost, _)) = number.checked_sub(1).and_then(|at| self.0.get_mut(at)) {
                *lost = lost.saturating_sub(1);
            }
        }
        self.0.into_iter().filter(|(lost, _)| *lost > 0)
    }
}

/// What is told of a result whose call is not there.
pub(super) fn no_call(id: &str) -> String {
    match id {
        "" => "no call stands before this result that it could be of".to_owned(),
        id => format!("no call `{id}` stands before its result"),
    }
}

/// Reports the notes of the conversation as diagnostics at a position.
pub(super) fn diagnose_notes(conversation: &mut Conversation, span: Span, found: &mut Vec<Diagnostic>) {
    let notes = conversation.take_notes().into_iter();
    found.extend(
        notes.map(|note| Diagnostic::new(note.code, note.severity, span, note.message).help(note.help)),
    );
}

/// The diagnostic for calls without a result before a response.
pub(super) fn missing_results(lost: usize, span: Span) -> Diagnostic {
    let message = match lost {
        1 => "no message has the result of a call before this one".to_owned(),
        lost => format!("no message has the results of {lost} calls before this one"),
    };
    Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message).help(unanswered::HELP)
}

/// A result as `metadata` keeps it.
fn result_entry(line: u32, message: &Message) -> Value {
    Entries::default()
        .with("line", Value::from(line))
        .with("tool_call_id", message.tool_call_id.as_deref().map(Value::from))
        .with("tool_name", message.name.as_deref().map(Value::from))
        .with("content", message.content.clone())
        .with("is_error", message.is_error.then_some(Value::Bool(true)))
        .with("metadata", (!message.others.is_empty()).then(|| Value::Object(message.others.clone())))
        .into_value()
}

/// Entries without an equivalent in a transcript, of all files of a run. `metadata.recording` keeps them.
#[derive(Debug, Default)]
pub(super) struct Unmapped {
    kept: Vec<(usize, u32, Value)>,
    lost: Vec<Value>,
    damaged: Vec<Value>,
    /// Results that no call waits for.
    pub results: Vec<Value>,
}

impl Unmapped {
    /// Creates it with the text that could not be read, and the text that was not read exactly.
    pub(super) fn new(lost: Vec<Value>, damaged: Vec<Value>) -> Self {
        Self { lost, damaged, ..Self::default() }
    }

    /// Keeps what could not be read of a file, or not to the letter, and begins its report.
    pub(super) fn start_report(&mut self, at: usize, file: &LogFile<'_>, values: &Values) -> Report {
        let text = |piece: &Piece| {
            Entries::default()
                .with("file", (at > 0).then(|| at.into()))
                .with("line", Value::from(piece.line))
                .with("text", Value::from(piece.span.slice(file.text)))
                .into_value()
        };
        self.lost.extend(values.lost.iter().map(text));
        self.damaged.extend(values.damaged.iter().map(text));
        Report { path: file.path.to_owned(), ..Report::from_values(values) }
    }

    /// Keeps a whole text of which not all could be read.
    pub(super) fn keep_text(&mut self, text: &str) {
        self.lost.push(json!({"line": 1, "text": text}));
    }

    /// Keeps an entry as it is.
    pub(super) fn keep(&mut self, report: &mut Report, at: usize, line: u32, kind: &str, entry: Value) {
        report.keep(line, kind);
        self.kept.push((at, line, entry));
    }

    /// Writes all of it.
    pub(super) fn write_to(mut self, recording: &mut Entries) {
        sort_by_key(&mut self.kept, |(file, line, _)| (*file, *line));
        let kept = self.kept.into_iter().map(|(file, line, entry)| {
            Entries::default()
                .with("file", (file > 0).then(|| file.into()))
                .with("line", Value::from(line))
                .with("entry", entry)
                .into_value()
        });
        let kept: Vec<Value> = kept.collect();
        for (key, list) in
            [("kept", kept), ("results", self.results), ("lost", self.lost), ("damaged", self.damaged)]
        {
            recording.put(key, (!list.is_empty()).then_some(Value::Array(list)));
        }
    }
}

/// The name of a file without its folders and its end.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    [".jsonl", ".ndjson", ".json", ".yaml", ".yml"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
}
