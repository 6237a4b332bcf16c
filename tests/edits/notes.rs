//! Notes on steps: comments above them.

use serde_json::json;
use transcript_core::document::{Document, Limits};
use transcript_core::export::Settings;
use transcript_core::view::edit;

use crate::{edit_answer, refused};

const COMPACT: &str = "messages:\n  - 'user: Hi'\n  - 'assistant:call look(at=\"sea\")'\n  - 'tool:look: grey'\n  - 'assistant: It is grey.'\n";

const FULL: &str = "version: \"1.0\"
execution:
  - turn: 1
    type: message
    message_created:
      id: msg_001
      role: user
      content: |
        First
        # no note
  - turn: 2
    type: tool_call
    tool_call:
      tool_name: ask
      parameters: {}
      success: true
      result:
        nested_transcript:
          execution:
            - turn: 1
              type: message
              message_created: {id: msg_001, role: user, content: Inner}
";

fn noted(text: &str, step: &str, note: &str) -> String {
    let answer = edit_answer(text, &json!({"set_note": {"step": step, "text": note}}));
    assert_eq!(answer.problem, None);
    answer.text
}

fn notes(text: &str) -> Vec<(String, String)> {
    let document = Document::open(text, &Limits::default());
    document.steps().into_iter().filter_map(|row| Some((row.path, row.note?))).collect()
}

fn pair(path: &str, note: &str) -> (String, String) {
    (path.to_owned(), note.to_owned())
}

#[test]
fn a_note_is_written_replaced_and_removed() {
    let once = noted(COMPACT, "2", "Why grey?\n\nAsk again.");
    let expected = COMPACT.replace("  - 'tool:look", "  # Why grey?\n  #\n  # Ask again.\n  - 'tool:look");
    assert_eq!(once, expected);
    assert_eq!(notes(&once), [pair("2", "Why grey?\n\nAsk again.")]);
    let twice = noted(&once, "2", " bookmark ");
    assert_eq!(notes(&twice), [pair("2", "bookmark")]);
    assert_eq!(noted(&twice, "2", ""), COMPACT);
    // A number is a path, too.
    assert_eq!(
        edit_answer(COMPACT, &json!({"set_note": {"step": 3, "text": "x"}})).text,
        noted(COMPACT, "3", "x")
    );
}

#[test]
fn notes_of_full_transcripts_are_at_their_steps_inside_other_runs_too() {
    let text = noted(&noted(FULL, "2", "Outer"), "2.1", "Inner\tnote");
    assert_eq!(notes(&text), [pair("2", "Outer"), pair("2.1", "Inner note")]);
    assert!(
        text.contains("\n  # Outer\n  - turn: 2\n")
            && text.contains("\n            # Inner note\n            - turn: 1\n"),
        "{text}"
    );
    // The last line of a text is no comment, whatever it begins with.
    assert_eq!(notes(FULL), []);
}

#[test]
fn line_ends_and_settings_stay() {
    let crlf = COMPACT.replace('\n', "\r\n");
    let text = noted(&crlf, "1", "one\ntwo");
    assert!(text.contains("\r\n  # one\r\n  # two\r\n  - 'assistant:call"), "{text:?}");
    assert_eq!(notes(&text), [pair("1", "one\ntwo")]);
    assert_eq!(noted(&text, "1", ""), crlf);
    let set = COMPACT.replace("  - 'tool", "  # old\n  # transcript: off=T302\n  - 'tool");
    assert_eq!(notes(&set), [pair("2", "old")]);
    assert_eq!(noted(&set, "2", "new"), set.replace("# old", "# new"));
    // A comment that stands apart is about something else.
    assert_eq!(notes(&COMPACT.replace("  - 'tool", "  # far\n\n  - 'tool")), []);
}

#[test]
fn a_note_moves_and_goes_with_its_step() {
    let two = "execution:\n  - {turn: 1, type: message, message_created: {id: a, role: user, content: One}}\n  # Mine\n  - {turn: 2, type: message, message_created: {id: b, role: user, content: Two}}\n";
    let moved = edit_answer(two, &json!({"move_turn": {"step": 2, "to": 1}})).text;
    assert_eq!(notes(&moved), [pair("1", "Mine")]);
    let removed = edit_answer(two, &json!({"remove_turn": {"step": 2}})).text;
    assert_eq!(notes(&removed), []);
}

