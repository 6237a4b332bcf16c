//! Folders of Claude Code: several sessions, and the files of their agents in both layouts.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, diagnostic_lines, outline};

const FIRST: &str = "11111111-0000-4000-8000-000000000000";
const SECOND: &str = "22222222-0000-4000-8000-000000000000";

fn import(files: &[(&str, &str)], session: Option<&str>) -> ImportView {
    let files: Vec<LogFile<'_>> = files.iter().map(|(path, text)| LogFile { path, text }).collect();
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&files, &options).unwrap()
}

fn lines(session: &str, agent: Option<&str>, messages: &[Value]) -> String {
    let line = |(at, message): (usize, &Value)| {
        let id = |at: usize| format!("{}{at}", agent.unwrap_or(&session[..1]));
        let mut line = json!({"parentUuid": at.checked_sub(1).map(id), "isSidechain": agent.is_some(), "sessionId": session,
            "type": message["role"], "uuid": id(at), "message": message});
        if let Some(agent) = agent {
            line["agentId"] = agent.into();
        }
        if let Some(agent) = message["content"][0].get("agent") {
            line["toolUseResult"] = json!({"agentId": agent});
        }
        format!("{line}\n")
    };
    messages.iter().enumerate().map(line).collect()
}

fn says(role: &str, text: &str) -> Value {
    json!({"role": role, "content": [{"type": "text", "text": text}]})
}

/// A session in which an agent looks for something.
fn session(id: &str, ask: &str, agent: &str, found: &str) -> String {
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Task", "input": {"prompt": "Look"}});
    let result = json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": found, "agent": agent});
    let messages = [
        says("user", ask),
        json!({"role": "assistant", "id": "m1", "content": [call]}),
        json!({"role": "user", "content": [result]}),
        says("assistant", "Done."),
    ];
    lines(id, None, &messages)
}

fn agent(session: &str, id: &str, found: &str) -> String {
    lines(session, Some(id), &[says("user", "Look"), says("assistant", found)])
}

/// The files of two sessions, with the path of each agent.
fn folder(path: impl Fn(&str, &str) -> String) -> Vec<(String, String)> {
    vec![
        (format!("p/{FIRST}.jsonl"), session(FIRST, "Fix the bug", "a1", "In main.rs.")),
        (format!("p/{SECOND}.jsonl"), session(SECOND, "Write a test", "a2", "In lib.rs.")),
        (path(FIRST, "a1"), agent(FIRST, "a1", "In main.rs.")),
        (path(SECOND, "a2"), agent(SECOND, "a2", "In lib.rs.")),
    ]
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

#[test]
fn a_session_of_a_folder_is_one_run_with_its_agents() {
    let inside = folder(|session, agent| format!("p/{session}/subagents/agent-{agent}.jsonl"));
    let next_to_it = folder(|_, agent| format!("p/agent-{agent}.jsonl"));
    for files in [inside, next_to_it] {
        let files = borrowed(&files);
        for (id, ask, found) in
            [(FIRST, "Fix the bug", "In main.rs."), (SECOND, "Write a test", "In lib.rs.")]
        {
            let view = import(&files, Some(id));
            checked(&view);
            assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
            assert_eq!(view.files.len(), 2);
            let expected = [
                &format!("user: {ask}"),
                r#"calls Task({"prompt": "Look"})"#,
                &format!("Task -> {found}"),
                "says: Done.",
            ];
            assert_eq!(outline(&view.transcript), expected);
            let inner = &view.transcript["execution"][1]["tool_call"]["result"]["nested_transcript"];
            assert_eq!(outline(inner), ["user: Look".to_owned(), format!("says: {found}")]);
        }
        // The id of a record names its session as well.
        assert_eq!(outline(&import(&files, Some("23")).transcript)[0], "user: Write a test");
    }
}

#[test]
fn the_sessions_of_a_folder_are_listed_with_their_first_words() {
    let files = folder(|_, agent| format!("p/agent-{agent}.jsonl"));
    let view = import(&borrowed(&files), None);
    assert_eq!(view.sessions, [FIRST, SECOND]);
    assert_eq!(view.first_words, ["Fix the bug", "Write a test"]);
    let problem = view.problem.unwrap();
    let message = format!("there are 2 sessions: `{FIRST}` (\"Fix the bug\"), `{SECOND}` (\"Write a test\")");
    assert_eq!((problem.message, problem.help.as_deref()), (message, Some("choose one with `session`")));
    let other = import(&borrowed(&files), Some("33333333")).problem.unwrap();
    assert_eq!(other.message, "there is no session `33333333`");
}

#[test]
fn agents_without_their_session_are_runs_of_their_own() {
    let files = folder(|_, agent| format!("p/agent-{agent}.jsonl"));
    let agents = borrowed(&files[2..]);
    assert_eq!(import(&agents, None).sessions, ["agent-a1", "agent-a2"]);
    let view = import(&agents, Some("agent-a2"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Look", "says: In lib.rs."]);
}
