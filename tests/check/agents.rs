//! Assertions about one agent of a run: one that a tool runs, or one of several in a conversation.

use serde_json::json;
use transcript_core::check::{Run, Status, check_all};
use transcript_core::document::{Document, Limits};

const NESTED: &str = r#"
messages:
  - "user: Ask"
  - "assistant:call research(q=1)"
  - {tool: research, result: {agent_id: researcher, response: warm, nested_transcript: {
      initial_state: {message_store: [{id: s, role: system, content: You look up}, {id: u, role: user, content: Rome}]},
      execution: [
        {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: "", tool_calls: [{id: c, function: {name: weather, arguments: "{}"}}]}},
        {turn: 2, type: tool_call, tool_call: {id: c, tool_name: weather, parameters: {}, result: 21}},
        {turn: 3, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: warm}}]}}}
  - "assistant: It is."
assertions:
"#;

fn outcomes(text: &str, assertions: &[&str]) -> Vec<(Status, String)> {
    let lines: String = assertions.iter().map(|one| format!("  - {one}\n")).collect();
    let document = Document::open(&format!("{text}{lines}"), &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let transcript = document.timeline().unwrap().transcript();
    let found = check_all(transcript, &Run::from_transcript(transcript));
    found.into_iter().map(|outcome| (outcome.status, outcome.message)).collect()
}

#[test]
fn an_assertion_may_name_an_agent_that_a_tool_runs() {
    let found = outcomes(
        NESTED,
        &[
            "{type: tool_called, tool: weather, agent: researcher}",
            "{type: tool_called, tool: research, agent: researcher}",
            "{type: final_response_contains, pattern: warm, agent: researcher}",
            "{type: message_count, value: 1, role: system, agent: researcher}",
            "{type: tool_call_count, value: 1}",
            "{type: tool_called, tool: weather, agent: reseacher}",
            "{type: equals, message: u, value: Rome, agent: researcher}",
        ],
    );
    let statuses: Vec<Status> = found.iter().map(|(status, _)| *status).collect();
    use Status::{Failed, Passed};
    assert_eq!(statuses, [Passed, Failed, Passed, Passed, Passed, Failed, Passed], "{found:#?}");
    assert_eq!(found[5].1, "unknown agent `reseacher`");
}

#[test]
fn an_assertion_may_name_one_of_several_agents_of_a_run() {
    let text = r#"
messages:
  - "system(agent=alice): You are Alice"
  - "system(agent=bob): You are Bob"
  - "user(agent=alice): Begin"
  - "assistant(agent=alice): Hello"
  - "assistant(agent=bob): Hi"
assertions:
"#;
    let found = outcomes(
        text,
        &[
            "{type: message_count, value: 3, agent: alice}",
            "{type: message_count, value: 2, agent: bob}",
            "{type: final_response_contains, pattern: Hello, agent: alice}",
            "{type: max_turns, value: 1, agent: bob}",
        ],
    );
    assert!(found.iter().all(|(status, _)| *status == Status::Passed), "{found:#?}");
}

#[test]
fn an_actual_run_may_name_the_agents_inside_it() {
    let run = Run::from_value(&json!({"messages": [], "nested": {"2": {"agent": "researcher", "messages": [
        {"role": "assistant", "content": "cold"}]}}}))
    .unwrap();
    let text = format!("{NESTED}  - {{type: final_response_contains, pattern: warm, agent: researcher}}\n");
    let document = Document::open(&text, &Limits::default());
    let found = check_all(document.timeline().unwrap().transcript(), &run);
    assert_eq!(found[0].status, Status::Failed);
    assert_eq!(found[0].evidence[0].actual, Some(json!("cold")));
}

/// `validate` and `check` agree on an assertion about one agent.
#[test]
fn an_assertion_about_an_agent_that_fails_is_a_warning() {
    let all = [
        ("{type: final_response_contains, pattern: cold, agent: researcher}", true),
        ("{type: final_response_contains, pattern: warm, agent: researcher}", false),
        ("{type: tool_called, tool: research, agent: researcher}", true),
        ("{type: tool_called, tool: weather, agent: reseacher}", true),
        ("{type: message_count, value: 2, role: system, agent: researcher}", true),
        // The opposite for another agent is no contradiction.
        ("{type: tool_not_called, tool: weather, agent: researcher}", true),
    ];
    let lines: String = all.iter().map(|(one, _)| format!("  - {one}\n")).collect();
    let text = format!("{NESTED}{lines}");
    let document = Document::open(&text, &Limits::default());
    let first = text[..text.find(&lines).unwrap()].lines().count() + 1;
    let warned: Vec<bool> = (first..first + all.len())
        .map(|line| {
            document.diagnostics().iter().any(|found| {
                found.code == "T503" && text[..found.span.start as usize].matches('\n').count() + 1 == line
            })
        })
        .collect();
    assert_eq!(warned, all.map(|(_, fails)| fails), "{:#?}", document.diagnostics());
    let checked: Vec<bool> = outcomes(NESTED, &all.map(|(one, _)| one))
        .iter()
        .map(|(status, _)| *status == Status::Failed)
        .collect();
    assert_eq!(checked, warned);
}

/// The run of an agent in a file of its own is not known to the document.
#[test]
fn an_assertion_about_an_agent_in_another_file_is_not_judged() {
    let text = r#"
messages:
  - "user: Ask"
  - "assistant:call research(q=1)"
  - {tool: research, result: {agent_id: researcher, response: warm, nested_transcript_ref: inner.yaml}}
  - "assistant: It is."
assertions:
  - {type: final_response_contains, pattern: cold, agent: researcher}
"#;
    let document = Document::open(text, &Limits::default());
    assert!(document.diagnostics().iter().all(|found| found.code != "T503"), "{:?}", document.diagnostics());
}
