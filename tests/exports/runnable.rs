//! Tests that are made of a run. `tests/package/node/export.test.mjs` runs them; this checks their content.

use transcript_core::export::Settings;

use super::{NESTED, WEATHER, export, export_with, lost};

/// A text that would end every literal that could contain it.
const NASTY: &str = "name: \"x'); process.exit() //`${1}\\n\\u2028\"\nmessages: ['user: `${1} \\ \"\"\" ''''', 'assistant: b']\n";

fn at(path: &str) -> Settings {
    Settings { path: Some(path.to_owned()), ..Settings::default() }
}

#[test]
fn a_test_has_the_recording_in_itself_unless_an_option_says_where_it_lies() {
    for form in ["test-js", "test-vitest", "test-python"] {
        let inlined = export(WEATHER, form);
        assert_eq!(lost(&inlined), Vec::<String>::new(), "{form}");
        assert!(inlined.text.unwrap().contains("system: You are helpful"), "{form}");
        let text = export_with(WEATHER, form, &at("../runs/weather.yaml")).text.unwrap();
        assert!(text.contains("../runs/weather.yaml"), "{text}");
        assert!(!text.contains("description:") && !text.contains("recording.yaml"), "{text}");
    }
}

#[test]
fn a_test_in_javascript_plays_the_recording_until_an_agent_does() {
    let text = export(WEATHER, "test-js").text.unwrap();
    assert_eq!(text.matches("Your agent").count(), 1);
    assert_eq!(text.matches("tape.replayNext()").count(), 1);
    assert!(text.contains("tape.assertComplete()"), "{text}");
    assert!(!text.contains("check("), "there are no assertions: {text}");
    let asserting = format!("{WEATHER}assertions: [{{type: contains, pattern: Oslo}}]\n");
    assert!(export(&asserting, "test-js").text.unwrap().contains("check({ text, file })"));
    let for_vitest = text.replace("'node:test'", "'vitest'").replace("`node --test`", "`vitest run`");
    assert_eq!(export(WEATHER, "test-vitest").text.unwrap(), for_vitest);
}

#[test]
fn no_text_of_a_run_becomes_code() {
    let text = export(NASTY, "test-js").text.unwrap();
    assert!(text.contains("test('x\\'); process.exit() //`${1}\\n\\u{2028}: the agent"), "{text}");
    assert!(text.contains("'user: \\`$\\{1} \\\\ \"\"\" "), "{text}");
    let text = export(NASTY, "test-python").text.unwrap();
    assert!(text.contains("\"content\": \"`${1} \\\\ \\\"\\\"\\\" ''\""), "{text}");
    assert!(!text.contains('\u{2028}'));
}

#[test]
fn a_test_in_python_asks_each_call_once_and_has_each_message_once() {
    let text = export(WEATHER, "test-python").text.unwrap();
    // Two calls of the model: of the instructions and the question, and of these with the answer and two results.
    assert!(text.contains("CALLS = [\n    [(0, 2)],\n    [(0, 5)],\n]\n"), "{text}");
    assert_eq!(text.matches("{\"role\": ").count(), 5, "{text}");
    // The run inside asks between the calls of the run around it.
    let text = export(NESTED, "test-python").text.unwrap();
    assert!(text.contains("CALLS = [\n    [(0, 1)],\n    [(1, 2)],\n    [(0, 1), (2, 4)],\n]\n"), "{text}");
}

#[test]
fn a_call_without_a_record_is_taken_or_reported() {
    let partial = r#"
version: "1.0"
initial_state: {message_store: [{id: m1, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, llm_response: {content: Hello}, message_created: {id: m2, role: assistant, content: Hello}}
"#;
    assert_eq!(lost(&export(partial, "test-python")), ["added execution[0].messages_sent_to_llm"]);
    let comment = "// Calls without a recorded request accept any request.\n";
    let sends = [
        "// Tests an agent against a recording: it must send the recorded requests, and gets the recorded responses.\n",
        ": the agent sends what was recorded', async () => {\n",
    ];
    let calls = [
        "// Tests an agent against a recording: it gets the recorded responses.\n",
        ": the agent calls its model as often as recorded', async () => {\n",
    ];
    let second = "  - {turn: 2, type: llm_call, messages_sent_to_llm: [{ref: m1}], llm_response: {content: Bye}, message_created: {id: m3, role: assistant, content: Bye}}\n";
    let mixed = format!("{partial}{second}");
    for (run, [first, title], accepts_any) in
        [(WEATHER, sends, false), (partial, calls, true), (mixed.as_str(), sends, true)]
    {
        let text = export(run, "test-js").text.unwrap();
        assert!(text.starts_with(first) && text.contains(title), "{text}");
        assert_eq!(text.contains("{ unrecorded: 'allow' }"), accepts_any, "{text}");
        assert_eq!(text.contains(comment), accepts_any, "{text}");
    }
}
