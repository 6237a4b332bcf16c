//! Wire logs of Kimi Code.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn the_events_of_a_step_are_one_answer() {
    let view = import_session("kimi-wire", &fixture("sessions/kimi.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls Write({"path": "note.md"}), Bash({"command": "git push"})"#,
            "Write -> Wrote the file.",
            "Bash fails: There is no remote.",
            "user: Do not push.",
            "says: The note is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    let response = &turn["llm_response"];
    assert_eq!(turn["timestamp"], "2026-08-01T20:16:01.000Z");
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!((&response["id"], &response["finish_reason"]), (&json!("chatcmpl-1"), &json!("tool_use")));
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 143, "output_tokens": 75,
            "input_tokens_details": {"cached_tokens": 40, "cache_creation": 3}})
    );
    assert_eq!(view.transcript["agent_config"]["model"], "kimi-k3");
    // The prompt is in the context, the text that was typed while the agent worked is not.
    assert_eq!(view.files[0].report.streamed, [3]);
}
