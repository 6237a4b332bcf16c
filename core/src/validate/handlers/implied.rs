//! Whether a condition holds whenever another one does, judged by the two alone.
//!
//! The answer errs towards no: an expression is compared as text, a regular expression as written.

use std::cell::Cell;

use serde_json::Value;

use super::contradictory_condition::{exclude, one_or_more};
use crate::model::handlers::{Condition, ConditionKind, TestKind, range};
use crate::parse::same;

/// The parts that must all hold for a condition to hold.
pub(super) struct ConditionParts<'c>(Vec<ConditionPart<'c>>);

enum ConditionPart<'c> {
    Expression(&'c str),
    Any(&'c [Condition]),
    Not(&'c Condition),
    /// A test of the table with its value, and whether it disregards capitals.
    Named(&'static str, &'c Value, bool),
    /// Cannot be read, so it may test anything.
    Unknown,
}

/// The maximum work for one document; anything past that counts as not implied.
pub(super) const WORK: usize = 500_000;

impl<'c> ConditionParts<'c> {
    pub(super) fn from_condition(condition: &'c Condition) -> Self {
        let mut parts = Vec::new();
        collect(condition, &mut parts);
        Self(parts)
    }

    /// Whether `others` hold whenever these do.
    pub(super) fn imply(&self, others: &ConditionParts<'_>, work: &Cell<usize>) -> bool {
        others.0.iter().all(|other| self.implies(other, work))
    }

    fn implies(&self, other: &ConditionPart<'_>, work: &Cell<usize>) -> bool {
        is_always(other)
            || self.0.iter().any(|part| part.implies(other, work))
            || matches!(other, ConditionPart::Any(choices)
                if choices.iter().any(|choice| self.imply(&ConditionParts::from_condition(choice), work)))
    }
}

fn collect<'c>(condition: &'c Condition, parts: &mut Vec<ConditionPart<'c>>) {
    let tests = match &condition.kind {
        ConditionKind::Expression(text) => return parts.push(ConditionPart::Expression(text.trim())),
        ConditionKind::Unknown => return parts.push(ConditionPart::Unknown),
        ConditionKind::Tests(tests) => tests,
    };
    let folds = |kind: &TestKind| matches!(kind, TestKind::Named("ignore_case", Value::Bool(true)));
    let ignore_case = tests.iter().any(|test| folds(&test.kind));
    for test in tests {
        match &test.kind {
            TestKind::All(inner) => inner.iter().for_each(|inner| collect(inner, parts)),
            TestKind::Any(inner) => parts.push(ConditionPart::Any(inner)),
            TestKind::Not(inner) => parts.push(ConditionPart::Not(inner)),
            TestKind::Named("ignore_case", _) => {}
            TestKind::Named(_, Value::Null) | TestKind::Unknown => parts.push(ConditionPart::Unknown),
            TestKind::Named(name, value) => parts.push(ConditionPart::Named(name, value, ignore_case)),
        }
    }
}

/// Whether a count is true of every call.
fn is_always(part: &ConditionPart<'_>) -> bool {
    let ConditionPart::Named(name, value, _) = part else { return false };
    let least = match *name {
        "call_count" => 1,
        "iteration" | "message_count" => 0,
        _ => return false,
    };
    range(value).is_some_and(|(from, to)| from <= least && to == i64::MAX)
}

impl ConditionPart<'_> {
    fn implies(&self, other: &ConditionPart<'_>, work: &Cell<usize>) -> bool {
        if !spend(work, 1) {
            return false;
        }
        match (self, other) {
            (ConditionPart::Any(choices), _) if !choices.is_empty() => {
                choices.iter().all(|choice| ConditionParts::from_condition(choice).implies(other, work))
            }
            (ConditionPart::Expression(a), ConditionPart::Expression(b)) => a == b,
            (ConditionPart::Not(a), ConditionPart::Not(b)) => ConditionParts::from_condition(b).imply(&ConditionParts::from_condition(a), work),
            (ConditionPart::Named(name, value, _), ConditionPart::Not(not)) => ConditionParts::from_condition(not).0.iter().any(|part| {
                matches!(part, ConditionPart::Named(other, expected, _) if other == name && exclude(name, value, expected))
            }),
            (ConditionPart::Named(a, value, folds), ConditionPart::Named(b, expected, other_folds)) => {
                let size = size(value) + size(expected);
                // A test that disregards capitals does not fix how they are.
                (*other_folds || !folds)
                    && spend(work, size / 32)
                    && named((a, value), (b, expected), *other_folds)
            }
            _ => false,
        }
    }
}

fn spend(work: &Cell<usize>, cost: usize) -> bool {
    let left = work.get();
    work.set(left.saturating_sub(cost));
    left > cost
}

fn size(value: &Value) -> usize {
    one_or_more(value).iter().map(|value| value.as_str().map_or(1, str::len)).sum()
}

