//! Runs with a large text: it stays near to the size of the log, and reads as the same run.

use std::fmt::Write as _;

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};
use transcript_core::write;

use super::why;

/// Leaves out the lines of the log: where all messages have the same, a large text has none.
fn leave_out_line(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            if let Some(Value::Object(metadata)) = entries.get_mut("metadata") {
                metadata.remove("line");
                if metadata.is_empty() {
                    entries.remove("metadata");
                }
            }
            entries.values_mut().for_each(leave_out_line);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_line),
        _ => {}
    }
}

/// The run of a text, everything in it spelled out but the lines of the log.
fn whole(text: &str) -> Value {
    let document = Document::open(text, &Limits::default());
    let all: Vec<String> = document.diagnostics().iter().map(|found| found.message.clone()).collect();
    assert!(all.is_empty(), "{:?}", all.first());
    let mut run = write::transcript(document.timeline().unwrap().transcript());
    leave_out_line(&mut run);
    // A turn without a number has that of its place.
    for (at, turn) in run["execution"].as_array_mut().unwrap().iter_mut().enumerate() {
        assert_eq!(*turn.as_object_mut().unwrap().entry("turn").or_insert(json!(at + 1)), at + 1);
    }
    run
}

/// Imports a log, limits the text to so many times its size, and compares the text with the data.
fn imported(log: &str, times: usize) -> ImportView {
    let file = [LogFile { path: "trajectory.json", text: log }];
    let import = |format: &str| {
        import_log(&file, &ImportOptions { format: format.to_owned(), ..ImportOptions::default() }).unwrap()
    };
    let view = import("yaml");
    assert_eq!(why(&view), "");
    let texts = [view.text.clone().unwrap(), import("json").text.unwrap()];
    let spelled = whole(&write::yaml(&view.transcript));
    for text in &texts {
        assert!(text.len() <= times * log.len(), "{} bytes of {}", text.len(), log.len());
        assert!(whole(text) == spelled, "another run is read from the text of {} bytes", text.len());
    }
    view
}

/// A chat of short messages; each has its own keys, its line and its place in the final state.
#[test]
fn a_long_chat_is_near_to_its_log() {
    let count = 5_000;
    let message = |at: usize| {
        let role = if at.is_multiple_of(2) { "user" } else { "assistant" };
        let text = format!("This is what was said as number {at} of a long conversation.");
        json!({"role": role, "content": if at % 100 == 1 { text.repeat(10) } else { text }})
    };
    let log = json!({"messages": (0..count).map(message).collect::<Vec<Value>>()});
    let view = imported(&log.to_string(), 3);
    let text = view.text.unwrap();
    assert_eq!(text.matches("- type: ").count(), count - 1);
    // Text in few places is left out as well as text in many.
    for implied in ["- turn:", "id: msg_", "ref: msg_", "visible", "role: assistant\n      content: \"This"] {
        assert!(!text.contains(implied), "{implied}");
    }
    let document = Document::open(&text, &Limits::default());
    let last = document.steps().pop().unwrap();
    assert_eq!((last.index, last.turn), (count - 1, 4_999));
    let step = document.step(&last.path).unwrap();
    assert_eq!(
        (step.flow.store.len(), step.flow.store.last().unwrap().id.to_string()),
        (count, "msg_5000".to_owned())
    );
    // An answer is in the response and in the message; a long one is written once.
    assert_eq!(
        (text.matches("$blob").count(), text.matches("  \"sha256:").count()),
        (count / 50, count / 100)
    );
}

