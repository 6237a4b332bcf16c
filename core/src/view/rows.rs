//! The rows of the step list.

use serde_json::Value;

use super::overview::{Status, StepRow, ToolChip};
use super::problems::Problems;
use crate::document::{Document, Run};
use crate::model::{Content, Message, Tokens, ToolCall, Turn};
use crate::parse::note_at;
use crate::text::{LineIndex, Span, json_line};

/// The most characters of a summary.
const SUMMARY: usize = 200;
/// The most characters of the arguments of a chip.
const ARGUMENTS: usize = 80;

impl Document {
    /// The rows of the step list, step 0 first, nested steps directly below their parent.
    #[must_use]
    pub fn steps(&self) -> Vec<StepRow> {
        let problems = Problems::new(self.diagnostics());
        let source = RowSource { text: self.text(), lines: self.lines(), problems: &problems };
        self.run().map(|run| rows(run, source)).unwrap_or_default()
    }
}

/// What rows take from the text of a document.
#[derive(Clone, Copy)]
pub(super) struct RowSource<'d> {
    pub text: &'d str,
    pub lines: &'d LineIndex,
    pub problems: &'d Problems,
}

/// The rows of a run with its nested runs, in the order of reading.
fn rows(run: &Run, source: RowSource<'_>) -> Vec<StepRow> {
    let mut rows = Vec::with_capacity(run.timeline.steps() + 1);
    collect(run, "", 0, source, &mut rows);
    rows
}

fn collect(run: &Run, prefix: &str, depth: usize, source: RowSource<'_>, rows: &mut Vec<StepRow>) {
    // A nested run's initial state is a row only when there is something in it.
    let is_bare = run.timeline.store_at(0).is_empty() && run.timeline.transcript().context.is_empty();
    if depth == 0 || !is_bare {
        rows.push(row(run, prefix, 0, depth, source));
    }
    for step in 1..=run.timeline.steps() {
        let row = row(run, prefix, step, depth, source);
        let path = row.path.clone();
        rows.push(row);
        if let Some(nested) = run.nested.get(&step) {
            collect(nested, &format!("{path}."), depth + 1, source, rows);
        }
    }
}

/// The row of one step; `prefix` is the path of the run with its final dot.
pub(super) fn row(run: &Run, prefix: &str, step: usize, depth: usize, source: RowSource<'_>) -> StepRow {
    let path = format!("{prefix}{step}");
    let Some(turn) = run.timeline.turn_at(step) else {
        return initial_row(run, path, depth, source);
    };
    let nested = run.nested.get(&step).map_or(0, |nested| nested.timeline.steps());
    let failed = turn.error.is_some() || turn.tool.as_ref().is_some_and(|tool| !tool.success);
    StepRow {
        index: step,
        path,
        turn: turn
            .number
            .as_ref()
            .map_or_else(|| i64::try_from(step).unwrap_or(i64::MAX), |number| number.value),
        kind: turn.kind.value.name().to_owned(),
        agent: turn.agent.as_ref().map(ToString::to_string),
        role: turn.created.as_ref().and_then(role),
        summary: summary(turn),
        tools: tool_chips(run, turn),
        status: if failed { Status::Failed } else { Status::Ok },
        tokens: tokens(turn),
        changes_context: !turn.changes.context.is_empty() || !turn.changes.removed.is_empty(),
        changes_messages: turn.created.is_some() || !turn.changes.visible.is_empty(),
        children: nested,
        depth,
        span: turn.span,
        line: source.lines.line(turn.span.start as usize),
        problem: source.problems.within(turn.span),
        note: note_at(source.text, turn.span.start as usize),
    }
}

fn initial_row(run: &Run, path: String, depth: usize, source: RowSource<'_>) -> StepRow {
    let store = run.timeline.store_at(0);
    let span = run.initial.unwrap_or(Span::empty(0));
    let last = store.last().map(|stored| &stored.message);
    StepRow {
        index: 0,
        path,
        turn: 0,
        kind: "initial".to_owned(),
        agent: None,
        role: last.and_then(role),
        summary: last.and_then(message_text).unwrap_or_default(),
        tools: Vec::new(),
        status: Status::Ok,
        tokens: None,
        changes_context: false,
        changes_messages: !store.is_empty(),
        children: 0,
        depth,
        span,
        line: source.lines.line(span.start as usize),
        problem: run.initial.and_then(|span| source.problems.within(span)),
        note: None,
    }
}

/// The role of a message; `None` when it names none.
fn role(message: &Message) -> Option<String> {
    Some(message.role.value.name()).filter(|name| !name.is_empty()).map(str::to_owned)
}

fn message_text(message: &Message) -> Option<String> {
    message.content.as_ref().map(|content| one_line(&content.to_text(), SUMMARY))
}

fn summary(turn: &Turn) -> String {
    if let Some(error) = &turn.error {
        let message = error.get("message").and_then(Value::as_str);
        return one_line(message.unwrap_or(&json_line(error)), SUMMARY);
    }
    if let Some(tool) = &turn.tool {
        let error = tool.error.as_ref().filter(|_| !tool.success);
        let text = error.map_or_else(|| Content::from_result(tool.answer()).to_text(), Content::to_text);
        return one_line(&text, SUMMARY);
    }
    let answer = turn.response.as_ref().and_then(|response| response.content.as_ref());
    match answer {
        Some(content) => one_line(&content.to_text(), SUMMARY),
        None => turn.created.as_ref().and_then(message_text).unwrap_or_default(),
    }
}

fn tool_chips(run: &Run, turn: &Turn) -> Vec<ToolChip> {
    let chip = |name: &str, arguments: &Value, unanswered: bool| ToolChip {
        name: name.to_owned(),
        arguments: one_line(&json_line(arguments), ARGUMENTS),
        unanswered,
    };
    if let Some(tool) = &turn.tool {
        return vec![chip(&tool.name.value, &tool.parameters, false)];
    }
    let is_open = |call: &ToolCall| call.id.as_ref().is_some_and(|id| !run.answered.contains(&*id.value));
    let calls: &[ToolCall] = match (&turn.response, &turn.created) {
        (Some(response), _) if !response.tool_calls.is_empty() => &response.tool_calls,
        (_, Some(created)) => &created.tool_calls,
        _ => &[],
    };
    calls.iter().map(|call| chip(&call.name.value, &call.arguments, is_open(call))).collect()
}

fn tokens(turn: &Turn) -> Option<u64> {
    Tokens::read(turn.response.as_ref()?.usage.as_ref()?).total()
}

/// The text on one line with single blanks, cut to `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            out.push(' ');
            count += 1;
        }
        if word.is_ascii() && count + word.len() <= most {
            out.push_str(word);
            count += word.len();
            continue;
        }
        for c in word.chars() {
            if count == most {
                out.push('…');
                return out;
            }
            out.push(c);
            count += 1;
        }
    }
    out
}
