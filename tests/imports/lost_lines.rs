//! Documents of JSON that lack a line: the rest of the run is read.

use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::{LogFile, detect_broken};
use transcript_core::view::{ImportOptions, import_log};

use crate::cut_documents::{documents, import, size};
use crate::diagnostic_lines;

/// The lines of a text without the one at a place.
fn without(text: &str, place: usize) -> String {
    let lines = text.split_inclusive('\n').enumerate();
    lines.filter(|(at, _)| *at != place).map(|(_, line)| line).collect()
}

#[test]
fn five_of_six_missing_lines_cost_no_more_than_two_turns() {
    let all = documents();
    assert!(all.len() >= 30, "{}", all.len());
    for (name, text, whole) in all {
        let count = text.lines().count();
        let places: Vec<usize> = (1..count).step_by(count.div_ceil(60)).collect();
        let is_costly = |place: &&usize| size(&import(&name, &without(&text, **place))) + 2 < whole;
        let costly: Vec<&usize> = places.iter().filter(is_costly).collect();
        // A line that names the format, or that opens the list of the run, is needed.
        assert!(costly.len() * 6 <= places.len(), "{name}: {costly:?} of {}", places.len());
    }
}

#[test]
fn missing_lines_are_reported_where_they_are_missing() {
    let text = r#"{
  "model": "gpt-4o",
  "messages": [
    {
      "role": "user",
      "content": "Is it raining?"
    },
    {
      "role": "assistant",
      "content": "No."
    }
  ]
}
"#;
    let found = |place: usize| {
        let view = import("chat.json", &without(text, place - 1));
        (size(&view), diagnostic_lines(&view))
    };
    let (whole, _) = found(99);
    assert_eq!(found(7), (whole, vec!["T901 7: a bracket is missing before this line".to_owned()]));
    assert_eq!(found(8), (whole, vec!["T901 8: a bracket is missing before this line".to_owned()]));
}

