//! Rows and details say the same, and nothing of a document is lost on its way to them.

use std::sync::Arc;

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Form, Limits};
use transcript_core::view::StepDetail;

fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

/// The problem of each row, by path; the details must say the same.
fn problems(text: &str) -> Vec<(String, Option<Severity>)> {
    let document = open(text);
    let rows = document.steps();
    for row in &rows {
        assert_eq!(&document.step(&row.path).unwrap().row, row);
    }
    rows.into_iter().map(|row| (row.path, row.problem)).collect()
}

fn expected(rows: &[(&str, Option<Severity>)]) -> Vec<(String, Option<Severity>)> {
    rows.iter().map(|(path, problem)| ((*path).to_owned(), *problem)).collect()
}

#[test]
fn a_problem_marks_its_step_whatever_comes_first_in_the_document() {
    let execution = "execution:\n  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: nobody}], llm_response: {content: a}}\n  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: u}], llm_response: {content: b}}\n";
    let initial = "initial_state:\n  contxt: {a: 1}\n  message_store: [{id: u, role: user, content: x}]\n";
    let rows = [("0", Some(Severity::Warning)), ("1", Some(Severity::Error)), ("2", None)];
    for text in
        [format!("version: '1.0'\n{initial}{execution}"), format!("version: '1.0'\n{execution}{initial}")]
    {
        assert_eq!(problems(&text), expected(&rows), "{text}");
    }
}

/// Another process gets views as JSON, and has the same values after it has read them.
#[test]
fn rows_and_steps_are_the_same_after_a_way_through_json() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/examples");
    let mut count = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        let document = open(&std::fs::read_to_string(&path).unwrap());
        for row in document.steps() {
            let step = document.step(&row.path).unwrap();
            let json = serde_json::to_string(&step).unwrap();
            assert_eq!(serde_json::from_str::<StepDetail>(&json).unwrap(), step, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "the examples have {count} steps");
}

#[test]
fn a_problem_outside_of_all_steps_marks_none() {
    let text = "nam: x\nversion: '1.0'\nexecution:\n  - {turn: 1, type: llm_call, messages_sent_to_llm: [], llm_response: {content: a}}\n";
    assert!(!open(text).diagnostics().is_empty());
    assert_eq!(problems(text), expected(&[("0", None), ("1", None)]));
}

#[test]
fn a_compact_run_marks_its_first_messages_as_the_start() {
    let text = "messages:\n  - 'user: Hi'\n  - {usr: x}\n  - 'user: Hey'\n  - 'assistant: Hello!'\n";
    assert_eq!(problems(text), expected(&[("0", Some(Severity::Error)), ("1", None)]));
}

#[test]
fn a_nested_step_and_its_parent_are_both_marked() {
    let text = r#"
execution:
  - turn: 1
    type: tool_call
    tool_call:
      tool_name: ask
      result:
        response: ok
        nested_transcript:
          initial_state: {message_store: [{id: u, role: usr, content: x}]}
          execution:
            - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: nobody}], llm_response: {content: a}}
"#;
    let error = Some(Severity::Error);
    assert_eq!(problems(text), expected(&[("0", None), ("1", error), ("1.0", error), ("1.1", error)]));
}

#[test]
fn a_message_without_a_role_has_none_in_its_row() {
    let text = "version: '1.0'\nexecution: [{turn: 1, type: dance, message_created: {id: a, content: x}}]";
    let row = &open(text).steps()[1];
    assert_eq!((row.role.as_deref(), row.kind.as_str()), (None, "unknown"));
}

#[test]
fn the_step_that_hid_a_message_is_named_by_its_path() {
    let text = r#"
version: "1.0"
initial_state: {message_store: [{id: u, role: user, content: x}]}
execution:
  - turn: 10
    type: tool_call
    tool_call:
      tool_name: ask
      result:
        nested_transcript:
          initial_state: {message_store: [{id: v, role: user, content: x}]}
          execution:
            - {turn: 5, type: message, state_changes: {visible: {v: false}}}
  - {turn: 20, type: message, state_changes: {visible: {u: false}}}
"#;
    let document = open(text);
    let since = |path: &str| document.step(path).unwrap().flow.store[0].hidden_since.clone();
    assert_eq!(since("2").as_deref(), Some("2"));
    assert_eq!(since("1.1").as_deref(), Some("1.1"));
    assert_eq!(since("1"), None);
}

#[test]
fn the_data_of_a_step_is_that_of_the_full_transcript() {
    for text in [
        "initial_state: {context: {a: 1}}\nexecution:\n  - {llm_response: {content: Hi}, mood: good}\n  - {tool_call: {tool_name: f, result: 1}, message_created: null}\n",
        "messages:\n  - 'user: Hi'\n  - 'assistant:call f(x=1)'\n  - 'tool:f: 2'\n  - {hide: msg_001}\n  - 'assistant: Bye'\n",
        "version: '1.0'\nexecution:\n  - {turn: 1, type: llm_call, messages_sent_to_llm: [], llm_response: {content: a}, mood: good}\n",
    ] {
        let document = open(text);
        let full = document.expanded().unwrap();
        for (index, turn) in full["execution"].as_array().unwrap().iter().enumerate() {
            assert_eq!(&document.step(&(index + 1).to_string()).unwrap().raw, turn, "{text}");
        }
        if let Some(initial) = full.get("initial_state") {
            assert_eq!(&document.step("0").unwrap().raw, initial, "{text}");
        }
    }
}

