//! Logs of Inspect AI.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "log.json", text }], &options).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

fn log(samples: &Value) -> String {
    json!({"version": 2, "status": "success", "eval": {"task": "demo", "model": "openai/gpt-5", "created": "2026-05-01T10:00:00+00:00",
        "model_generate_config": {"temperature": 0.5, "top_p": null}}, "plan": {"steps": []}, "samples": samples})
    .to_string()
}

#[test]
fn the_sample_has_its_attachments_back() {
    let text = fixture("inspect-log.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("inspect-log", "certain"));
    let view = import(&text, None);
    let run = &view.transcript;
    assert_eq!(errors(run), Vec::<String>::new());
    assert_eq!(
        outline(run),
        [
            "system: You are a coding agent.",
            "user: Fix the bug",
            r#"calls read_file({"path": "main.rs"})"#,
            "read_file -> fn main(){} // long text moved here",
            "says: Done.",
        ]
    );
    // What the tool gave is shorter than what the model was sent.
    assert_eq!(run["execution"][1]["tool_call"]["result"], "fn main(){}");
    assert_eq!(run["execution"][1]["timestamp"], "2026-05-01T10:00:03+00:00");
    assert_eq!(run["execution"][2]["llm_response"]["reasoning"], "look");
    assert_eq!(run["execution"][2]["llm_response"]["model"], "gpt-5");
    assert_eq!(run["agent_config"]["model"], "openai/gpt-5");
    assert_eq!(run["metadata"]["name"], "demo 1");
    assert_eq!(run["metadata"]["recording"]["sample"]["target"], "ok");
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

/// `inspect-orders.json` was written by inspect-ai 0.3.285 with its model for tests.
#[test]
fn a_log_that_inspect_wrote_is_read_sample_by_sample() {
    let text = fixture("inspect-orders.json");
    let view = import(&text, None);
    assert_eq!(
        view.problem.as_ref().unwrap().message,
        "the log has 2 samples: `first` (\"Which order?\"), `second` (\"And another?\")"
    );
    assert_eq!(view.first_words, ["Which order?", "And another?"]);
    let view = import(&text, Some("first"));
    let run = &view.transcript;
    assert_eq!(errors(run), Vec::<String>::new());
    let long = "The long text of the order 4471. ".repeat(5);
    let long = long.as_str();
    assert_eq!(
        outline(run),
        [
            "system: You look orders up.",
            "user: Which order?",
            r#"calls lookup({"key": "4471"})"#,
            &format!("lookup -> {long}"),
            "says: The order is 4471.",
        ]
    );
    assert_eq!(run["agent_config"]["tools"][0]["name"], "lookup");
    assert_eq!(run["execution"][0]["llm_response"]["finish_reason"], "tool_calls");
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    let view = import(&text, Some("second"));
    assert_eq!(outline(&view.transcript)[3], "lookup fails: unknown: no such key");
    assert!(!view.transcript.to_string().contains("attachment://"));
}

#[test]
fn epochs_are_runs_of_their_own() {
    let sample = |epoch: u32| {
        json!({"id": "a", "epoch": epoch, "input": [{"role": "user", "content": "Hi"}],
        "messages": [{"role": "user", "content": format!("Hi {epoch}")}]})
    };
    let text = log(&json!([sample(1), sample(2)]));
    assert_eq!(import(&text, None).sessions, ["a epoch 1", "a epoch 2"]);
    assert_eq!(outline(&import(&text, Some("a epoch 2")).transcript), ["user: Hi 2"]);
}

#[test]
fn pooled_inputs_and_figures_come_from_the_event_of_a_call() {
    let answer = json!({"id": "m2", "role": "assistant", "content": "Hello!", "source": "generate"});
    let text = log(
        &json!([{"id": 1, "epoch": 1, "input": "Hi", "messages": [{"id": "m1", "role": "user", "content": "Hi"}, answer],
        "events": [
            {"event": "model", "timestamp": "2026-05-01T10:00:02+00:00", "input": [], "input_refs": [[0, 2]],
                "tools": [{"name": "look", "parameters": {"type": "object"}}],
                "output": {"model": "gpt-5-2026", "choices": [{"message": answer, "stop_reason": "stop"}], "usage": {"input_tokens": 3, "output_tokens": 2}}},
            {"event": "score", "score": {"value": "C"}},
        ],
        "events_data": {"messages": [{"id": "p1", "role": "system", "content": "attachment://aa"}, {"id": "m1", "role": "user", "content": "Hi"}], "calls": []},
        "attachments": {"aa": "Be brief.", "bb": "nobody names this"}}]),
    );
    let view = import(&text, None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    let answer = &turn["llm_response"];
    assert_eq!(turn["timestamp"], "2026-05-01T10:00:02+00:00");
    assert_eq!(
        (&answer["usage"]["output_tokens"], &answer["finish_reason"], &answer["model"]),
        (&json!(2), &json!("stop"), &json!("gpt-5-2026"))
    );
    // What this call alone was sent is reported with it.
    assert_eq!(answer["metadata"]["input"], json!([{"id": "p1", "role": "system", "content": "Be brief."}]));
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["temperature"], &config["tools"][0]["name"]), (&json!(0.5), &json!("look")));
    assert_eq!(
        view.transcript["metadata"]["recording"]["sample"]["attachments"],
        json!({"bb": "nobody names this"})
    );
    assert_eq!(view.files[0].report.kept[0].kind, "score");
}

#[test]
fn a_log_that_is_cut_has_its_whole_messages() {
    let text = fixture("inspect-log.json");
    let cut = &text[..text.find("\"Done.\"").unwrap()];
    assert_eq!(detection(cut.as_bytes(), &Limits::default()).kind, "inspect-log");
    let view = import(cut, None);
    assert_eq!(outline(&view.transcript)[..2], ["system: You are a coding agent.", "user: Fix the bug"]);
    assert!(
        diagnostic_lines(&view).iter().any(|line| line.starts_with("T902")),
        "{:?}",
        diagnostic_lines(&view)
    );
    let none = import(&log(&json!([])), None);
    let remark = "T907: the imported log has no messages, so the run has no steps";
    assert_eq!(errors(&none.transcript), [remark]);
}

#[test]
fn an_archive_is_reported_plainly() {
    let mut bytes = vec![b'P', b'K', 3, 4];
    bytes.resize(30, 0);
    bytes.extend_from_slice(b"_journal/start.json");
    bytes.extend([0xff, 0xfe, 0]);
    let found = detection(&bytes, &Limits::default());
    assert_eq!(found.kind, "unknown");
    assert_eq!(found.reason, "it is an Inspect AI log archive, which is not supported");
}

#[test]
fn each_sample_of_several_logs_has_the_head_of_its_own() {
    let sample = json!([{"id": 1, "epoch": 1, "input": "Hi", "messages": [{"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello!"}]}]);
    let other = log(&sample).replace("\"demo\"", "\"other\"").replace("openai/gpt-5", "openai/gpt-6");
    let text = format!("{}\n{other}\n", log(&sample));
    let view = import(&text, None);
    assert_eq!(view.sessions, ["1", "1 (2)"]);
    for (session, task, model) in [("1", "demo", "openai/gpt-5"), ("1 (2)", "other", "openai/gpt-6")] {
        let run = import(&text, Some(session)).transcript;
        assert_eq!(run["metadata"]["recording"]["log"]["eval"]["task"], task);
        assert_eq!(run["agent_config"]["model"], model, "{run}");
    }
}

#[test]
fn what_is_no_log_is_kept_and_reported() {
    let text = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]"#;
    let options = ImportOptions { from: Some("inspect".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "chat.json", text }], &options).unwrap();
    let kept = view.transcript["metadata"]["recording"]["kept"].as_array().expect("both messages");
    assert_eq!(kept.iter().map(|kept| &kept["entry"]["content"]).collect::<Vec<_>>(), ["Hi", "Hello!"]);
    assert_eq!(
        diagnostic_lines(&view).iter().filter(|line| line.contains("neither an Inspect log")).count(),
        2
    );
}

