//! What may differ between a result or an answer and the message that is made of it, and what may not.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};

/// The codes that a run of one call with this result and message gives.
fn of_result(result: &Value, content: &Value) -> Vec<&'static str> {
    codes(&json!({ "version": "1.0", "execution": [
        { "turn": 1, "type": "llm_call", "llm_response": { "content": "", "tool_calls": [
            { "id": "call_001", "function": { "name": "f", "arguments": {} } }] } },
        { "turn": 2, "type": "tool_call",
          "tool_call": { "id": "call_001", "tool_name": "f", "parameters": {}, "result": result },
          "message_created": { "id": "msg_9", "role": "tool", "tool_call_id": "call_001", "content": content } },
    ] }))
}

fn of_answer(answer: &Value, message: &Value) -> Vec<&'static str> {
    let mut created = json!({ "id": "msg_9", "role": "assistant" });
    created.as_object_mut().unwrap().extend(message.as_object().unwrap().clone());
    codes(&json!({ "version": "1.0", "execution": [
        { "turn": 1, "type": "llm_call", "llm_response": answer, "message_created": created },
    ] }))
}

fn codes(run: &Value) -> Vec<&'static str> {
    let document = Document::open(&run.to_string(), &Limits::default());
    let ours = ["T221", "T222", "T409"];
    document.diagnostics().iter().map(|found| found.code).filter(|code| ours.contains(code)).collect()
}

#[test]
fn a_message_may_have_a_result_in_any_form() {
    let data = json!({ "temp": 72, "sky": ["sunny", "dry"], "note": "a long note about the weather" });
    for (result, content) in [
        (
            data.clone(),
            json!("{\"sky\":[\"sunny\",\"dry\"],\"temp\":72.0,\"note\":\"a long note about the weather\"}"),
        ),
        (data.clone(), json!("{'temp': 72, 'sky': ['sunny', 'dry']}")),
        (data.clone(), json!("temp: 72\nsky: sunny, dry")),
        (
            data.clone(),
            json!({ "temp": 72, "sky": ["sunny", "dry"], "note": "a long note about the weather" }),
        ),
        // Parts of a message, as data or as their JSON; one is no text.
        (data.clone(), json!([{ "type": "text", "text": "A dot." }, { "type": "image", "data": "aGk=" }])),
        (
            data.clone(),
            json!("[{\"type\":\"text\",\"text\":\"A dot.\"},{\"type\":\"file\",\"data\":\"aGk=\"}]"),
        ),
        (data.clone(), json!("[{\"type\":\"text\",\"text\":\"{\\\"temp\\\": 72}\"}]")),
        // More than the data, which all is there.
        (json!({ "temp": 72 }), json!("{\"temp\": 72, \"sky\": \"sunny\"}")),
        (json!({ "temp": 72, "sky": "dry" }), json!("{\"temp\": 72, \"wind\": null}")),
        // Words about the data.
        (json!(72), json!("The temperature is 72 degrees.")),
        (json!(1_234_567), json!("1,234,567 rows")),
        (json!(3.24159), json!("about 3.24")),
        (json!(true), json!("File written successfully")),
        (json!("sunny"), json!("It's sunny today")),
        // As hosts show texts.
        (json!("a\nb"), json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }])),
        (json!("first\nsecond"), json!("     1→first\n     2→second")),
        (json!("\u{1b}[31mred\u{1b}[0m & blue"), json!("red &amp; blue")),
        // Cut, or chosen from, for the model.
        (data.clone(), json!("{\"temp\": 72}")),
        (data.clone(), json!("{\"temp\": 72, \"note\": \"a long note...\"}")),
        (data.clone(), json!("{\"temp\": 72, \"sky\": [\"sun")),
        (
            data.clone(),
            json!(
                "{\"result\": {\"temp\": 72, \"sky\": [\"sunny\", \"dry\"], \"note\": \"a long note about the weather\"}}"
            ),
        ),
        (json!({ "stdout": "ok\n", "stderr": "", "code": 0 }), json!("ok")),
        (json!({ "stdout": "3", "code": 0 }), json!("3")),
        (data.clone(), json!([{ "type": "image", "data": "…" }])),
        (data, json!([{ "type": "text", "text": "{\"temp\": 72}" }])),
        (json!("line one\nline two\n"), json!("line one\r\nline two")),
        (json!("line one\nline two\nline three"), json!("line one\n[2 lines truncated]")),
        (json!("line one\nline two\nline three"), json!("line one\n... (1 more line)\nline three")),
        (json!("line one\nline two"), json!("<output>\nline one\nline two\n</output>")),
        (json!("noon"), json!("\"noon\"")),
        (json!("noon"), json!("Result: noon")),
        (json!("{\"a\": 1}"), json!("{\"a\":1}")),
        (json!(72), json!("72")),
        (json!(72), json!("72.0")),
        (json!(true), json!("True")),
        (json!(null), json!("done")),
        (json!(""), json!("(no output)")),
    ] {
        assert_eq!(of_result(&result, &content), Vec::<&str>::new(), "{result} as {content}");
    }
}

