//! T603: a rule, a transition or a handler can never have its turn.

use serde_json::Value;

use super::Surroundings;
use super::implied::ConditionParts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::Spanned;
use crate::model::handlers::{Condition, ConditionKind, Handler, MockResponse, Rule, State, Test, TestKind};
use crate::text::{Span, Table};

/// Checks rules in the order they are tried; returns whether one of them always fires.
pub(super) fn in_rules<'r>(
    surroundings: &Surroundings<'_>,
    rules: impl Iterator<Item = &'r Rule>,
    default: Option<&MockResponse>,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let tried = rules.map(|rule| (rule.when.as_ref(), rule.span));
    let always = in_order(surroundings, tried, "rule", found);
    if let (Some(before), Some(default)) = (always, default) {
        let dead = unreachable(default.span, "the default is never used", before, "this rule always matches");
        found.push(dead.help("remove it, or add a condition to the rule"));
    }
    always.is_some()
}

/// Checks the transitions of a state in the order they are tried.
pub(super) fn in_transitions(surroundings: &Surroundings<'_>, state: &State, found: &mut Vec<Diagnostic>) {
    let tried = state.transitions.iter().map(|transition| (transition.when.as_ref(), transition.span));
    let always = in_order(surroundings, tried, "transition", found);
    if let (Some(before), Some(next)) = (always, &state.next) {
        let message = format!("the transition to `{}` is never used", next.value);
        let dead = unreachable(next.span, message, before, "this transition always matches");
        found.push(dead.help("remove it, or add a condition to the transition"));
    }
}

/// Checks handlers that are tried in order; `answers` marks those with an answer to every call.
pub(super) fn in_handlers(handlers: &[Handler], answers: &[bool], found: &mut Vec<Diagnostic>) {
    let Some(first) = answers.iter().position(|answers| *answers) else { return };
    let Some(before) = handlers.get(first) else { return };
    for handler in handlers.iter().skip(first + 1) {
        found.push(unreachable(
            handler.span,
            "this handler is never used",
            before.span,
            "this one always responds",
        ));
    }
}

/// Checks the handler that answers after failures without an end.
pub(super) fn after_failing(
    times: Option<&Spanned<i64>>,
    then: Option<&Handler>,
    found: &mut Vec<Diagnostic>,
) {
    if let (None, Some(then)) = (times, then) {
        let message = "this handler is never used, because every call fails";
        found.push(
            Diagnostic::new(codes::RULE_NEVER_FIRES, Severity::Warning, then.span, message)
                .help("set how many calls fail: `times: 1`"),
        );
    }
}

/// Returns the span of the first part with a condition that always holds.
fn in_order<'c>(
    surroundings: &Surroundings<'_>,
    parts: impl Iterator<Item = (Option<&'c Condition>, Span)>,
    what: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Span> {
    let mut always: Option<Span> = None;
    let mut seen: Table<String, Span> = Table::new();
    let mut earlier: Vec<(ConditionParts<'_>, Span)> = Vec::new();
    for (when, span) in parts {
        let place = when.map_or(span, |when| when.span);
        if let Some(before) = always {
            let message = format!("this {what} is never used");
            found.push(unreachable(
                place,
                message,
                before,
                format!("this {what} comes first and always matches"),
            ));
            continue;
        }
        let Some(when) = when.filter(|when| !when.is_always()) else {
            always = Some(span);
            continue;
        };
        let mut key = String::new();
        canonical(when, &mut key);
        let same = seen.get(&key).copied();
        if same.is_none() {
            seen.insert(key, place);
        }
        let parts = ConditionParts::from_condition(when);
        let work = &surroundings.implications;
        // Many rules are not all compared with each other.
        let mut compared = earlier.iter().take_while(|_| work.get() > 0);
        let mut wider = || compared.find(|(before, _)| parts.imply(before, work));
        let why = format!("that {what} always comes first");
        if let Some(before) = same {
            let message = format!("an earlier {what} has the same condition");
            let help = "remove one of them, or change its condition";
            found.push(unreachable(place, message, before, why).help(help));
            continue;
        } else if let Some((before, span)) = wider() {
            let (message, help) = if before.imply(&parts, work) {
                let message = format!("an earlier {what} has an equivalent condition");
                (message, "remove one of them, or change its condition")
            } else {
                let message = format!("an earlier {what} matches whenever this one does");
                (message, "move this one first, or narrow the earlier one")
            };
            found.push(unreachable(place, message, *span, why).help(help));
        }
        earlier.push((parts, place));
    }
    always
}

fn unreachable(span: Span, message: impl Into<String>, before: Span, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::RULE_NEVER_FIRES, Severity::Warning, span, message)
        .related(before, why)
        .help("remove it, or move it first")
}

/// The condition as a text that does not depend on the order of tests.
fn canonical(condition: &Condition, out: &mut String) {
    match &condition.kind {
        ConditionKind::Expression(text) => {
            out.push('=');
            out.push_str(text.trim());
        }
        // Two unreadable ones may be meant to differ.
        ConditionKind::Unknown => out.push_str(&condition.span.start.to_string()),
        ConditionKind::Tests(tests) => {
            let mut tests: Vec<&Test> = tests.iter().collect();
            crate::text::sort_by(&mut tests, |a, b| a.name.value.cmp(&b.name.value));
            out.push('{');
            for test in tests {
                out.push_str(&Value::from(&*test.name.value).to_string());
                match &test.kind {
                    TestKind::All(parts) | TestKind::Any(parts) => {
                        out.push('[');
                        parts.iter().for_each(|part| canonical(part, out));
                        out.push(']');
                    }
                    TestKind::Not(part) => canonical(part, out),
                    TestKind::Named(_, value) => out.push_str(&value.to_string()),
                    // Two misspelt tests may mean different things.
                    TestKind::Unknown => out.push_str(&test.value_span.start.to_string()),
                }
            }
            out.push('}');
        }
    }
}
