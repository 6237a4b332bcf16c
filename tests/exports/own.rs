//! The forms that lose nothing, and what holds for all forms.

use transcript_core::document::{Document, Limits};
use transcript_core::export::Settings;

use super::{NESTED, WEATHER, data, export, forms, lost};

#[test]
fn yaml_and_json_are_the_same_data_and_lose_nothing() {
    for text in [WEATHER, NESTED] {
        let document = Document::open(text, &Limits::default());
        let full = document.expanded().unwrap();
        let json = export(text, "json");
        assert_eq!(data(&json), full);
        let yaml = export(text, "yaml");
        let again = Document::open(yaml.text.as_ref().unwrap(), &Limits::default());
        assert_eq!(again.expanded().unwrap(), full);
        assert_eq!((lost(&json), lost(&yaml)), (Vec::new(), Vec::new()));
    }
}

#[test]
fn compact_is_what_compacting_in_spite_of_losses_gives() {
    let view = export(NESTED, "compact");
    let compacted = Document::open(NESTED, &Limits::default()).compacted(true);
    assert_eq!((view.text, view.losses), (compacted.text, compacted.losses));
    assert!(!view.summary.is_empty());
}

#[test]
fn what_cannot_be_read_is_in_no_form_and_reported_in_each() {
    let text = "messages: ['user: a', 'usr: b', 'assistant: c']";
    let document = Document::open(text, &Limits::default());
    for form in forms() {
        let view = document.exported(form, &Settings::default()).unwrap();
        assert!(view.ok, "{form}");
        assert!(view.losses[0].message.starts_with("unreadable text on line 1"), "{form}: {:?}", view.losses);
        assert!(!view.summary.is_empty(), "{form}");
    }
}

#[test]
fn a_text_that_is_no_transcript_has_no_form() {
    for text in ["a: [", "name: x", "", "handlers: {bot: {type: queue, responses: [a]}}"] {
        let document = Document::open(text, &Limits::default());
        for form in forms() {
            let view = document.exported(form, &Settings::default()).unwrap();
            assert_eq!((view.ok, view.text, view.losses.len()), (false, None, 0), "{form}: {text}");
        }
    }
}

#[test]
fn an_unknown_form_is_misuse_that_names_the_nearest() {
    let document = Document::open(WEATHER, &Limits::default());
    let refused = |form: &str| document.exported(form, &Settings::default()).unwrap_err().to_string();
    assert_eq!(refused("antropic"), "unknown format `antropic`; did you mean `anthropic`?");
    let all = format!("use one of: {}", forms().join(", "));
    assert_eq!(refused("docx"), format!("unknown format `docx`; {all}"));
}

#[test]
fn an_empty_run_has_every_form() {
    for text in ["messages: []", "version: '1.0'\nexecution: []\n"] {
        for form in forms() {
            let document = Document::open(text, &Limits::default());
            let view = document.exported(form, &Settings::default()).unwrap();
            // A log needs an event.
            assert!(view.ok || !document.is_readable() || form == "events", "{form}: {text}");
        }
    }
}

/// Whatever a form omits from a run is reported.
#[test]
fn every_unknown_key_is_reported() {
    let text = r#"
version: "1.0"
x_top: 1
metadata: {name: n, x_meta: 1}
agent_config: {model: m, x_config: 1}
initial_state: {message_store: [{id: msg_001, role: user, content: a, x_message: 1}], x_initial: 1}
execution:
  - turn: 1
    type: llm_call
    x_turn: 1
    messages_sent_to_llm: []
    llm_response: {content: b, x_answer: 1}
    message_created: {id: msg_002, role: assistant, content: b}
    state_changes: {x_changes: 1}
final_state: {x_end: 1}
"#;
    // A test has the recording itself.
    for form in ["test-js", "test-vitest", "test-python"] {
        let view = export(text, form);
        assert!(view.text.unwrap().contains("x_config: 1"), "{form}");
    }
    let is_whole = |form: &&str| {
        matches!(*form, "yaml" | "json" | "compact" | "test-js" | "test-vitest" | "test-python")
    };
    for form in forms().into_iter().filter(|form| !is_whole(form)) {
        let view = export(text, form);
        let lost = lost(&view).join("\n");
        // Markdown escapes what may be markup.
        let text = view.text.as_ref().unwrap().replace('\\', "");
        for key in ["x_top", "x_message", "x_initial", "x_turn", "x_answer", "x_changes", "x_end"] {
            assert!(lost.contains(key), "{form} is silent of {key}:\n{lost}");
        }
        for (key, path) in [("x_meta", "metadata.x_meta"), ("x_config", "agent_config.x_config")] {
            assert!(lost.contains(path) || text.contains(key), "{form} is silent of {key}");
        }
        // Losses have the order of the full form: the keys of the document around those of the steps.
        assert!(lost.ends_with("x_top"), "{lost}");
    }
}
