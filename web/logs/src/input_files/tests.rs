use serde_json::{Value, json};

use super::*;
use crate::archive::tests::{packed, zip};

const LOG: &str = "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"user_message\",\"content\":\"Hi\"}\n\
    {\"_timestamp\":\"2026-01-14T03:00:01Z\",\"type\":\"tool_request\",\"request_id\":\"c1\",\"tool_name\":\"sub_agent_coder\",\"args\":{\"task\":\"go\"}}\n\
    {\"_timestamp\":\"2026-01-14T03:00:04Z\",\"type\":\"tool_result\",\"request_id\":\"c1\",\"tool_name\":\"sub_agent_coder\",\"result\":\"done\",\"success\":true}\n\
    {\"_timestamp\":\"2026-01-14T03:00:05Z\",\"type\":\"completed\",\"response\":\"Hello!\"}\n";
const AGENT: &str = "{\"_timestamp\":\"2026-01-14T03:00:02Z\",\"type\":\"sub_agent_tool_request\",\"agent_id\":\"coder\",\"parent_request_id\":\"c1\",\"request_id\":\"c2\",\"tool_name\":\"read\",\"args\":{}}\n\
    {\"_timestamp\":\"2026-01-14T03:00:03Z\",\"type\":\"sub_agent_tool_result\",\"agent_id\":\"coder\",\"parent_request_id\":\"c1\",\"request_id\":\"c2\",\"tool_name\":\"read\",\"result\":\"x\",\"success\":true}\n";
const TRANSCRIPT: &str = "messages: ['user: Hi']";

fn input_files(files: &[(&str, &str)]) -> InputFiles {
    let mut inputs = InputFiles::default();
    for (path, text) in files {
        inputs.add(path, text.as_bytes().to_vec());
    }
    inputs
}

fn answer(files: &[(&str, &str)]) -> Value {
    input_files(files).json_answer(None, None)
}

#[test]
fn a_session_in_a_zip_file_is_one_transcript() {
    let bytes = zip(&[
        packed("logs/abc/subagents/coder-c1/transcript.json", AGENT.as_bytes()),
        packed("logs/abc/transcript.json", LOG.as_bytes()),
        packed("logs/abc/screen.png", b"\x89PNG"),
    ]);
    let mut inputs = InputFiles::default();
    inputs.add("abc.zip", bytes);
    let answer = inputs.json_answer(None, None);
    assert_eq!((&answer["name"], &answer["problem"]), (&json!("abc.yaml"), &Value::Null));
    assert_eq!(answer["message"], "Imported a qbit session log: 6 events, in 2 files.");
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("nested_transcript") && text.contains("Hello!"), "{text}");
    assert_eq!(answer["files"][0]["path"], "logs/abc/transcript.json");
    assert_eq!(answer["files"][0]["message"], "4 entries read: 4 in the run");
    assert_eq!(answer["leftOut"], json!(["logs/abc/screen.png: it does not have the name of a log"]));
    assert_eq!(inputs.text("logs/abc/transcript.json"), Some(LOG));
}

#[test]
fn a_cut_log_reports_where_it_ends() {
    let cut = LOG.trim_end().get(..LOG.len() - 20).unwrap();
    let answer = answer(&[("transcript.json", cut)]);
    assert_eq!(answer["name"], "transcript.yaml");
    assert_eq!(answer["message"], "Imported a qbit session log: 3 events. 1 piece could not be read.");
    assert_eq!(
        answer["files"][0]["notes"],
        json!(["line 4: the log ends in the middle of an entry (everything before it is read)"])
    );
}

