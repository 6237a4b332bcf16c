//! T503: an assertion fails on its own run, so that a replay of it fails.
//!
//! Patterns and JMESPath expressions are not evaluated here, nor is an assertion about one agent if a run of another
//! agent is in a file of its own that was not read.

use serde_json::Value;

use super::assertion_tool;
use super::facts::Facts;
use super::written_assertion::WrittenAssertion;
use crate::check::{Outcome, Run, Status, check_within};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::Transcript;
use crate::query::Budget;
use crate::text::{Span, Table, json_line};

/// The budget for the assertions of one run; any beyond it count as right.
const BUDGET: Budget = Budget { steps: 2_000_000, bytes: 16 << 20 };

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let known = assertion_tool::known_tools(facts);
    let is_query =
        |written: &WrittenAssertion<'_>| matches!(written.name, Some(("matches" | "json_path" | "expr", _)));
    // Another rule reports a tool that the run does not know.
    let checked: Vec<&WrittenAssertion<'_>> = facts
        .assertions
        .iter()
        .filter(|written| written.name.is_some() && !is_query(written))
        .filter(|written| !is_about_agent(written) || is_whole(facts.transcript))
        .filter(|written| !assertion_tool::is_doubtful(facts, &known, written))
        .collect();
    if checked.is_empty() {
        return;
    }
    let mut subjects: Table<(&str, String), Span> = Table::new();
    for written in &facts.assertions {
        let name = written.name.map_or("", |(name, _)| name);
        subjects.entry((name, subject(written))).or_insert(written.fields.assertion.span);
    }
    let run = Run::from_transcript(facts.transcript);
    let assertions: Vec<_> = checked.iter().map(|written| written.fields.assertion).collect();
    let outcomes = check_within(&assertions, &run, "", Some(facts.transcript), &mut BUDGET.clone());
    for (written, outcome) in checked.into_iter().zip(outcomes) {
        // The rule about unknown tools knows only those of the whole run.
        let is_own = outcome.code == Some(codes::ASSERTION_CANNOT_HOLD)
            || outcome.code == Some(codes::ASSERTION_TOOL) && is_about_agent(written);
        if outcome.status != Status::Failed || !is_own {
            continue;
        }
        let diagnostic = diagnostic(facts, written, &outcome, &run);
        let opposite = match &*outcome.kind {
            "tool_called" => "tool_not_called",
            "tool_not_called" => "tool_called",
            "contains" => "not_contains",
            "not_contains" => "contains",
            _ => "",
        };
        found.push(match subjects.get(&(opposite, subject(written))).filter(|_| !opposite.is_empty()) {
            Some(other) => diagnostic.related(*other, "this asserts the opposite"),
            None => diagnostic,
        });
    }
}

/// The subject of an assertion: the same for two that contradict each other.
fn subject(written: &WrittenAssertion<'_>) -> String {
    let of = |field| written.fields.value(field).map(json_line).unwrap_or_default();
    ["tool", "parameters", "message", "pattern", "agent"].map(of).join("\n")
}

fn is_about_agent(written: &WrittenAssertion<'_>) -> bool {
    written.fields.value("agent").is_some()
}

/// Whether the document has every run inside its own.
fn is_whole(transcript: &Transcript) -> bool {
    transcript.turns.iter().filter_map(|turn| turn.tool.as_ref()).all(|tool| match &tool.nested {
        Some(nested) => is_whole(nested),
        None => tool.nested_ref.is_none(),
    })
}

/// A failed outcome where its assertion is written, with its first evidence.
fn diagnostic(facts: &Facts<'_>, written: &WrittenAssertion<'_>, outcome: &Outcome, run: &Run) -> Diagnostic {
    let span = outcome.failed_field.map_or(written.name_span(), |field| written.span(field));
    let message = outcome.message.clone();
    let mut new = Diagnostic::new(codes::ASSERTION_CANNOT_HOLD, Severity::Warning, span, message);
    new.help.clone_from(&outcome.help);
    let actual = outcome.evidence.first().and_then(|piece| piece.actual.as_ref());
    let is_count = actual.is_some_and(Value::is_u64);
    let mut first = outcome.evidence.iter().take(2).filter(|_| !is_count);
    if let Some((piece, place)) = first.find_map(|piece| Some((piece, piece.span?))) {
        let arguments = piece.actual.as_ref().filter(|_| outcome.failed_field == Some("parameters"));
        new = new.related(
            place,
            arguments.map_or("here".to_owned(), |it| format!("called with `{}`", short(&json_line(it)))),
        );
    }
    match (&*outcome.kind, outcome.failed_field) {
        // `run` is that of all agents.
        ("context_value", _) if is_about_agent(written) => new,
        ("context_value", Some("key")) => {
            let keys = run.context.keys().map(String::as_str);
            let meant = written.fields.text("key").and_then(|key| facts.suggest(key, keys));
            new.help = None;
            meant.into_iter().fold(new, |new, meant| new.did_you_mean("change to", facts.source, span, meant))
        }
        ("context_value", _) => {
            let value = written.fields.text("key").and_then(|key| run.context.get(key)).map(json_line);
            with_fix(new, written, "value", "use the value of the run", value)
        }
        (_, Some(field @ ("value" | "min" | "max"))) if is_count => {
            let count = actual.map(ToString::to_string).unwrap_or_default();
            with_fix(new, written, field, &format!("change to {count}"), Some(count.clone()))
        }
        ("contains" | "not_contains" | "equals" | "final_response_contains", Some(_)) => {
            new.help = new.help.or_else(|| {
                actual.map(|actual| match actual {
                    Value::String(text) if text.trim().is_empty() => "the text is empty".to_owned(),
                    Value::String(text) => format!("the text is `{}`", short(text.trim())),
                    data => format!("the text is `{}`", short(&json_line(data))),
                })
            });
            new
        }
        _ => new,
    }
}

/// The same with a fix that replaces the value of a field.
fn with_fix(
    new: Diagnostic,
    written: &WrittenAssertion<'_>,
    field: &str,
    title: &str,
    text: Option<String>,
) -> Diagnostic {
    match written.node(field).zip(text) {
        Some((node, text)) => new.fix(Applicability::Suggested, title, node.span, text),
        None => new,
    }
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    let mut out: String = text.chars().take(80).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out.replace('\n', " ")
}