#[test]
fn other_forms_keep_the_notes() {
    let text = noted(COMPACT, "2", "Why <b>grey</b>?");
    let document = Document::open(&text, &Limits::default());
    let exported = |form: &str| document.exported(form, &Settings::default()).unwrap();
    let full = exported("yaml").text.unwrap();
    assert_eq!(notes(&full), [pair("2", "Why <b>grey</b>?")]);
    let back = Document::open(&full, &Limits::default()).compacted(true);
    assert_eq!((notes(&back.text.unwrap()), back.notices), (vec![pair("2", "Why <b>grey</b>?")], vec![]));
    let html = exported("html").text.unwrap();
    assert!(html.contains("Why &lt;b&gt;grey&lt;/b&gt;?") && !html.contains("<b>grey"), "{html}");
    let markdown = exported("markdown").text.unwrap();
    assert!(markdown.contains("Note:\n\n```text\nWhy <b>grey</b>?\n```"), "{markdown}");
    assert_eq!(exported("json").summary, ["the notes on steps: JSON has no comments"]);
}

#[test]
fn a_step_without_a_line_of_its_own_has_no_note() {
    let json = "{\"messages\": [\"user: Hi\", \"assistant: Hello\"]}";
    assert_eq!(refused(json, &json!({"set_note": {"step": 1, "text": "x"}})), "change");
    let pretty = "{\n  \"messages\": [\n    \"user: Hi\",\n    \"assistant: Hello\"\n  ]\n}\n";
    let answer = edit(pretty, &json!({"set_note": {"step": 1, "text": "x"}}), &Limits::default());
    assert_eq!(answer.problem.unwrap().help.as_deref(), Some("convert the document to YAML"));
    for step in ["0", "4", "1.1", "x", ""] {
        assert_eq!(refused(COMPACT, &json!({"set_note": {"step": step, "text": "x"}})), "path", "{step}");
    }
    assert_eq!(refused(COMPACT, &json!({"set_note": {"step": 1}})), "change");
}

#[test]
fn the_note_of_a_text_on_lines_of_its_own_is_shown() {
    let block = "messages:\n  - 'user: Hi'\n  - |-\n    assistant: one\n    two\n";
    let text = noted(block, "1", "x");
    assert_eq!((notes(&text), text.contains("\n  # x\n  - |-\n")), (vec![pair("1", "x")], true), "{text}");
    assert_eq!(noted(&text, "1", ""), block);
    let full = "execution:\n  -\n    turn: 1\n    type: message\n    message_created: {id: a, role: user, content: A}\n  - &b\n    turn: 2\n    type: message\n    message_created: {id: b, role: user, content: B}\n";
    assert_eq!(notes(&noted(&noted(full, "1", "x"), "2", "y")), [pair("1", "x"), pair("2", "y")]);
    let nested = "execution:\n  # outer\n  - turn: 1\n    type: tool_call\n    tool_call: {tool_name: t, result: {nested_transcript: {execution: [\n      {turn: 1, type: message, message_created: {id: a, role: user, content: A}}]}}}\n";
    assert_eq!(notes(nested), [pair("1", "outer")]);
}

#[test]
fn a_setting_is_no_note() {
    for note in ["transcript: off=T302", "a\n  transcript: off=T302"] {
        assert_eq!(refused(COMPACT, &json!({"set_note": {"step": 1, "text": note}})), "change");
    }
    assert_eq!(notes(&COMPACT.replace("  - 'tool", "  #   transcript: off=T302\n  - 'tool")), []);
}

#[test]
fn a_form_with_other_steps_has_no_notes_on_them() {
    let turn = |id: &str, text: &str| {
        format!(
            "  # on {text}\n  - {{turn: 1, type: message, message_created: {{id: {id}, role: user, content: {text}}}}}\n"
        )
    };
    let text = format!(
        "execution:\n{}  # on the answer\n  - {{turn: 2, type: llm_call, llm_response: {{content: Hello}}}}\n",
        turn("a", "hi")
    );
    let compaction = Document::open(&text, &Limits::default()).compacted(true);
    let compact = compaction.text.unwrap();
    // The first message is no step of the compact form.
    assert_eq!((notes(&compact), compaction.notices.len()), (vec![], 1), "{compact}");
}