/// Whether a test of that name and value passes only where the other one does.
fn named(a: (&str, &Value), b: (&str, &Value), folds: bool) -> bool {
    let ((name, value), (other, expected)) = (a, b);
    let texts = |fits: &dyn Fn(&str, &str) -> bool| {
        one_or_more(value).iter().all(|value| {
            one_or_more(expected).iter().any(|expected| match (value.as_str(), expected.as_str()) {
                (Some(value), Some(expected)) if folds => {
                    fits(&value.to_lowercase(), &expected.to_lowercase())
                }
                (Some(value), Some(expected)) => fits(value, expected),
                _ => false,
            })
        })
    };
    let is_text = |name: &str| name.ends_with("_contains") || name.ends_with("_equals");
    if is_text(name) && is_text(other) {
        if name.rsplit_once('_').map(|(of, _)| of) != other.rsplit_once('_').map(|(of, _)| of) {
            return false;
        }
        return match (name.ends_with("_equals"), other.ends_with("_equals")) {
            // A text that contains another need not be it.
            (false, true) => false,
            (true, true) => texts(&|value, expected| value == expected),
            (_, false) => texts(&|value, expected| value.contains(expected)),
        };
    }
    name == other
        && match name {
            "call_count" | "iteration" | "message_count" => match (range(value), range(expected)) {
                (Some(inner), Some(outer)) => outer.0 <= inner.0 && inner.1 <= outer.1,
                _ => false,
            },
            "last_role" | "last_tool_name" | "tool_called" | "agent" | "model" => {
                one_or_more(value).iter().all(|value| {
                    one_or_more(expected).iter().any(|expected| value.is_string() && value == expected)
                })
            }
            "context" => match (value.as_object(), expected.as_object()) {
                (Some(value), Some(expected)) => expected
                    .iter()
                    .all(|(key, expected)| value.get(key).is_some_and(|value| same(value, expected))),
                _ => false,
            },
            _ => same(value, expected),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::handlers::{Condition, HandlerKind};
    use crate::parse::{Limits, parse, read};

    fn conditions(a: &str, b: &str) -> Vec<Condition> {
        let text = format!("a: {{type: conditional, rules: [{{when: {a}}}, {{when: {b}}}]}}");
        let root = parse(&text, &Limits::default()).root.unwrap();
        let kind = read::handlers(&root).agents.remove(0).1.kind;
        let HandlerKind::Conditional { rules: Some(rules), .. } = kind else { panic!() };
        rules.value.into_iter().filter_map(|rule| rule.when).collect()
    }

    /// Whether the first holds only where the second does, and the other way round.
    fn both(a: &str, b: &str) -> (bool, bool) {
        let conditions = conditions(a, b);
        let [a, b] = conditions.as_slice() else { panic!() };
        let work = Cell::new(WORK);
        (
            ConditionParts::from_condition(a).imply(&ConditionParts::from_condition(b), &work),
            ConditionParts::from_condition(b).imply(&ConditionParts::from_condition(a), &work),
        )
    }

    #[test]
    fn a_narrower_condition_implies_a_wider_one() {
        let cases = [
            ("{last_user_contains: the weather}", "{last_user_contains: weather}"),
            ("{last_user_contains: [weather in, the weather]}", "{last_user_contains: [time, weather]}"),
            ("{last_user_equals: weather}", "{last_user_contains: weather}"),
            ("{last_user_equals: a}", "{last_user_equals: [a, b]}"),
            ("{last_user_contains: The Weather}", "{last_user_contains: weather, ignore_case: true}"),
            ("{last_user_contains: a, call_count: 1}", "{call_count: 1}"),
            ("{all: [{last_user_contains: a}, {last_role: user}], model: m}", "{last_role: [tool, user]}"),
            ("{call_count: {at_least: 3}}", "{call_count: {at_least: 2}}"),
            ("{call_count: 2}", "{call_count: {at_least: 2, at_most: 5}}"),
            ("{last_role: user}", "{call_count: {at_least: 1}}"),
            ("{context: {a: 1, b: 2}}", "{context: {a: 1.0}}"),
            ("{last_role: user}", "{any: [{last_role: user}, {call_count: 1}]}"),
            ("{any: [{call_count: 2}, {call_count: 3}]}", "{call_count: {at_least: 2}}"),
            ("{any: [{call_count: 2}]}", "{any: [{call_count: {at_most: 2}}, {iteration: 1}]}"),
            ("{not: {call_count: {at_most: 5}}}", "{not: {call_count: {at_most: 4}}}"),
            ("{last_role: user}", "{not: {last_role: tool}}"),
        ];
        for (narrow, wide) in cases {
            assert_eq!(both(narrow, wide), (true, false), "{narrow} {wide}");
        }
    }

    #[test]
    fn the_same_is_implied_both_ways() {
        let cases = [
            ("{last_role: user, call_count: 1}", "{all: [{call_count: 1}, {last_role: user}]}"),
            ("{last_role: [user, tool]}", "{last_role: [tool, user]}"),
            ("'call_count > `1`'", "{all: ['call_count > `1`']}"),
            ("{last_user_matches: a+}", "{any: [{last_user_matches: a+}]}"),
        ];
        for (a, b) in cases {
            assert_eq!(both(a, b), (true, true), "{a} {b}");
        }
    }

    #[test]
    fn what_is_not_certain_is_not_implied() {
        let cases = [
            ("{last_user_contains: a}", "{last_assistant_contains: a}"),
            ("{last_user_contains: a}", "{last_user_equals: a}"),
            ("{last_user_contains: a, ignore_case: true}", "{last_user_contains: A}"),
            ("{last_user_matches: aa}", "{last_user_matches: a}"),
            ("{call_count: 1}", "{iteration: 1}"),
            ("{last_tool_failed: true}", "{last_tool_failed: false}"),
            ("{lst_role: user}", "{lst_role: user}"),
            ("{last_role: null}", "{last_role: null}"),
            ("{any: []}", "{call_count: 1}"),
            ("{any: [{call_count: 1}, {last_role: user}]}", "{call_count: 1, last_role: user}"),
            ("'call_count > `2`'", "'call_count > `1`'"),
        ];
        for (a, b) in cases {
            assert!(!both(a, b).0, "{a} {b}");
        }
    }
}
