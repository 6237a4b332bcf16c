//! Results of tau-bench and tau2-bench.

use serde_json::json;
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, fixture, import_session, outline};

/// One of the simulations in a file.
fn simulation(text: &str, id: &str) -> ImportView {
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("tau-simulations", "certain"), "{}", found.reason);
    let options = ImportOptions { session: Some(id.to_owned()), ..ImportOptions::default() };
    import_log(&[LogFile { path: "results.json", text }], &options).unwrap()
}

#[test]
fn a_simulation_is_a_run_with_its_reward() {
    let view = simulation(&fixture("platforms/tau2.json"), "0000aaaa-0001");
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "says: How can I help?",
            "user: I want my money back.",
            r#"calls get_order({"id": "W1"}), refund({"id": "W1"})"#,
            r#"get_order -> {"total": 12}"#,
            "refund fails: The order is too old.",
            "says: It is too old.",
            "user: ###STOP###",
        ]
    );
    let session = &view.transcript["metadata"]["recording"]["session"];
    assert_eq!(session["reward_info"]["reward"], 0.0);
    assert_eq!((&session["trial"], &session["task"]["description"]), (&json!(0), &json!("A refund.")));
    let turn = &view.transcript["execution"][2];
    assert_eq!(view.transcript["agent_config"]["model"], "gpt-5.6-luna");
    assert_eq!(turn["llm_response"]["reasoning"], "The order comes first.");
    assert_eq!(turn["llm_response"]["usage"], json!({"prompt_tokens": 120, "completion_tokens": 20}));
}

#[test]
fn calls_of_the_customer_are_kept() {
    let view = simulation(&fixture("platforms/tau2.json"), "0000aaaa-0002");
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: My modem blinks.", "says: Turn it off and on."]);
    let kept = view.transcript["metadata"]["recording"]["kept"].as_array().unwrap();
    assert_eq!(kept[0]["entry"]["tool_calls"][0]["name"], "look_at_modem");
    assert_eq!(kept[1]["entry"]["content"], "It is red.");
}

#[test]
fn trials_of_tau_bench_are_runs() {
    let call = json!([{"id": "c", "type": "function", "function": {"name": "cancel", "arguments": "{}"}}]);
    let traj = json!([
        {"role": "system", "content": "Help."},
        {"role": "user", "content": "Cancel it."},
        {"role": "assistant", "content": null, "tool_calls": call},
        {"role": "tool", "tool_call_id": "c", "name": "cancel", "content": "Error: no such flight"},
    ]);
    let trial = |trial: u32| json!({"task_id": 4, "reward": 1.0, "info": {}, "traj": traj, "trial": trial});
    let text = json!([trial(0), trial(1)]).to_string();
    let view = simulation(&text, "4");
    let expected =
        ["system: Help.", "user: Cancel it.", "calls cancel({})", "cancel fails: Error: no such flight"];
    assert_eq!(outline(&view.transcript), expected);
    assert_eq!(simulation(&text, "4-2").transcript["metadata"]["recording"]["session"]["trial"], 1);
}

#[test]
fn an_example_is_a_text_with_a_line_for_each_message() {
    let shown = "user: Hi\nand hello\nassistant: Yes?\ntool: Error: no\n";
    let text = json!({ "messages_display": shown }).to_string();
    let view = import_session("tau-simulations", &format!("{text}\n"));
    assert_eq!(outline(&view.transcript), ["user: Hi\nand hello", "says: Yes?", "tool: Error: no"]);
}

/// Its calls are not in the file: Python wrote `None` for the text of the answer that made them.
#[test]
fn an_answer_without_text_in_an_example_says_nothing() {
    let shown = "user: Hi\nassistant: None\ntool: \nassistant: None of them.";
    let view = import_session("tau-simulations", &format!("{}\n", json!({ "messages_display": shown })));
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: ", "tool: ", "says: None of them."]);
}

#[test]
fn a_simulation_by_voice_without_words_says_so() {
    let chunk = |role: &str| json!({"role": role, "contains_speech": true});
    let tick = |id: u32| json!({"tick_id": id, "timestamp": "2026-06-30T11:40:29", "agent_chunk": chunk("assistant"), "user_chunk": chunk("user")});
    let text =
        json!({"id": "v1", "task_id": "4", "termination_reason": "user_stop", "ticks": [tick(0), tick(1)]});
    let view = import_session("tau-simulations", &text.to_string());
    assert!(!view.ok);
    let found: Vec<_> =
        view.files[0].diagnostics.iter().map(|found| (found.code, found.message.as_str())).collect();
    let message = "this is a simulation by voice without its words: its ticks only say when each side spoke";
    assert_eq!(found, [("T907", message)]);
    assert_eq!(view.transcript["metadata"]["recording"]["kept"].as_array().unwrap().len(), 2);
}