#[test]
fn completing_a_partial_document_loses_nothing_of_it() {
    let text = r#"
name: outside
description: about
tags: [t]
metadata: {name: inside, tags: [t]}
agent_config: none
execution: [{llm_response: {content: Hi}}]
initial_state: soon
"#;
    let full = open(text).expanded().unwrap();
    assert_eq!(full["metadata"], json!({"name": "inside", "tags": ["t"], "description": "about"}));
    assert_eq!(full["name"], "outside");
    assert_eq!((full.get("tags"), full.get("description")), (None, None));
    assert_eq!((&full["agent_config"], &full["initial_state"]), (&json!("none"), &json!("soon")));
}

#[test]
fn a_step_shares_the_texts_of_its_messages_with_every_other() {
    let document = open(
        "messages:\n  - 'user: Hi'\n  - 'assistant:call f(x=1)'\n  - 'tool:f: 2'\n  - 'assistant: Bye'\n",
    );
    let (first, last) = (document.step("1").unwrap(), document.step("3").unwrap());
    let sent = last.llm.unwrap().sent.unwrap();
    for (at, message) in first.flow.store.iter().enumerate() {
        let later = &last.flow.store[at];
        for content in [&later.content, &sent[at].content] {
            assert!(Arc::ptr_eq(message.content.as_ref().unwrap(), content.as_ref().unwrap()), "{at}");
        }
        assert!(
            Arc::ptr_eq(&message.tool_calls, &later.tool_calls) && Arc::ptr_eq(&message.id, &later.id),
            "{at}"
        );
    }
    let written = serde_json::to_value(&first.flow.store[1]).unwrap();
    assert_eq!(
        (&written["role"], &written["toolCalls"][0]["arguments"]),
        (&json!("assistant"), &json!({"x": 1}))
    );
}

fn chat(turns: usize) -> String {
    let turn = "  - 'user: Hi'\n  - 'assistant: Hello!'\n";
    format!("messages:\n{}", turn.repeat(turns))
}

#[test]
fn a_full_form_beyond_the_limit_is_refused_by_name() {
    // The calls are sent 1, 3, 5 messages: 9 references.
    let enough = Limits { expanded: 9, ..Limits::default() };
    let document = Document::open(&chat(3), &enough);
    assert_eq!(document.expansion_refused(), None);
    let full = document.expanded().unwrap();
    let sent = |turn: &Value| turn["messages_sent_to_llm"].as_array().map_or(0, Vec::len);
    assert_eq!(full["execution"].as_array().unwrap().iter().map(sent).sum::<usize>(), 9);

    let document = Document::open(&chat(3), &Limits { expanded: 8, ..Limits::default() });
    let refused = document.expansion_refused().unwrap();
    assert_eq!((refused.code, refused.severity), ("T013", Severity::Error));
    for part in ["9", "8"] {
        assert!(refused.message.contains(part), "{}", refused.message);
    }
    assert!(refused.help.unwrap().contains("limit on expansion"));
    assert!(document.expanded_yaml().is_none() && document.expanded_json().is_none());
    // The document itself is as good as before, and each of its steps can be seen.
    assert!(document.is_ok() && document.is_readable());
    assert_eq!(sent(&document.step("5").unwrap().raw), 5);

    let full =
        Document::open(&serde_json::to_string(&full).unwrap(), &Limits { expanded: 0, ..Limits::default() });
    assert_eq!((full.expansion_refused(), full.expanded().is_some()), (None, true));
}

#[test]
fn a_long_compact_file_is_refused_by_default() {
    let document = open(&chat(5_000));
    assert!(document.expansion_refused().unwrap().message.contains("25000000"));
    assert!(document.expanded_json().is_none());
}

#[test]
fn a_document_of_handlers_opens_without_a_run() {
    let text = "name: mocks\ntags: [fast]\nhandlers:\n  bot: {type: queue, responses: [Hi, Bye]}\n";
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok() && document.diagnostics().is_empty());
    let overview = document.overview();
    assert_eq!((overview.form, overview.steps), (Form::Handlers, 0));
    assert_eq!((overview.name.as_deref(), overview.tags), (Some("mocks"), vec!["fast".to_owned()]));
    assert_eq!(serde_json::to_value(overview.form).unwrap(), "handlers");
    assert!(document.timeline().is_none() && document.steps().is_empty() && document.step("0").is_none());
    assert_eq!(document.handlers().unwrap().agents.len(), 1);
    let refusal = document.expansion_refused().unwrap();
    assert_eq!((refusal.code, document.expanded()), ("T101", None));
}

#[test]
fn the_handlers_of_a_transcript_are_read_with_its_run() {
    for text in [
        "messages: ['user: Hi']\nhandlers: {bot: {type: queue, responses: [Hi]}}",
        "execution: []\nhandlers: {bot: {type: queue, responses: [Hi]}}",
        "version: '1.0'\nexecution: []\nhandlers: {bot: {type: queue, responses: [Hi]}}",
    ] {
        let document = Document::open(text, &Limits::default());
        assert!(document.diagnostics().is_empty() && document.timeline().is_some(), "{text}");
        assert_eq!(&*document.handlers().unwrap().agents[0].0.value, "bot");
        assert_eq!(document.expanded().unwrap()["handlers"]["bot"]["responses"][0], "Hi");
    }
}
