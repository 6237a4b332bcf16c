//! One fault of an assertion has one code, whether the document is validated or its assertions are checked.

use serde_json::json;

use super::open;

/// A run of two messages, a call and its result, in which one tool is declared.
fn document(assertion: &str) -> String {
    format!(
        "agent_config: {{tools: [weather]}}\nmessages:\n  - 'user: Hi'\n  - 'assistant:call weather(city=\"Paris\")'\n  \
         - 'tool:weather: {{temp: 72}}'\n  - 'assistant: It is 72'\nassertions:\n  - {assertion}\n"
    )
}

/// The codes that validating reports about assertions, and those of checking them.
fn codes(assertion: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let document = open(&document(assertion));
    let found = document.diagnostics().iter().map(|found| found.code);
    let mut reported: Vec<_> =
        found.filter(|code| code.starts_with("T5") || ["T104", "T201"].contains(code)).collect();
    // Of an assertion without two of its fields, both are reported.
    reported.dedup();
    (reported, document.check().iter().filter_map(|outcome| outcome.code).collect())
}

/// Every type with a fault of every kind that it can have.
const FAULTS: [(&str, &str); 47] = [
    // It does not hold.
    ("{contains: '73'}", "T503"),
    ("{not_contains: '72'}", "T503"),
    ("{equals: x}", "T503"),
    ("{final_response_contains: '73'}", "T503"),
    ("{tool_called: {tool: weather, parameters: {city: Rome}}}", "T503"),
    ("{tool_not_called: weather}", "T503"),
    ("{tool_call_count: 2}", "T503"),
    ("{tool_sequence: [weather, weather]}", "T503"),
    ("{context_value: {key: a, value: 1}}", "T503"),
    ("{message_count: 1}", "T503"),
    ("{visible: {message: msg_001, value: false}}", "T503"),
    ("{max_turns: 1}", "T503"),
    // A needed field is not there.
    ("{type: contains}", "T502"),
    ("{type: not_contains}", "T502"),
    ("{type: matches}", "T502"),
    ("{type: equals}", "T502"),
    ("{type: final_response_contains}", "T502"),
    ("{type: tool_called}", "T502"),
    ("{type: tool_not_called}", "T502"),
    ("{type: tool_call_count}", "T502"),
    ("{type: tool_sequence}", "T502"),
    ("{type: context_value}", "T502"),
    ("{type: message_count}", "T502"),
    ("{type: visible}", "T502"),
    ("{type: max_tokens}", "T502"),
    ("{type: max_turns}", "T502"),
    ("{type: json_path}", "T502"),
    ("{type: expr}", "T502"),
    // A field is unknown, of the wrong kind, or has a word that it cannot have.
    ("{type: contains, pattern: '72', ignore_cas: true}", "T502"),
    ("{type: no_errors, strict: true}", "T502"),
    ("{type: tool_call_count, tool: weather, value: two}", "T502"),
    ("{type: max_turns, value: many}", "T502"),
    ("{type: tool_sequence, tools: [weather], mode: exakt}", "T502"),
    ("{type: message_count, role: usr, value: 1}", "T502"),
    ("{contains: ''}", "T502"),
    // No such type, or none at all.
    ("{type: containz, pattern: '72'}", "T501"),
    // No such tool.
    ("{tool_called: wether}", "T504"),
    ("{tool_call_count: {tool: wether, value: 1}}", "T504"),
    ("{tool_sequence: [wether]}", "T504"),
    // What cannot be read, or names what is not there.
    ("{matches: '(a'}", "T505"),
    ("{matches: 'a(?=b)'}", "T505"),
    ("{json_path: {path: 'a =='}}", "T505"),
    ("{expr: 'lenght(calls)'}", "T505"),
    ("{expr: 'mesages'}", "T505"),
    // No such message.
    ("{contains: {pattern: '72', message: msg_009}}", "T201"),
    ("{visible: msg_009}", "T201"),
    ("{matches: {pattern: '72', message: msg_009}}", "T201"),
];

#[test]
fn one_fault_has_one_code() {
    for (assertion, code) in FAULTS {
        assert_eq!(codes(assertion), (vec![code], vec![code]), "{assertion}");
    }
}

/// What only checking finds out has the code of what fails.
#[test]
fn what_is_worked_out_fails_as_the_rest() {
    for (assertion, code) in [
        ("{matches: '^73'}", "T503"),
        ("{json_path: {path: 'a'}}", "T503"),
        ("{expr: 'turns == `9`'}", "T503"),
    ] {
        assert_eq!(codes(assertion), (vec![], vec![code]), "{assertion}");
    }
    for assertion in
        ["{contains: '72'}", "{tool_called: weather}", "{tool_not_called: other}", "{no_errors: {}}"]
    {
        assert_eq!(codes(assertion).1, Vec::<&str>::new(), "{assertion}");
    }
}

/// Where nothing is wrong with the assertion, but the run does not have what it needs, no rule reports it.
#[test]
fn what_cannot_be_known_has_no_code() {
    let document = open(&json!({"messages": ["user: Hi"], "assertions": [{"max_turns": 1}]}).to_string());
    let outcomes = document.check_run(&json!({"messages": []})).unwrap();
    assert_eq!(
        (outcomes[0].code, outcomes[0].message.as_str()),
        (None, "the number of turns of the run is unknown")
    );
    let broken = open("messages: [");
    assert_eq!(broken.check()[0].code, None);
}