/// A file that has much next to its messages, such as a patch.
#[test]
fn what_a_file_says_once_is_written_once() {
    let mut patch = String::new();
    for line in 0..4_000 {
        let _ = writeln!(patch, "+    line {line} of a patch that adds a file to the repository");
    }
    let mut messages = vec![json!({"role": "system", "content": "Fix it."})];
    for at in 0..60 {
        let answer = format!("THOUGHT: step {at}\n\n```bash\nls -la {at}\n```");
        let response = json!({"id": format!("gen-{at}"), "choices": [{"message": {"content": answer}}]});
        messages.push(json!({"role": "user", "content": format!("<returncode>{at}</returncode>")}));
        messages.push(json!({"role": "assistant", "content": answer, "extra": {"response": response}}));
    }
    let mut log = json!({
        "info": {"exit_status": "Submitted", "submission": patch, "config": {"step_limit": 250}},
        "messages": messages, "log_format": "chat-1", "instance_id": "django-11555",
        "temperature": 0.5, "seed": 7,
    });
    for model in [None, Some("m")] {
        if let Some(model) = model {
            log["model"] = model.into();
        }
        let view = imported(&log.to_string(), 2);
        let run = &view.transcript;
        let request = &run["metadata"]["recording"]["request"];
        assert_eq!(request["info"], log["info"]);
        assert_eq!(
            (&request["log_format"], &request["instance_id"]),
            (&log["log_format"], &log["instance_id"])
        );
        assert_eq!(run["agent_config"].get("model"), log.get("model"));
        assert_eq!(run["agent_config"]["temperature"], 0.5);
        let answers = run["execution"].as_array().unwrap().iter().filter(|turn| turn["type"] == "llm_call");
        let configs: Vec<&Value> = answers.map(|turn| &turn["llm_config"]).collect();
        assert_eq!(configs, vec![&json!({"seed": 7}); 60]);
    }
}

/// Requests that name the answer before them have no history in the log: what each was sent grows with the square of it.
#[test]
fn a_call_that_was_sent_everything_says_so_in_a_word() {
    let called = |at: usize| {
        let follows = at.checked_sub(1).map(|before| format!("r{before}"));
        let part = json!({"type": "output_text", "text": format!("answer {at}")});
        json!({
            "request": {"model": "m", "input": format!("question {at}"), "previous_response_id": follows},
            "response": {"id": format!("r{at}"), "object": "response", "model": "m",
                "output": [{"type": "message", "role": "assistant", "content": [part]}]},
        })
    };
    let log = |count: usize| (0..count).map(|at| called(at).to_string() + "\n").collect::<String>();
    let sent = |view: &ImportView, call: usize| {
        let turns = view.transcript["execution"].as_array().unwrap();
        turns.iter().filter(|turn| turn["type"] == "llm_call").nth(call).unwrap()["messages_sent_to_llm"]
            .clone()
    };
    // 1 + 3 + 5 and so on: 99 calls have 9,801 references and 101 have 10,201.
    let few = imported(&log(99), 100);
    assert_eq!(sent(&few, 98).as_array().unwrap().len(), 197);
    assert_eq!(sent(&few, 98)[196], json!({"ref": "msg_197"}));
    let many = imported(&log(101), 4);
    assert_eq!((sent(&many, 0), sent(&many, 100)), ("visible".into(), "visible".into()));
    let document = Document::open(&many.text.unwrap(), &Limits::default());
    let last = document.steps().pop().unwrap();
    assert_eq!(document.step(&last.path).unwrap().llm.unwrap().sent.unwrap().len(), 201);
}

/// A message that is hidden or has an id of its own keeps what says so, and the final state with it.
#[test]
fn what_is_not_implied_is_written() {
    let mut run = json!({
        "version": "1.0",
        "initial_state": {"message_store": [
            {"id": "msg_001", "role": "user", "content": "a", "visible": false},
            {"id": "msg_003", "role": "user", "content": "b", "visible": true},
        ]},
        "execution": [
            {"turn": 2, "type": "tool_call",
             "tool_call": {"tool_name": "f", "result": 1, "success": false, "error": null},
             "message_created": {"id": "msg_003b", "role": "tool", "content": "1"}},
            {"turn": 2, "type": "tool_call",
             "tool_call": {"tool_name": "f", "result": null, "success": false, "error": "no"}},
        ],
        "final_state": {
            "message_store": [{"ref": "msg_001"}, {"ref": "msg_003"}, {"ref": "msg_003b"}],
            "visible_messages": ["msg_003", "msg_003b"],
        },
    });
    let before = run.clone();
    write::leave_out_implied(&mut run);
    let expected = json!({
        "version": "1.0",
        "initial_state": {"message_store": [
            {"role": "user", "content": "a", "visible": false},
            {"id": "msg_003", "role": "user", "content": "b"},
        ]},
        "execution": [
            {"turn": 2, "type": "tool_call", "tool_call": {"tool_name": "f", "result": 1, "success": false},
             "message_created": {"id": "msg_003b", "role": "tool", "content": "1"}},
            {"type": "tool_call", "tool_call": {"tool_name": "f", "result": null, "error": "no"}},
        ],
        "final_state": before["final_state"],
    });
    assert_eq!(run, expected);
}