#[test]
fn a_log_without_a_known_request_is_opened_as_a_document() {
    let text = json!([{"scope": "https://api.cohere.com:443", "method": "POST", "status": 200,
        "path": "/v1/generate", "body": {"message": "Hi"}, "response": {"text": "Hello!"}}]);
    let text = text.to_string();
    let answer = answer(&[("nock.json", &text)]);
    assert_eq!((&answer["open"]["name"], &answer["open"]["text"]), (&json!("nock.json"), &json!(text)));
    let summary = answer["message"].as_str().unwrap();
    assert!(summary.starts_with("0 of 1 requests understood: POST https://api.cohere.com"), "{summary}");
    assert!(answer["files"][0]["notes"][0].as_str().unwrap().contains("`/chat/completions`"), "{answer}");
    assert_eq!((&answer["text"], &answer["problem"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_cassette_is_named_after_its_file_and_the_conversation() {
    let call = |text: &str| {
        json!({"scope": "https://api.test:443", "method": "POST", "path": "/v1/chat/completions", "status": 200,
            "body": {"messages": [{"role": "user", "content": text}]},
            "response": {"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]}})
    };
    let one = json!([call("Hi")]).to_string();
    let made = answer(&[("greets.json", &one)]);
    assert_eq!(
        (&made["name"], &made["message"]),
        (&json!("greets.yaml"), &json!("Imported an HTTP recording: 1 interaction."))
    );
    let two = json!([call("Hi"), call("Ho")]).to_string();
    let mut inputs = input_files(&[("greets.json", &two)]);
    let several = inputs.json_answer(None, None);
    assert_eq!(several["sessions"], json!(["conversation-1", "conversation-2"]));
    assert_eq!(several["firstWords"], json!(["Hi", "Ho"]));
    assert_eq!(inputs.json_answer(Some("conversation-2"), None)["name"], "greets-conversation-2.yaml");
}

#[test]
fn one_of_several_sessions_is_chosen() {
    let mut inputs = input_files(&[
        ("all/a/transcript.json", LOG),
        ("all/b/transcript.json", LOG),
        ("all/notes.json", "{}"),
    ]);
    assert_eq!(inputs.json_answer(None, None)["sessions"], json!(["a", "b"]));
    let chosen = inputs.json_answer(Some("b"), None);
    assert_eq!(
        (&chosen["name"], &chosen["files"][0]["path"]),
        (&json!("b.yaml"), &json!("all/b/transcript.json"))
    );
    assert_eq!(chosen["leftOut"], json!(["all/notes.json: it is not a supported log"]));
}

#[test]
fn a_folder_of_claude_code_has_a_choice_of_sessions_with_their_agents() {
    let line = |session: &str, agent: Option<&str>, role: &str, content: Value| {
        let record = json!({"type": role, "sessionId": session, "uuid": format!("{session} {content}"), "isSidechain": agent.is_some(),
            "agentId": agent, "message": {"role": role, "content": content}});
        format!("{record}\n")
    };
    let main = |session: &str, text: &str| {
        let call = json!([{"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "Look"}}]);
        let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "Found."}]);
        let calls = line(session, None, "user", json!(text)) + &line(session, None, "assistant", call);
        calls + &line(session, None, "user", result)
    };
    let agent = line("one", Some("a1"), "user", json!("Look"));
    let (one, two) = (main("one", "Fix it"), main("two", "Test it"));
    let mut inputs = input_files(&[
        ("p/one.jsonl", &one),
        ("p/one/subagents/agent-a1.jsonl", &agent),
        ("p/two.jsonl", &two),
        ("p/notes.json", "{}"),
    ]);
    let answer = inputs.json_answer(None, None);
    assert_eq!(
        (&answer["sessions"], &answer["firstWords"]),
        (&json!(["one", "two"]), &json!(["Fix it", "Test it"]))
    );
    let chosen = inputs.json_answer(Some("one"), None);
    assert_eq!((&chosen["name"], &chosen["problem"]), (&json!("one.yaml"), &Value::Null));
    assert_eq!(chosen["message"], "Imported a Claude Code session: 4 records, in 2 files.");
    assert!(chosen["text"].as_str().unwrap().contains("nested_transcript"), "{chosen}");
    assert_eq!(chosen["leftOut"], json!(["p/notes.json: it is not a supported log"]));
}

#[test]
fn transcripts_open_as_documents() {
    let opened = |files: &[(&str, &str)]| answer(files)["open"]["name"].clone();
    assert_eq!(opened(&[("a.yaml", TRANSCRIPT), ("b.yaml", TRANSCRIPT)]), "a.yaml");
    assert_eq!(opened(&[("a.yaml", TRANSCRIPT), ("transcript.json", LOG)]), "a.yaml");
    assert_eq!(opened(&[("a.txt", "hello"), ("b.txt", "x")]), "a.txt");
    // The only file of a folder is opened.
    assert_eq!(opened(&[("folder/a.yaml", TRANSCRIPT)]), "a.yaml");
    assert_eq!(
        answer(&[("f/a.yaml", TRANSCRIPT), ("f/b.yaml", TRANSCRIPT)])["problem"],
        "none of the files is a supported log"
    );
}

#[test]
fn an_archive_of_a_document_and_its_runs_opens_the_document() {
    let opened = |files: &[(&str, &str)]| {
        let mut inputs = InputFiles::default();
        let files: Vec<_> = files.iter().map(|(path, text)| packed(path, text.as_bytes())).collect();
        inputs.add("run.zip", zip(&files));
        inputs.json_answer(None, None)
    };
    let (one, other) = (("agents/001-a.yaml", TRANSCRIPT), ("agents/002-b.yaml", TRANSCRIPT));
    let answer = opened(&[("run.yaml", "messages: ['user: Ho']"), one, other]);
    assert_eq!(answer["open"], json!({"name": "run.yaml", "text": "messages: ['user: Ho']"}));
    // Its position in the archive does not matter.
    assert_eq!(opened(&[one, ("run.yaml", TRANSCRIPT)])["open"]["name"], "run.yaml");
    // Without exactly one transcript at the top, nothing is opened.
    for files in [
        &[one, other][..],
        &[("a.yaml", TRANSCRIPT), ("b.yaml", TRANSCRIPT), one],
        &[("notes.json", "{}"), one],
    ] {
        assert_eq!(opened(files)["problem"], "none of the files is a supported log");
    }
}

#[test]
fn a_recording_is_paired_with_its_result_file() {
    let recording = r#"{"_version": 2, "ask": {"content": "Hello!", "model": "m", "usage": {}}}"#;
    let result = r#"{"workflow_name": "w", "step_results": {}, "final_state": {}}"#;
    let answer = answer(&[("run.result.json", result), ("run.json", recording)]);
    assert_eq!(answer["name"], "run.yaml");
    assert!(answer["message"].as_str().unwrap().starts_with("Imported an AgentLoom recording: "));
    assert_eq!(answer["files"].as_array().unwrap().len(), 2);
}

#[test]
fn events_are_listed_in_causal_order() {
    let event = |id: &str, parent: &str| {
        format!(
            "{{\"event_id\":\"{id}\",\"type\":\"task_received\",\"agent_id\":\"bob\",\"timestamp_ns\":1,\"parent_event_id\":{parent},\"payload_hash\":\"518326b679f26820\",\"payload_ref\":\"t\"}}"
        )
    };
    let (first, second) = ("1ee49a7c-b4b0-41b3-9226-a69f4b3f167e", "0ee49a7c-b4b0-41b3-9226-a69f4b3f167e");
    let text = format!("{}\n{}\n", event(second, &format!("\"{first}\"")), event(first, "null"));
    let answer = answer(&[("events.jsonl", &text)]);
    assert_eq!(answer["message"], "2 events of 1 agent, in topological order.");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!((&rows[0][0], &rows[0][5]), (&json!("1"), &json!(first)));
    assert_eq!((&rows[1][4], &rows[1][5]), (&json!("1"), &json!(second)));
}

#[test]
fn large_files_and_binary_files_are_reported() {
    assert_eq!(answer(&[])["problem"], messages::NOTHING);
    let mut inputs = InputFiles::default();
    inputs.add("a.json", vec![0xff, 0xfe]);
    assert_eq!(inputs.json_answer(None, None)["problem"], "a.json: it is not UTF-8 text");
    assert!(
        inputs.refuses("b.json", 1e9, false)
            && inputs.refuses("f/c.png", 1.0, false)
            && inputs.refuses("f/.DS_Store", 1.0, false)
    );
    assert!(
        !inputs.refuses("d.eval", 1e8, true)
            && !inputs.refuses("notes.txt", 1.0, false)
            && !inputs.refuses("f/e.json.gz", 1.0, false)
    );
    inputs.add("transcript.json", LOG.as_bytes().to_vec());
    assert_eq!(
        inputs.json_answer(None, None)["leftOut"],
        json!([
            "a.json: it is not UTF-8 text",
            "b.json: it has more than 32 MiB",
            "f/c.png: it does not have the name of a log"
        ])
    );
    let mut many = InputFiles::default();
    for number in 0..=BOUNDS.entries {
        many.add(&format!("f/{number}.json"), b"{}".to_vec());
    }
    assert_eq!(many.json_answer(None, None)["problem"], "there are more than 10000 files");
}

#[test]
fn a_database_lists_its_conversations() {
    const DATABASE: &[u8] = include_bytes!("../../../../tests/imports/stores/cursor.vscdb");
    let mut inputs = InputFiles::default();
    assert!(inputs.add("state.vscdb", DATABASE.to_vec()));
    assert_eq!(inputs.json_answer(None, None)["sessions"], json!(["old-1", "c1", "c2"]));
    let made = inputs.json_answer(Some("c1"), None);
    assert!(made["text"].as_str().is_some_and(|text| text.contains("There is no make.")), "{made}");
    let mut cut = InputFiles::default();
    cut.add("state.vscdb", DATABASE[..512].to_vec());
    assert_eq!(
        cut.json_answer(None, None)["problem"],
        "state.vscdb: it is an SQLite database that is damaged or cut"
    );
}
