//! Sessions of Gemini CLI, as a document and as lines.

use serde_json::json;
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_document_is_a_run() {
    let view = import_session("gemini-cli-session", &fixture("sessions/gemini-cli.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Which files are here?",
            r#"calls list_directory({"dir_path": "."}), read_file({"file_path": "/etc/hosts"})"#,
            "list_directory -> notes.md\nplan.md",
            "read_file fails: The path is outside of the workspace.",
            "says: There are `notes.md` and `plan.md`.",
            "user: Thanks, delete them.",
            r#"calls run_shell_command({"command": "rm *.md"})"#,
            "run_shell_command fails: The user refused the command.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    let response = &turns[0]["llm_response"];
    assert_eq!(response["reasoning"], "Listing\nI list the folder first.");
    assert_eq!(response["model"], "gemini-3-flash");
    // The output of Gemini CLI does not include the thoughts; its input includes what is cached.
    let usage = json!({"input_tokens": 1200, "output_tokens": 42,
        "input_tokens_details": {"cached_tokens": 1000}, "output_tokens_details": {"reasoning_tokens": 12}});
    assert_eq!(response["usage"], usage);
    assert_eq!(turns[1]["timestamp"], "2026-03-02T09:00:03.000Z");
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["session"]["projectHash"], "a1b2c3");
    assert_eq!(recording["kept"][0]["entry"]["content"], "Update successful!");
}

#[test]
fn the_last_version_of_each_line_is_in_the_run() {
    let view = import_session("gemini-cli-session", &fixture("sessions/gemini-cli.jsonl"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: What do my notes say?",
            r#"calls read_file({"file_path": "notes.md"})"#,
            r#"read_file -> {"output": "Buy bread.", "lines": 1}"#,
            "says: Buy bread.",
            "user: Thanks!",
            "user: Summary: the notes say to buy bread.",
            "says: You are welcome.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(view.transcript["execution"][0]["llm_response"]["usage"]["output_tokens"], 28);
    let last = view.transcript["execution"].as_array().unwrap().last().unwrap();
    assert_eq!(last["llm_response"]["reasoning"], "Polite as always.");
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["session"]["summary"], "Notes are read");
    assert_eq!(recording["session"]["lastUpdated"], "2026-03-02T09:00:03.000Z");
    // The state of a call that still ran, what was taken back, the changes and the error.
    let kept: Vec<u64> =
        recording["kept"].as_array().unwrap().iter().map(|kept| kept["line"].as_u64().unwrap()).collect();
    assert_eq!(kept, [7, 10, 11, 12, 13, 15, 16]);
    assert_eq!(recording["kept"][6]["entry"]["$set"]["messages"], json!(["s1", "u3"]));
    // These say nothing that a later version does not say.
    assert_eq!(view.files[0].report.streamed, [4, 6]);
}

#[test]
fn going_back_removes_the_message_and_all_after_it() {
    let message = |id: &str, kind: &str| json!({"id": id, "type": kind, "content": id}).to_string();
    let run = |target: &str| {
        let lines = [
            json!({"sessionId": "s", "projectHash": "p"}).to_string(),
            message("one", "user"),
            message("two", "gemini"),
            message("three", "user"),
            json!({"$rewindTo": target}).to_string(),
            message("four", "user"),
        ];
        outline(&import_session("gemini-cli-session", &lines.join("\n")).transcript)
    };
    assert_eq!(run("two"), ["user: one", "user: four"]);
    assert_eq!(run("three"), ["user: one", "says: two", "user: four"]);
    // As Gemini CLI reads it.
    assert_eq!(run("unknown"), ["user: four"]);
}

#[test]
fn messages_whose_ids_were_removed_are_not_versions_of_one_another() {
    let message =
        |kind: &str, text: &str| json!({"id": "REDACTED", "type": kind, "content": text}).to_string();
    let lines = [
        json!({"sessionId": "s", "projectHash": "p", "messages": []}).to_string(),
        message("user", "Hi"),
        message("gemini", "Hello"),
        message("gemini", "Anything else?"),
    ];
    let view = import_session("gemini-cli-session", &lines.join("\n"));
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello", "says: Anything else?"]);
}

#[test]
fn a_word_in_a_text_does_not_change_the_form() {
    let lines = [
        json!({"sessionId": "s", "projectHash": "p"}).to_string(),
        json!({"id": "u", "type": "user", "content": "What is \"messages\"?", "messages": "none"})
            .to_string(),
    ];
    let view = import_session("gemini-cli-session", &lines.join("\n"));
    assert_eq!(outline(&view.transcript), ["user: What is \"messages\"?"]);
}

#[test]
fn a_document_on_one_line_and_lines_without_a_header_are_detected() {
    let document: serde_json::Value = serde_json::from_str(&fixture("sessions/gemini-cli.json")).unwrap();
    let view = import_session("gemini-cli-session", &format!("{document}\n"));
    assert_eq!(outline(&view.transcript).len(), 8);
    let text = fixture("sessions/gemini-cli.jsonl");
    let without = text.split_once('\n').unwrap().1;
    let found = detection(without.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("gemini-cli-session", "likely"));
    // Qwen Code names its messages alike.
    let qwen = json!({"uuid": "1", "parentUuid": null, "sessionId": "s", "timestamp": "2026-03-02T09:00:00.000Z", "type": "user",
        "cwd": "/", "version": "0.2", "message": {"role": "user", "parts": [{"text": "Hi"}]}});
    let found = detection(format!("{qwen}\n{qwen}\n").as_bytes(), &Limits::default());
    assert_ne!(found.kind, "gemini-cli-session");
}

#[test]
fn counts_of_tokens_that_are_too_large_are_kept_within_their_range() {
    let header = json!({"sessionId": "s", "projectHash": "h"});
    let answer =
        json!({"id": "1", "type": "gemini", "content": "Hi", "tokens": {"output": u64::MAX, "thoughts": 2}});
    let view = import_session("gemini-cli-session", &format!("{header}\n{answer}\n"));
    assert_eq!(view.transcript["execution"][0]["llm_response"]["usage"]["output_tokens"], u64::MAX);
}

#[test]
fn a_checkpoint_is_a_run() {
    let view = import_session("gemini-contents", &fixture("sessions/gemini-cli-checkpoint.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript)[2..],
        [
            "user: Add a note.",
            r#"calls write_file({"path": "note.md"}), run_shell_command({"command": "git push"})"#,
            "write_file -> Wrote the file.",
            "run_shell_command fails: There is no remote.",
            "user: Do not push.",
            "says: The note is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let response = &view.transcript["execution"][2]["llm_response"];
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(response["metadata"]["parts"][0]["thoughtSignature"], "c2lnbmVk");
}
