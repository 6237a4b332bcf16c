//! Files of no known format: they are answered with a question, what was looked at and their text. What was meant as a
//! transcript keeps its located diagnostics.

use transcript_core::diagnostic::render::{TerminalStyle, terminal};
use transcript_core::document::{Document, Limits, Unrecognized, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};

const QUESTION: &str = "We don't recognize this format. Which tool wrote it?";

/// What was looked at, after it has been seen that page, library and command line say the same.
fn look(text: &str) -> Unrecognized {
    let document = Document::open(text, &Limits::default());
    let found =
        document.unrecognized().unwrap_or_else(|| panic!("{text}: {:?}", document.diagnostics())).clone();
    let messages: Vec<&str> = document.diagnostics().iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, [QUESTION], "{text}");
    assert!(document.overview().unrelated && !document.is_ok() && document.text() == text);
    assert_eq!(document.overview().unrecognized.as_ref(), Some(&found));
    let detected = detection(text.as_bytes(), &Limits::default());
    assert_eq!((detected.kind, detected.confidence), ("unknown", "none"), "{text}");
    assert_eq!(detected.unrecognized.as_ref(), Some(&found), "{text}");
    let shown = terminal("log.txt", text, document.lines(), document.diagnostics(), TerminalStyle::Plain);
    assert!(shown.starts_with(&format!("error[T111]: {QUESTION}\n")), "{shown}");
    assert!(shown.contains("--> log.txt\n") && !shown.contains(":1:1"), "{shown}");
    let first = text.lines().next().unwrap();
    assert!(shown.contains(&format!("1 | {}", first.chars().take(80).collect::<String>())), "{shown}");
    found
}

fn keys(found: &Unrecognized) -> Vec<&str> {
    found.keys.iter().map(String::as_str).collect()
}

#[test]
fn json_of_an_unknown_tool_shows_its_records_and_keys() {
    let found = look(r#"{"turns": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": {}}"#);
    assert_eq!((&*found.syntax, found.records, keys(&found)), ("json", 1, vec!["turns", "generationConfig"]));
    let nearest: Vec<&str> = found.nearest.iter().map(|near| &*near.format).collect();
    assert_eq!(nearest, ["ai-sdk-messages"]);
    assert_eq!(found.nearest[0].has, ["role", "parts"]);
    assert_eq!(found.nearest[0].lacks, ["messages"]);
    let found = look(r#"[{"who": "me", "what": "Hi"}, {"who": "it", "what": "Hello"}]"#);
    assert_eq!((&*found.syntax, found.records, keys(&found)), ("json", 2, vec!["who", "what"]));
    assert!(found.nearest.is_empty());
    let found = look(
        r#"{"id": 7, "messages": [{"author": "user", "text": "Hi"}, {"author": "bot", "text": "Hello"}]}"#,
    );
    assert_eq!((&*found.syntax, keys(&found)), ("json", vec!["id", "messages"]));
    // A session of Gemini CLI.
    let found = look(
        r#"{"sessionId": "s", "messages": [{"id": "m1", "type": "user", "content": "Hi"}, {"id": "m2", "type": "gemini", "content": "Hello"}]}"#,
    );
    assert_eq!((&*found.syntax, keys(&found)), ("json", vec!["sessionId", "messages"]));
}

#[test]
fn lines_of_json_are_counted() {
    let found = look(
        "{\"who\": \"me\", \"what\": \"Hi\"}\n{\"who\": \"it\", \"what\": \"Hello\"}\n\n{\"who\": \"me\"}\n",
    );
    assert_eq!((&*found.syntax, found.records, keys(&found)), ("jsonl", 3, vec!["who", "what"]));
    assert_eq!(found.broken_line, None);
}

#[test]
fn a_file_that_breaks_off_says_where() {
    let found = look("{\n  \"turns\": [\n    {\"parts\": [{\"text\": \"Hi\"}]},\n    {\"parts\": [{\"te");
    assert_eq!((&*found.syntax, found.broken_line), ("json", Some(4)));
}

#[test]
fn texts_and_markdown_are_named_as_such() {
    let found =
        look("# A chat at 2025-03-01 10:00:00\n\n> /add main.py\n\n#### fix: the bug\n\nDone: it's fixed.\n");
    assert_eq!((&*found.syntax, found.records), ("markdown", 4));
    assert!(found.keys.is_empty() && found.nearest.is_empty());
    let found = look("[10:00] me: Hi\n[10:01] it: Hello: \"there\n");
    assert_eq!((&*found.syntax, found.records), ("text", 2));
    let found = look("User: Hi there\n\nAssistant: Hello - how are you?\n  I am fine: thanks\n");
    assert_eq!((&*found.syntax, found.records), ("text", 3));
    assert_eq!(look("steps:\n- {prompt: Hi, reply: Hello}\n").syntax, "yaml");
    assert_eq!(look("hello\n").syntax, "text");
}

#[test]
fn what_is_meant_as_a_transcript_keeps_its_places() {
    for (text, code, line) in [
        ("mesages:\n  - 'user: Hi'\n", "T101", 1),
        ("name: x\nexection:\n  - {type: llm_call}\n", "T101", 2),
        ("{\"name\": \"x\", \"messags\": [\"user: Hi\"]}", "T101", 1),
        ("name: run\nmessages:\n  - 'user: Hi\n", "T001", 3),
        ("{\"messages\": [\n  \"user: Hi\",\n", "T001", 1),
        ("messages:\n  - usr: Hi\n", "T105", 2),
        ("type: queue\nresponses: [Hi]\n", "T101", 1),
        ("name: only\n", "T101", 1),
        ("name: [\n", "T001", 1),
    ] {
        let document = Document::open(text, &Limits::default());
        assert!(document.unrecognized().is_none(), "{text}");
        let found = &document.diagnostics()[0];
        assert_eq!((found.code, document.lines().line(found.span.start as usize)), (code, line), "{text}");
    }
    let blank = Document::open("\n", &Limits::default());
    assert!(blank.unrecognized().is_none());
    assert_eq!(blank.diagnostics()[0].code, "T007");
}

#[test]
fn a_log_of_many_megabytes_is_looked_at_once() {
    let line = format!("{{\"who\": \"me\", \"what\": \"{}\"}}\n", "x".repeat(1_000));
    let found = look(&line.repeat(2_000));
    assert_eq!((&*found.syntax, found.records), ("jsonl", 2_000));
}

#[test]
fn an_import_of_one_such_file_asks_the_same_question() {
    let file = |path, text| LogFile { path, text };
    let import =
        |files: &[LogFile<'_>]| import_log(files, &ImportOptions::default()).unwrap().problem.unwrap();
    let one = import(&[file("a.json", "{\"contents\": []}")]);
    assert_eq!(one.message, QUESTION);
    assert!(
        one.help
            .unwrap()
            .starts_with("It is JSON with 1 record; its first key is `contents`. Supported formats: ")
    );
    let several = import(&[file("a.json", "{\"contents\": []}"), file("b.json", "{\"other\": []}")]);
    assert_eq!(several.message, "none of the files is a supported log");
}
