//! T613: the tests of a condition contradict each other.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::{Condition, ConditionKind, Test, TestKind, range};
use crate::text::{Span, Table};

/// Checks a condition with the contents of its `all`, where every test must hold.
pub(super) fn check(condition: &Condition, found: &mut Vec<Diagnostic>) {
    let mut seen: Table<&str, Vec<(&Value, Span)>> = Table::new();
    together(condition, &mut |test, name, value| {
        let earlier = seen.entry(name).or_default();
        if let Some((_, span)) = earlier.iter().find(|(other, _)| exclude(name, other, value)) {
            let message = format!("the tests of `{name}` contradict each other");
            found.push(
                Diagnostic::new(codes::CONTRADICTORY_CONDITION, Severity::Warning, test.value_span, message)
                    .label("this")
                    .related(*span, "other test")
                    .help("put the tests into `any` if one of them is enough"),
            );
        } else if earlier.len() < MOST {
            earlier.push((value, test.value_span));
        }
    });
}

/// The maximum number of tests of one name in one condition that are compared with later ones.
const MOST: usize = 16;

/// Passes every named test that must hold to `each`.
fn together<'c>(condition: &'c Condition, each: &mut impl FnMut(&'c Test, &'static str, &'c Value)) {
    let ConditionKind::Tests(tests) = &condition.kind else { return };
    for test in tests {
        match &test.kind {
            TestKind::Named(name, value) => each(test, name, value),
            TestKind::All(parts) => parts.iter().for_each(|part| together(part, each)),
            _ => {}
        }
    }
}

/// Whether no value passes both tests of that name.
pub(super) fn exclude(name: &str, a: &Value, b: &Value) -> bool {
    match name {
        "call_count" | "iteration" | "message_count" => {
            let (Some(a), Some(b)) = (range(a), range(b)) else { return false };
            a.0.max(b.0) > a.1.min(b.1)
        }
        "last_role"
        | "last_tool_name"
        | "agent"
        | "model"
        | "last_user_equals"
        | "last_assistant_equals"
        | "last_tool_equals" => {
            let (a, b) = (one_or_more(a), one_or_more(b));
            !a.is_empty() && !b.is_empty() && !a.iter().any(|a| b.iter().any(|b| may_be_same(a, b)))
        }
        "last_tool_failed" => a != b,
        "context" => {
            let (Some(a), Some(b)) = (a.as_object(), b.as_object()) else { return false };
            a.iter().any(|(key, value)| b.get(key).is_some_and(|other| other != value))
        }
        _ => false,
    }
}

/// The values of a test that takes one or several.
pub(super) fn one_or_more(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        one => std::slice::from_ref(one),
    }
}

/// Whether two texts may be equal under `ignore_case`.
fn may_be_same(a: &Value, b: &Value) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a.to_lowercase() == b.to_lowercase(),
        _ => true,
    }
}
