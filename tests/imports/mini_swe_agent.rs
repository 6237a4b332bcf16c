//! Trajectories of mini-swe-agent.

use serde_json::json;
use transcript_core::document::{Document, Limits};

use crate::cut_documents::import;
use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn the_response_next_to_an_answer_is_read() {
    let view = import_session("mini-swe-agent-trajectory", &fixture("sessions/mini-swe-agent.traj.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You can use a shell.",
            "user: Fix the note.",
            "says: THOUGHT: I look.\n\n```bash\nls\n```",
            "user: <returncode>0</returncode>\n<output>\nnote.md\n</output>",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["id"], &response["model"]), (&json!("gen-1"), &json!("google/gemini-3-pro")));
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(response["usage"]["prompt_tokens_details"]["cached_tokens"], 100);
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["info"]["exit_status"], "Submitted");
}

#[test]
fn the_name_decides_whatever_the_messages_are() {
    let text = r#"{"info": {}, "messages": [], "trajectory_format": "mini-swe-agent-1.1"}"#;
    let document = Document::open(text, &Limits::default());
    assert_eq!(document.other_format(), Some("mini-swe-agent-trajectory"));
}

#[test]
fn a_cut_trajectory_lacks_its_name_and_is_known_by_its_costs() {
    let text = fixture("sessions/mini-swe-agent.traj.json");
    let cut = &text[..text.find("\"trajectory_format\"").unwrap()];
    for text in [cut, &cut[..cut.rfind("\"role\"").unwrap()]] {
        assert_eq!(import("log.json", text).kind, "mini-swe-agent-trajectory", "{text}");
        let document = Document::open(text, &Limits::default());
        assert_eq!(document.other_format(), Some("mini-swe-agent-trajectory"), "{text}");
    }
}
