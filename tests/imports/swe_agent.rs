//! Trajectories of SWE-agent.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_trajectory_is_a_run() {
    let view = import_session("swe-agent-trajectory", &fixture("sessions/swe-agent.traj.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are a programmer.",
            "user: Fix the note.",
            r#"calls bash({"command":"ls -F"})"#,
            "bash -> OBSERVATION:\nnote.md",
            "calls submit({})",
            // It is in the trajectory alone.
            "submit -> +A note.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    // A demonstration is no part of the run.
    assert_eq!(view.files[0].report.kept[0].line, 5);
    let session = &view.transcript["metadata"]["recording"]["session"];
    assert_eq!(session["info"]["exit_status"], "submitted");
    // Of the messages that a step was sent, those stay that the history has in another form.
    assert_eq!(session["trajectory"][0].get("messages"), None);
    let sent = json!([{"role": "tool", "content": "Old environment output: (1 lines omitted)", "tool_call_ids": ["call_1"]}]);
    assert_eq!(
        session["trajectory"][1],
        json!({"execution_time": 0.2, "state": {"working_dir": "/testbed"}, "messages": sent})
    );
}

#[test]
fn a_command_in_the_text_is_a_call() {
    let view = import_session("swe-agent-trajectory", &fixture("sessions/swe-agent-text.traj.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are a programmer.",
            "user: Fix the note.",
            r#"calls bash({"command": "ls\n"})"#,
            "bash -> note.md\n(Open file: n/a)",
        ]
    );
    assert_eq!(view.transcript["execution"][0]["llm_response"]["content"], "I look.\n```\nls\n```");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}
