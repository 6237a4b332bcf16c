//! Tests of large files.

use serde_json::{Value, json};

use super::*;
use transcript_core::view::OpenedLog;

/// Gives the file in chunks of seven bytes, so that each character and escape is divided somewhere.
fn read(large: &mut Large, text: &str, part: Option<&str>) -> Option<String> {
    if part.is_none() {
        text.as_bytes().chunks(7).for_each(|chunk| large.look(chunk));
    }
    if !large.begin(part) {
        return None;
    }
    loop {
        text.as_bytes().chunks(7).for_each(|chunk| large.take(chunk));
        if let Some((path, bytes)) = large.done() {
            assert_eq!(path, "log.jsonl");
            return Some(String::from_utf8(bytes).expect("characters stay whole"));
        }
    }
}

fn cut(text: &str, room: usize) -> String {
    read(&mut Large::with_room("log.jsonl", room), text, None).expect("a plan")
}

#[test]
fn of_long_texts_the_beginning_and_the_end_are_left() {
    let long = "ä\"\\😀\n".repeat(2_000);
    let lines = [json!({"type": "a", "text": long}), json!({"type": "b", "text": "short", "n": 1.50})];
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let out = cut(&text, 5_000);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1], r#"{"type":"b","text":"short","n":1.5}"#);
    let first: Value = serde_json::from_str(lines[0]).expect("JSON still");
    let text = first["text"].as_str().expect("a text");
    let (head, tail) = text.split_once(" [… ").expect("a mark");
    let (answer_part, tail) = tail.split_once("omitted …] ").expect("a mark");
    assert!(long.starts_with(head) && long.ends_with(tail), "{text}");
    assert!(head.len() > 2 * tail.len() && !tail.is_empty(), "{} {}", head.len(), tail.len());
    // 5,000 bytes have room for a text of 4,096. The five characters take twelve bytes as they are written: 24,000.
    assert_eq!(answer_part, "19 kB ");
    assert!((3_000..5_000).contains(&out.len()), "{}", out.len());
}

#[test]
fn the_halves_of_a_character_stay_together() {
    let long = r"\ud83d\ude00".repeat(1_000);
    for shift in 0..12 {
        let text = format!("{{\"text\":\"{}{long}\"}}", "x".repeat(shift));
        let read: Value = serde_json::from_str(&cut(&text, 5_000)).expect("no half of a pair alone");
        let text = read["text"].as_str().expect("a text");
        assert!(text.contains("omitted …]") && text.ends_with('😀'), "{text}");
    }
}

#[test]
fn json_inside_of_a_text_is_cut_inside() {
    let inner = json!({"path": "a.txt", "content": "x".repeat(9_000)}).to_string();
    let text = json!({"arguments": inner}).to_string();
    let read: Value = serde_json::from_str(&cut(&text, 5_000)).expect("JSON");
    let arguments = read["arguments"].as_str().expect("a text");
    let arguments: Value = serde_json::from_str(arguments).expect("JSON inside");
    assert_eq!(arguments["path"], "a.txt");
    let content = arguments["content"].as_str().expect("a text");
    assert!(content.contains("omitted …]") && content.len() < 5_000, "{content}");
}

#[test]
fn many_texts_within_a_text_make_a_shorter_cut() {
    // Each is shorter than what a single text could be cut to, and all are in one text.
    let inner: Vec<String> = (0..20).map(|at| format!("{at}{}", "y".repeat(3_000))).collect();
    let text = json!({"messages": Value::from(inner).to_string()}).to_string();
    let out = cut(&text, 32_000);
    assert!(out.len() < 48_000, "{}", out.len());
    let read: Value = serde_json::from_str(&out).expect("JSON");
    let inner: Vec<String> =
        serde_json::from_str(read["messages"].as_str().expect("a text")).expect("JSON inside");
    assert_eq!(inner.len(), 20);
    assert!(inner.iter().all(|text| text.contains("omitted …]")), "{inner:?}");
}

