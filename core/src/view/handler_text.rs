//! Conditions and responses of handlers in one line.

use super::handling::AnswerLine;
use crate::model::handlers::{Condition, ConditionKind, MockResponse, TestKind};

/// The most characters of a response or a condition that are shown.
const LONGEST: usize = 2_000;

/// A condition in words, with the names that documents use; `None` where it holds whatever happens.
pub(super) fn describe_condition(condition: &Condition) -> Option<String> {
    if condition.is_always() {
        return None;
    }
    let mut out = String::new();
    write_condition(condition, &mut out);
    Some(short(out))
}

fn write_condition(condition: &Condition, out: &mut String) {
    // What is longer is cut anyway, and a condition may hold as many others as the document has room for.
    if out.len() > LONGEST * 4 {
        return;
    }
    match &condition.kind {
        ConditionKind::Expression(text) => out.push_str(text),
        ConditionKind::Unknown => out.push('?'),
        ConditionKind::Tests(tests) if tests.is_empty() => out.push_str("always"),
        ConditionKind::Tests(tests) => {
            for (at, test) in tests.iter().enumerate() {
                if at > 0 {
                    out.push_str(" and ");
                }
                match &test.kind {
                    TestKind::All(parts) => write_list("all", parts, out),
                    TestKind::Any(parts) => write_list("any", parts, out),
                    TestKind::Not(part) => {
                        out.push_str("not (");
                        write_condition(part, out);
                        out.push(')');
                    }
                    TestKind::Named(name, value) => out.push_str(&format!("{name} {value}")),
                    TestKind::Unknown => out.push_str(&test.name.value),
                }
            }
        }
    }
}

fn write_list(word: &str, parts: &[Condition], out: &mut String) {
    out.push_str(word);
    out.push_str(" of (");
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str("; ");
        }
        write_condition(part, out);
    }
    out.push(')');
}

/// A response in short.
pub(super) fn answer_line(response: &MockResponse) -> AnswerLine {
    let text = response.content.as_ref().map(|content| short(content.to_text())).unwrap_or_default();
    let calls = response.tool_calls.iter();
    let calls = calls.map(|call| (call.name.value.to_string(), short(call.arguments.to_string())));
    AnswerLine { text, calls: calls.collect() }
}

fn short(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::document::Limits;
    use crate::view::handlers;

    /// The condition of a rule with this `when`.
    fn describe(when: &str) -> Option<String> {
        let text =
            format!("handlers: {{bot: {{type: conditional, rules: [{{when: {when}, respond: Hi}}]}}}}");
        handlers(&text, &Limits::default()).agents[0].handler.rows[0].when.clone()
    }

    #[test]
    fn a_condition_is_described_in_the_names_of_the_format() {
        assert_eq!(describe("{}"), None);
        assert_eq!(describe("{last_user_contains: weather}").unwrap(), "last_user_contains \"weather\"");
        assert_eq!(
            describe("{call_count: 2, last_role: tool}").unwrap(),
            "call_count 2 and last_role \"tool\""
        );
        assert_eq!(describe("\"call_count == `2`\"").unwrap(), "call_count == `2`");
        let nested = describe("{any: [{last_role: tool}, {not: {tool_called: search}}]}");
        assert_eq!(nested.unwrap(), "any of (last_role \"tool\"; not (tool_called \"search\"))");
    }
}