#[test]
fn a_message_may_not_say_another_result() {
    for (result, content) in [
        (json!({ "temp": 72 }), json!("{\"temp\": 75}")),
        (json!({ "temp": 72 }), json!({ "temp": 75 })),
        (json!({ "temp": 72, "sky": "dry" }), json!("{\"temp\": 72, \"wind\": \"west\"}")),
        (json!({ "temp": 72 }), json!("")),
        (json!(72), json!("It is 75 degrees")),
        (json!(3.24159), json!("about 3.4")),
        (json!({ "temp": 72 }), json!([{ "type": "text", "text": "{\"temp\": 75}" }])),
        (json!({ "temp": 72 }), json!("[{\"type\":\"text\",\"text\":\"{\\\"temp\\\": 75}\"}]")),
        (json!({ "temp": 72 }), json!("75")),
        (json!({ "temp": 72 }), json!("{}")),
        (json!([1]), json!("[]")),
        (json!({ "days": [1, 2] }), json!("{\"days\": [1, 2, 3]}")),
        (json!({ "sky": "sunny" }), json!("{\"sky\": \"rainy\"}")),
        (json!("{\"a\": 1}"), json!("{\"a\": 2}")),
        (json!("sunny"), json!("rainy")),
        (json!("sunny"), json!("not sunny")),
        (json!("sunny"), json!("")),
        (json!(72), json!("720")),
        (json!(72), json!("7")),
        (json!(true), json!("false")),
    ] {
        assert_eq!(of_result(&result, &content), ["T221"], "{result} as {content}");
    }
}

#[test]
fn a_message_may_have_an_answer_without_its_thoughts() {
    for (answer, message) in [
        (json!({ "content": "Hi" }), json!({ "content": "Hi" })),
        (json!({ "content": " Hi\n" }), json!({ "content": "Hi" })),
        (json!({ "content": "<think>Greet.</think>\nHi" }), json!({ "content": "Hi" })),
        (json!({ "content": "{\"a\":1}" }), json!({ "content": "{\"a\": 1}" })),
        (json!({ "content": null }), json!({ "content": "" })),
        (json!({ "content": "Hi" }), json!({ "content": [{ "type": "text", "text": "Hi" }] })),
        (json!({ "content": null, "refusal": "No." }), json!({ "content": "No." })),
        (
            json!({ "content": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }] }),
            json!({ "content": "a\nb" }),
        ),
        (json!({ "content": "", "parsed": { "a": 1 } }), json!({ "content": "{\"a\": 1}" })),
        (json!({ "content": "One two three" }), json!({ "content": "One two…" })),
    ] {
        assert_eq!(of_answer(&answer, &message), Vec::<&str>::new(), "{answer} as {message}");
    }
}

#[test]
fn a_message_may_not_say_another_answer() {
    let call = |name: &str, arguments: Value| json!([{ "id": "c", "function": { "name": name, "arguments": arguments } }]);
    for (answer, message) in [
        (json!({ "content": "Hi" }), json!({ "content": "Ho" })),
        (json!({ "content": "Hi there" }), json!({ "content": "Hi" })),
        (json!({ "content": "Hi" }), json!({ "content": "" })),
        (json!({ "content": "" }), json!({ "content": "Hi" })),
        (json!({ "content": null }), json!({ "content": "Hi" })),
        (json!({ "content": "Hi", "reasoning": "A" }), json!({ "content": "Hi", "reasoning": "B" })),
        (
            json!({ "tool_calls": call("f", json!({ "a": 1 })) }),
            json!({ "tool_calls": call("g", json!({ "a": 1 })) }),
        ),
        (
            json!({ "tool_calls": call("f", json!("{\"a\": 1}")) }),
            json!({ "tool_calls": call("f", json!({ "a": 2 })) }),
        ),
    ] {
        assert_eq!(of_answer(&answer, &message), ["T409"], "{answer} as {message}");
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// What importers write, and what the package brings, agrees with itself.
#[test]
fn imported_logs_and_examples_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["imports/fixtures", "../public/examples", "package/support/recorded"] {
        files(&root.join(folder), &mut paths);
    }
    let mut read = 0;
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.to_string_lossy().replace('\\', "/");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let file = LogFile { path: &name, text: &text };
        let view = import_log(&[file], &ImportOptions::default());
        let text = match view.ok().filter(|view| view.problem.is_none()) {
            Some(view) => transcript_core::write::yaml(&view.transcript),
            None => text,
        };
        let document = Document::open(&text, &Limits::default());
        read += usize::from(document.is_readable());
        let ours =
            document.diagnostics().iter().filter(|found| ["T221", "T222", "T409"].contains(&found.code));
        wrong.extend(ours.map(|found| format!("{name}: {}", found.message)));
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(read > 100, "{read} files");
}
