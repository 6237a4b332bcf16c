//! The compact text that is written although it loses something is accepted by its own reader.

use transcript_core::diagnostic::Severity;
use transcript_tests::inputs;

use super::forms::open;

/// The errors of a text, as a compiler lists them.
fn errors(text: &str) -> Vec<String> {
    let document = open(text);
    let errors = document.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| format!("{}: {}", found.code, found.message)).collect()
}

#[test]
fn a_forced_compact_text_of_a_valid_fixture_has_no_errors() {
    let (mut checked, mut refused) = (0, Vec::new());
    for (path, input) in inputs() {
        let document = open(&input);
        if !document.is_ok() {
            continue;
        }
        let Some(text) = document.compacted(true).text else { continue };
        checked += 1;
        let errors = errors(&text);
        if !errors.is_empty() {
            refused.push(format!("{}: {errors:?}\n{text}", path.display()));
        }
        let second = open(&text).compacted(true).text.unwrap();
        let third = open(&second).compacted(true).text;
        assert_eq!(third.as_ref(), Some(&second), "after one pass: {}", path.display());
    }
    assert!(checked > 40, "{checked}");
    assert!(refused.is_empty(), "{} of {checked}:\n{}", refused.len(), refused.join("\n"));
}

/// A call with arguments that are no map is written without any, and all of them are reported as lost.
#[test]
fn arguments_that_are_no_map_are_reported_and_left_out() {
    for arguments in ["'not json'", "'[1, 2]'", "'\"{}\"'", "[1, 2]", "5"] {
        let text = format!(
            "version: \"1.0\"
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: []
    message_created:
      id: msg_001
      role: assistant
      content: \"\"
      tool_calls:
        - {{id: call_001, function: {{name: f, arguments: {arguments}}}}}
        - {{id: other, function: {{name: g, arguments: {arguments}}}}}
"
        );
        let compaction = open(&text).compacted(true);
        let losses: Vec<String> =
            compaction.losses.iter().map(|loss| format!("{} {}", loss.kind, loss.path)).collect();
        let calls = "lost execution[0].message_created.tool_calls";
        assert_eq!(
            losses,
            [
                format!("{calls}[0].function.arguments"),
                format!("{calls}[1].function.arguments"),
                "added execution[0].llm_response".to_owned(),
            ],
            "{arguments}"
        );
        let written = compaction.text.unwrap();
        assert_eq!(errors(&written), Vec::<String>::new(), "{written}");
        let again = open(&written).compacted(false);
        assert_eq!(again.text, Some(written), "a second time");
    }
}

/// A result without a call, and one of a tool that the host called, are left out with all that refers to them.
#[test]
fn a_result_without_a_call_is_reported_and_left_out() {
    let text = r#"version: "1.0"
initial_state:
  message_store:
    - {id: msg_001, role: tool, tool_name: bash, content: alone}
    - {id: msg_002, role: user, content: Hi}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}, {ref: msg_002}]
    message_created: {id: msg_003, role: assistant, content: Hello}
    state_changes: {visible: {msg_001: false}}
  - turn: 2
    type: tool_call
    tool_call: {caller: host, tool_name: clock, parameters: {}, result: 12}
    message_created: {id: msg_004, role: tool, tool_name: clock, content: "12"}
final_state:
  assertions:
    - {type: contains, message: msg_001, pattern: alone}
    - {type: contains, message: msg_003, pattern: Hello}
"#;
    let document = open(text);
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let compaction = document.compacted(true);
    let written = compaction.text.unwrap();
    assert_eq!(errors(&written), Vec::<String>::new(), "{written}");
    assert!(!written.contains("alone") && !written.contains("clock"), "{written}");
    let whole: Vec<&str> =
        compaction.losses.iter().filter(|loss| loss.kind == "whole").map(|loss| &*loss.path).collect();
    assert_eq!(whole, ["initial_state.message_store[0]", "execution[1]"]);
}