#[test]
fn an_attachment_that_the_log_lacks_is_reported_and_stays_a_reference() {
    let (known, lacking, other) = ("0".repeat(32), "a".repeat(32), "b".repeat(32));
    let of = |hash: &str| format!("attachment://{hash}");
    let text =
        log(&json!([{"id": 1, "epoch": 1, "input": "Go", "attachments": {known.as_str(): "the long text"},
            "messages": [
                {"role": "user", "content": of(&known)},
                {"role": "user", "content": of(&lacking)},
                {"role": "user", "content": "attachment:// is how references begin"},
                {"role": "assistant", "content": [{"type": "text", "text": of(&lacking)}]},
            ],
            "events": [{"event": "info", "data": of(&other)}],
        }]));
    let view = import(&text, None);
    let run = &view.transcript;
    assert_eq!(
        outline(run),
        [
            "user: the long text".to_owned(),
            format!("user: {}", of(&lacking)),
            "user: attachment:// is how references begin".to_owned(),
            format!("says: {}", of(&lacking)),
        ]
    );
    // Each once, at its first place.
    let wanted = [&lacking, &other].map(|hash| format!("T903 the log has no attachment `{hash}`"));
    assert_eq!(diagnostic_lines(&view), wanted);
    for (found, hash) in view.files[0].diagnostics.iter().zip([&lacking, &other]) {
        let at = text.find(&of(hash)).unwrap();
        assert_eq!((found.place.line, found.place.column as usize), (1, at));
    }
    assert_eq!(errors(run), Vec::<String>::new());
}