#[test]
fn the_command_line_and_the_page_read_what_an_import_reads() {
    let mut others = Vec::new();
    for (name, text, _) in documents() {
        let count = text.lines().count();
        for place in (1..count).step_by(count.div_ceil(30)) {
            let text = without(&text, place);
            let view = import("log.json", &text);
            if view.problem.is_some() {
                continue;
            }
            let document = Document::open(&text, &Limits::default());
            let detected = detection(text.as_bytes(), &Limits::default()).kind;
            if document.other_format() != Some(&*view.kind) || detected != view.kind {
                others.push((
                    name.clone(),
                    place,
                    view.kind,
                    detected,
                    document.other_format().map(str::to_owned),
                ));
            }
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

const STYLE: &str = r#"{
  "model": "gpt-4o", "tools": [],
  "metadata": {
    "note": "A note of some words, so that the lost line is a small part."
  },
  "messages": [{
    "role": "user",
    "content": "Is it raining?"
  }, {
    "role": "assistant",
    "content": "No."
  }, {
    "role": "user",
    "content": "Sure?"
  }],
  "temperature": oops
}
"#;

#[test]
fn brackets_that_share_a_line_cost_nothing() {
    let view = import("chat.json", STYLE);
    assert_eq!(size(&view), 3);
    assert_eq!(diagnostic_lines(&view).len(), 1, "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_map_begins_where_a_key_comes_again() {
    let text = r#"{
  "model": "gpt-4o",
  "messages": [
    {
      "role": "user",
      "content": "Is it raining?"
      "role": "assistant",
      "content": "No."
    }
  ]
}
"#;
    let view = import("chat.json", text);
    assert_eq!(
        (size(&view), diagnostic_lines(&view)),
        (2, vec!["T901 7: a bracket is missing before this line".to_owned()])
    );
}

#[test]
fn a_bracket_that_a_list_lacks_costs_nothing() {
    let text = r#"[
  {
    "role": "user",
    "content": "Is it raining?"
  },
  {
    "role": "assistant",
    "content": "No."
  },
  {
    "role": "user",
    "content": "Sure?"
  }
]
"#;
    for line in [5, 6, 9, 10, 13] {
        let view = import("chat.json", &without(text, line - 1));
        let expected = format!("T901 {line}: a bracket is missing before this line");
        assert_eq!((size(&view), diagnostic_lines(&view)), (3, vec![expected]), "{line}");
        assert!(view.files[0].report.lost.is_empty(), "{line}");
    }
    // Of two messages without the lines between them, both are read.
    let view = import("chat.json", &without(&without(text, 4), 4));
    assert_eq!(size(&view), 3, "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_message_that_lost_its_role_costs_no_other() {
    let message =
        |role: &str, content: &str| format!("    {{\n      {role}\"content\": \"{content}\"\n    }}");
    let (user, assistant) = ("\"role\": \"user\",\n      ", "\"role\": \"assistant\",\n      ");
    let messages = [
        message(user, "Is it raining?"),
        message("", "No."),
        message(user, "Sure?"),
        message(assistant, "Yes."),
    ];
    let text =
        format!("{{\n  \"model\": \"gpt-4o\",\n  \"messages\": [\n{}\n  ]\n}}\n", messages.join(",\n"));
    // It is well-formed.
    let document = Document::open(&text, &Limits::default());
    assert_eq!(document.other_format(), Some("chat-log"));
    let view = import("chat.json", &text);
    let kept = "T903 8: this is not a message; it is kept in `metadata`";
    assert_eq!((size(&view), diagnostic_lines(&view)), (3, vec![kept.to_owned()]));
    // The same for a line that is broken as well.
    let text = text.replace("\"No.\"\n", "\"No.\",\n      \"name\": oops\n");
    assert_eq!(size(&import("chat.json", &text)), 3);
}

/// The number of messages, and the reports of a chat with this list of messages, which has a fault behind it.
fn broken_chat(messages: &str) -> (usize, Vec<String>) {
    let view = import(
        "chat.json",
        &format!("{{\n  \"model\": \"gpt-4o\",\n{messages},\n  \"temperature\": oops\n}}\n"),
    );
    (size(&view), diagnostic_lines(&view))
}

#[test]
fn other_ways_to_indent_are_not_read_by_lines() {
    for messages in [
        // Wrapped by hand.
        "  \"messages\": [\n    {\"role\": \"user\",\n      \"content\": \"Hi\"},\n    {\"role\": \"assistant\",\n      \"content\": \"Hello!\"}\n  ]",
        // Brackets on lines of their own.
        "  \"messages\":\n  [\n    {\"role\": \"user\", \"content\": \"Hi\"},\n    {\"role\": \"assistant\", \"content\": \"Hello!\"}\n  ]",
        // Numbers on several lines.
        "  \"logit\": [1, 2,\n    3, 4],\n  \"messages\": [\n    {\"role\": \"user\", \"content\": \"Hi\"},\n    {\"role\": \"assistant\", \"content\": \"Hello!\"}\n  ]",
    ] {
        let (messages, reports) = broken_chat(messages);
        assert_eq!(messages, 2, "{reports:?}");
        assert!(
            reports.iter().all(|report| !report.contains("line before it may be missing")),
            "{reports:?}"
        );
    }
}

#[test]
fn a_comma_shows_that_a_line_is_missing() {
    let list = |first: &str, last: &str| {
        let sound = |role: &str, content: &str| {
            format!("    {{\n      \"role\": \"{role}\",\n      \"content\": \"{content}\"\n    }}")
        };
        let messages =
            [sound("assistant", "No."), sound("user", "Sure?"), sound("assistant", "Yes.")].join(",\n");
        format!("  \"messages\": [\n    {{\n      \"role\": \"user\"{first}\n    }},\n{messages}{last}\n  ]")
    };
    let reports = |messages: String| broken_chat(&messages).1;
    let oops = |line: u32| format!("T901 {line}: this is not valid here; it is skipped");
    let missing =
        |line: u32| format!("T901 {line}: a comma stands before this bracket: a line may be missing");
    assert_eq!(reports(list(",\n      \"content\": \"Hi\"", "")), [oops(21)]);
    let empty = "T903 4: this is not a message; it is kept in `metadata`".to_owned();
    assert_eq!(reports(list(",", "")), [empty, missing(6), oops(20)]);
    assert_eq!(reports(list(",\n      \"content\": \"Hi\"", ",")), [missing(20), oops(21)]);
    let without_comma = list("\n      \"content\": \"Hi\"", "");
    assert_eq!(reports(without_comma), ["T901 6: a comma is missing before this line".to_owned(), oops(21)]);
}

#[test]
fn an_entry_that_is_broken_in_its_line_hides_no_later_one() {
    let text = r#"[{"role": "user", "content": oops},
  {"role": "user", "content": "Hi"},
  {"role": "assistant", "content": "Yes?"},
  {
    "role": "user",
    "content": "Sure?",
    "tags": [
      "a"
  }
]
"#;
    let options = ImportOptions { from: Some("openai-chat".into()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "chat.json", text }], &options).unwrap();
    let reports = diagnostic_lines(&view);
    assert_eq!(size(&view), 3, "{reports:?}");
    assert!(reports.contains(&"T901 9: a bracket is missing before this line".to_owned()), "{reports:?}");
}

#[test]
fn a_session_is_known_whatever_its_first_message_lost() {
    let text = crate::fixture("sessions/opencode.json");
    let place = text.lines().position(|line| line.trim() == "\"role\": \"user\",").unwrap();
    let text = without(&text, place);
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "opencode-session");
    assert_eq!(Document::open(&text, &Limits::default()).other_format(), Some("opencode-session"));
    assert_eq!(import("log.json", &text).kind, "opencode-session");
}

