//! Time travel as plain data.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::travel::{RerunNeeds, RerunOptions};

fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

fn weather() -> Document {
    open(include_str!("../../public/examples/weather_query_with_tools.yaml"))
}

#[test]
fn what_changed_between_two_steps_of_the_seed() {
    let between = serde_json::to_value(weather().changes("1", "3").unwrap()).unwrap();
    assert_eq!(
        between["context"],
        json!([
            {"key": "conversation_count", "kind": "changed", "before": 1, "after": 2},
            {"key": "last_action", "kind": "changed", "before": "weather_requested", "after": "weather_reported"},
        ])
    );
    let stored: Vec<_> =
        between["stored"].as_array().unwrap().iter().map(|one| [&one["id"], &one["step"]]).collect();
    assert_eq!(stored, [[&json!("msg_004"), &json!("2")], [&json!("msg_005"), &json!("3")]]);
    let back = serde_json::to_value(weather().changes("3", "1").unwrap()).unwrap();
    assert_eq!((&back["stored"], back["removed"].as_array().unwrap().len()), (&json!([]), 2));
    assert_eq!(back["context"][0]["after"], 1);
    let hidden = open(include_str!("../../public/examples/context_management.yaml"));
    let between = serde_json::to_value(hidden.changes("2", "3").unwrap()).unwrap();
    assert_eq!(between["visibility"], json!([{"id": "msg_002", "visible": false}]));
}

/// A turn reports changes in its agent's own context, as the state has it; an agent with an equal context
/// is not reported.
#[test]
fn contexts_of_agents_have_changes_of_their_own() {
    let document = open(
        r#"
version: "1.0"
agents:
  planner: {context: {goal: none, tries: 1}}
  doer: {context: {goal: none}}
initial_state: {context: {goal: none}, message_store: [{id: a, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, agent: planner, llm_response: {content: A},
     message_created: {id: b, role: assistant, content: A}, state_changes: {context: {goal: Rome}}}
  - {turn: 2, type: llm_call, agent: doer, llm_response: {content: B},
     message_created: {id: c, role: assistant, content: B}, state_changes: {context: {goal: Oslo}}}
  - {turn: 3, type: llm_call, agent: planner, llm_response: {content: C},
     message_created: {id: d, role: assistant, content: C}, state_changes: {context: {goal: none}, context_removed: [tries]}}
"#,
    );
    let agents = |from: &str, to: &str| {
        let between = serde_json::to_value(document.changes(from, to).unwrap()).unwrap();
        between.get("agents").cloned()
    };
    let goal = |before: &str, after: &str| json!({"key": "goal", "kind": "changed", "before": before, "after": after});
    assert_eq!(
        agents("0", "2").unwrap(),
        json!({"planner": [goal("none", "Rome")], "doer": [goal("none", "Oslo")]})
    );
    assert_eq!(agents("1", "0").unwrap(), json!({"planner": [goal("Rome", "none")]}));
    let removed = json!({"key": "tries", "kind": "removed", "before": 1, "after": null});
    assert_eq!(agents("0", "3").unwrap(), json!({"planner": [removed], "doer": [goal("none", "Oslo")]}));
    assert_eq!(agents("2", "2"), None);
    assert_eq!(weather().changes("1", "3").unwrap().agents, []);
}

#[test]
fn nested_runs_have_changes_of_their_own() {
    let document = open(crate::ASKING);
    let between = document.changes("2.0", "2.2").unwrap();
    let steps: Vec<&str> = between.stored.iter().map(|one| one.step.as_str()).collect();
    assert_eq!(steps, ["2.1", "2.2"]);
    assert_eq!(
        document.changes("1", "2.1").unwrap_err().to_string(),
        "the steps `1` and `2.1` are of different runs"
    );
}

#[test]
fn a_changed_run_is_written_as_text_that_opens() {
    let answer = weather().travel(&json!({"replace_result": {"step": "2", "result": {"temperature": 20}}}));
    let shown = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        shown["marks"][2],
        json!({
            "step": "3", "origin": "3", "status": "diverged",
            "difference": {"path": "messages[3].result.temperature", "before": 72, "after": 20},
        })
    );
    assert!(!answer.holds);
    let new = open(&answer.text.unwrap());
    assert!(new.is_ok(), "{:?}", new.diagnostics());
    assert_eq!(new.step("2").unwrap().tool.unwrap().result, json!({"temperature": 20}));
    assert_eq!(new.overview().name.as_deref(), Some("weather_query_with_tools"));
}

#[test]
fn a_run_that_is_not_changed_has_the_same_words() {
    for text in [
        include_str!("../../public/examples/weather_query_with_tools.yaml"),
        include_str!("../../public/examples/context_management.yaml"),
        include_str!("../../public/examples/weather_query.yaml"),
        include_str!("../../public/examples/nested_agent_call.yaml"),
        crate::ASKING,
    ] {
        let document = open(text);
        let answer = document.travel(&json!([]));
        assert!(answer.ok && answer.holds, "{:?}", answer.marks);
        let new = open(&answer.text.unwrap());
        assert!(new.is_ok(), "{:?}", new.diagnostics());
        // Spelled out in the full form whether or not it was.
        let ignore = json!({"ignore": ["execution.*.message_created.tool_response"]});
        let options = transcript_core::view::difference_options(&ignore).unwrap();
        let found = transcript_core::view::difference(&document, &new, &options).unwrap();
        assert!(found.equal, "{:?}", found.changes);
    }
}

#[test]
fn what_is_in_the_way_is_reported() {
    let problem = |text: &str, changes: Value| open(text).travel(&changes).problem.unwrap();
    let broken = problem("messages: [", json!([]));
    assert_eq!(broken.message, "the document contains no complete run");
    let unknown = problem("messages: ['user: Hi']", json!([{"leap": {}}]));
    assert_eq!((unknown.change, unknown.message.as_str()), (None, "change 1: unknown change `leap`"));
    let late = problem("messages: ['user: Hi']", json!([{"fork": {"at": 0}}, {"fork": {"at": 1}}]));
    assert_eq!((late.change, late.message.as_str()), (Some(1), "there is no step `1`; the run has 0 steps"));
    let limits = Limits { expanded: 3, ..Limits::default() };
    let large = Document::open("messages: ['user: a', 'assistant: b', 'user: c', 'assistant: d']", &limits);
    assert!(large.travel(&json!([])).problem.unwrap().message.contains("the limit is 3"));
}

#[test]
fn a_rerun_ends_as_text() {
    let document = weather();
    let change = json!({"edit_message": {"step": 0, "message": "msg_002", "content": "Hi"}});
    let mut rerun = document.rerun(&change, RerunOptions::default()).unwrap();
    assert!(matches!(rerun.needs(), RerunNeeds::Response(_)));
    rerun.respond(&transcript_core::mock::Response::text("Hello")).unwrap();
    assert!(matches!(rerun.needs(), RerunNeeds::Nothing(_)));
    let answer = document.travelled(rerun.finish());
    assert!(answer.ok && answer.holds);
    assert_eq!(answer.dropped.len(), 2);
    assert_eq!(answer.notes, ["removed assertion 1: it refers to `msg_005`, which was removed"]);
    let new = open(&answer.text.unwrap());
    assert!(new.is_ok(), "{:?}", new.diagnostics());
}