#[test]
fn a_text_of_many_small_values_is_cut_as_a_whole_at_the_last() {
    let text = json!({"numbers": format!("[{}0]", "1, ".repeat(20_000))}).to_string();
    let out = cut(&text, 8_000);
    assert!(out.len() < 12_000, "{}", out.len());
    let read: Value = serde_json::from_str(&out).expect("JSON");
    assert!(read["numbers"].as_str().is_some_and(|text| text.contains("omitted …]")), "{read}");
}

#[test]
fn a_file_of_many_lines_is_read_in_parts() {
    let line = |at: usize| json!({"at": at, "text": "z".repeat(80)}).to_string();
    let text: String = (0..100).map(|at| format!("{}\n", line(at))).collect();
    let mut large = Large::with_room("log.jsonl", 4_000);
    assert_eq!(read(&mut large, &text, None), None);
    let answer_part = large.first().expect("parts");
    let parts = answer_part.sessions;
    let message = answer_part.message.expect("a text");
    assert_eq!(message.split(',').next(), Some("It has 100 lines"));
    assert_eq!(parts.first().map(|part| part.starts_with("lines 1 to ")), Some(true));
    assert_eq!(parts.last().map(|part| part.ends_with(" to 100")), Some(true));
    let mut all = Vec::new();
    for part in &parts {
        let out = read(&mut large, &text, Some(part)).expect("a part");
        // Lines keep their numbers.
        assert!(out.lines().count() <= 100 && out.len() < 4_500, "{}", out.len());
        for (at, line) in out.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            assert_eq!(serde_json::from_str::<Value>(line).expect("JSON")["at"], at);
            all.push(at);
        }
    }
    assert_eq!(all, (0..100).collect::<Vec<usize>>());
    assert_eq!(read(&mut large, &text, Some("conversation-1")), None);
    assert_eq!(large.first(), None, "the part stays chosen");
}

#[test]
fn a_document_of_many_small_values_is_refused_with_a_way_out() {
    let text = format!("[\n{}\n0]", "  {\"a\": 1},\n".repeat(2_000));
    let mut large = Large::with_room("log.jsonl", 4_000);
    assert_eq!(read(&mut large, &text, None), None);
    let answer_part = large.first().expect("a refusal");
    let (problem, help) = answer_part.problem.zip(answer_part.help).expect("a problem with its remedy");
    assert!(problem.starts_with("it has 24 kB"), "{problem}");
    assert!(help.contains("transcript convert"), "{help}");
}

#[test]
fn what_is_no_log_is_not_opened_cut() {
    let text = json!({"messages": "x".repeat(9_000)}).to_string();
    let mut large = Large::with_room("log.jsonl", 5_000);
    read(&mut large, &text, None).expect("a plan");
    let open = Some(OpenedLog { name: "log.jsonl".to_owned(), text: "{}".to_owned() });
    let mut answer = LogAnswer { open, ..LogAnswer::default() };
    large.add_cuts(&mut answer);
    assert!(answer.open.is_none() && answer.problem.is_some(), "{answer:?}");
    let some = |text: &str| Some(text.to_owned());
    let (name, text, message) = (some("log.yaml"), some("a: 1"), some("Imported a log."));
    let mut answer = LogAnswer { name, text, message, ..LogAnswer::default() };
    large.add_cuts(&mut answer);
    let answer_part = answer.message.expect("a text");
    assert!(
        answer_part.starts_with("Imported a log. ") && answer_part.contains("1 long text is shortened"),
        "{answer_part}"
    );
}

#[test]
fn a_file_that_ends_within_a_text_or_has_a_stray_quotation_mark_loses_no_line() {
    let good = json!({"text": "w".repeat(6_000)}).to_string();
    let text = format!("{{\"broken\": \"no end\n{good}\n{{\"text\": \"cut he");
    let out = cut(&text, 5_000);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "{\"broken\": \"no end", "{\"text\": \"cut he"));
    assert!(
        serde_json::from_str::<Value>(lines[1])
            .is_ok_and(|line| line["text"].as_str().is_some_and(|text| text.len() < 5_000))
    );
}