#[test]
fn items_of_a_transcript_are_no_chat() {
    let of = |items: &str| {
        let text = format!("messages:\n{items}");
        Document::open(&text, &Limits::default()).other_format().map(str::to_owned)
    };
    assert_eq!(of("  - user: Hi\n  - assistant: Hello!\n"), None);
    assert_eq!(of("  - {role: user, content: Hi}\n  - user: Hello!\n  - {role: user, content: Hi}\n"), None);
    assert_eq!(of("  - {content: Hi}\n  - {role: assistant, content: Hello!}\n"), None);
    let items = "  - {role: user, content: Hi}\n  - {role: assistant, content: Hello!}\n  - {tool: weather, content: 5}\n";
    assert_eq!(of(items), None);
    assert_eq!(
        of("  - {user: Hi, role: x}\n  - {assistant: Hi, role: x}\n  - {assistant: Hi, content: a}\n"),
        None
    );
    let training = "info: {model_stats: {auc: 1}}\nmessages: [user: Hi, assistant: Hello]\n";
    assert_eq!(Document::open(training, &Limits::default()).other_format(), None);
}

#[test]
fn valid_values_behind_a_map_are_no_fault_of_it() {
    let options = ImportOptions { from: Some("openai-chat".into()), ..ImportOptions::default() };
    let text = "[{\n  \"role\": \"user\", \"content\": \"hi\"\n}, \"x\"]";
    let view = import_log(&[LogFile { path: "chat.json", text }], &options).unwrap();
    let found = diagnostic_lines(&view);
    assert!(found.iter().all(|line| !line.contains("no place") && !line.contains("T902")), "{found:?}");
}

#[test]
fn lines_that_follow_one_another_are_one_loss() {
    // The line `"usage": {` is missing.
    let text = STYLE.replace(
        "  \"temperature\": oops\n",
        "    \"total\": 5,\n    \"cached\": 1,\n    \"output\": 2\n  }\n",
    );
    let view = import("chat.json", &text);
    assert_eq!((size(&view), view.files[0].report.lost.len()), (3, 1), "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_part_of_another_document_is_no_log() {
    for text in [
        "{\n  \"home\": {\n    \"model\": \"page\",\n    \"content\": \"Welcome\",\n    \"links\": [\n",
        "{\n  \"message\": {\n    \"model\": \"gpt-4o\",\n    \"role\": \"assistant\",\n    \"content\": \"Hello\",\n    \"tool_calls\": [\n",
    ] {
        assert!(detect_broken(text).is_none(), "{text}");
    }
    for step in ["[0.1,0.2]", r#"{"action":0,"observation":[0.1],"reward":1.0}"#] {
        let text = format!(
            r#"{{"environment":"CartPole-v1","trajectory":[{step}],"history":{{"loss":[1,2]}},"seed":1}}"#
        );
        assert_eq!(Document::open(&text, &Limits::default()).other_format(), None, "{text}");
    }
}
