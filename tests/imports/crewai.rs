//! Logs of CrewAI.

use serde_json::json;

use crate::{checked, fixture, import_session, outline};

#[test]
fn a_task_and_its_output_are_a_message_and_an_answer() {
    let view = import_session("crewai-log", &fixture("platforms/crewai.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Find three facts about cats.",
            "says: Cats purr.",
            "user: Write a line about them.",
            "says: A cat purrs.",
        ]
    );
    let about = &view.transcript["execution"][2]["llm_response"]["metadata"];
    assert_eq!((&about["agent"], &about["timestamp"]), (&json!("Writer"), &json!("2026-03-02 09:00:15")));
}
