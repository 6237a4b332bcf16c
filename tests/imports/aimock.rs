//! Fixtures of aimock: what becomes a rule, what is kept, and the conversations that its recorder wrote.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::{LogFile, read_as};
use transcript_core::view::{ImportOptions, ImportView, import_log};

fn read(files: &[(&str, &Value)]) -> ImportView {
    let texts: Vec<(&str, String)> = files.iter().map(|(path, value)| (*path, value.to_string())).collect();
    let logs: Vec<LogFile<'_>> = texts.iter().map(|(path, text)| LogFile { path, text }).collect();
    import_log(&logs, &ImportOptions { format: "json".to_owned(), ..ImportOptions::default() }).unwrap()
}

fn handlers(view: &ImportView) -> Value {
    serde_json::from_str(view.handlers.as_deref().unwrap()).unwrap()
}

fn rules(all: &Value) -> Value {
    let file = json!({ "fixtures": all });
    handlers(&read(&[("rules.json", &file)]))["handlers"]["agent"]["rules"].clone()
}

#[test]
fn a_fixture_is_a_rule() {
    let all = json!([
        {"match": {"userMessage": "/hello/"}, "response": {"content": "Hi {{ you }}"}},
        {"match": {"hasToolResult": true}, "response": {"error": {"message": "no"}, "status": 503}},
        {"match": {}, "response": {"toolCalls": [{"name": "f", "arguments": "{\"n\":1}"}]}},
    ]);
    let wanted = json!([
        {"when": {"last_user_contains": "/hello/"}, "respond": "Hi {{ '{{' }} you }}"},
        {"when": {"last_role": "tool"},
            "handler": {"type": "fail", "error": {"type": "server_error", "message": "no", "status": 503}}},
        {"respond": {"tool_calls": [{"name": "f", "arguments": {"n": 1}}]}},
    ]);
    assert_eq!(rules(&all), wanted);
    let text = json!({"fixtures": all}).to_string();
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "aimock-fixtures");
}

#[test]
fn a_sequence_is_a_queue_and_what_never_answers_is_reported() {
    let one = |number: i64, content: &str| json!({"match": {"userMessage": "a", "sequenceIndex": number}, "response": {"content": content}});
    let file = json!({"fixtures": [one(1, "b"), one(0, "a"), one(3, "d"), one(0, "again")]});
    let view = read(&[("rules.json", &file)]);
    let wanted =
        json!([{"when": {"last_user_contains": "a"}, "handler": {"type": "queue", "responses": ["a", "b"]}}]);
    assert_eq!(handlers(&view)["handlers"]["agent"]["rules"], wanted);
    assert!(
        view.rendered.contains("there is no fixture before number 3 of this sequence"),
        "{}",
        view.rendered
    );
}

/// A fixture that no rule can say is left out, and nothing of it is lost.
#[test]
fn what_has_no_place_is_kept() {
    let unusual = json!([
        {"match": {"inputText": "x"}, "response": {"embedding": [1.5]}},
        {"match": {"endpoint": "image"}, "response": {"image": {"url": "u"}}},
        {"match": {"userMessage": 5}, "response": {"content": "x"}},
        {"match": {"turnIndex": "first"}, "response": {"content": "x"}},
        {"match": {"userMessage": "x"}, "response": {}},
        {"match": []},
        "nothing",
        null,
        {"match": {"userMessage": "y"}, "response": {"content": "y"}, "latency": 3, "chaos": {"dropRate": 1}},
    ]);
    let file = json!({"fixtures": unusual, "$comment": "by hand"});
    let view = read(&[("rules.json", &file)]);
    assert_eq!((view.files[0].report.entries, view.files[0].report.kept.len()), (9, 8));
    let document = handlers(&view);
    assert_eq!(
        document["handlers"]["agent"]["rules"],
        json!([{"when": {"last_user_contains": "y"}, "respond": "y"}])
    );
    let recording = &document["metadata"]["recording"];
    assert_eq!(recording["head"], json!([{"$comment": "by hand"}]));
    let kept = recording["kept"].as_array().unwrap();
    let of = |path: &str| kept.iter().find(|one| one["path"] == path).map(|one| &one["entry"]);
    for at in 0..7 {
        assert_eq!(of(&format!("fixtures[{at}]")), Some(&unusual[at]), "{at}");
    }
    assert_eq!((of("fixtures[8].latency"), of("fixtures[8].chaos.dropRate")), (Some(&json!(3)), None));
    assert_eq!(of("fixtures[8].chaos"), Some(&json!({"dropRate": 1})));
    assert!(view.problem.is_some() && view.text.is_none());
}

/// aimock reads a folder by name, its files before those of the folders in it.
#[test]
fn files_of_a_folder_are_read_in_the_order_of_aimock() {
    let file = |content: &str| json!({"fixtures": [{"match": {}, "response": {"content": content}}]});
    let (one, two, three) = (file("1"), file("2"), file("3"));
    let view = read(&[("f/a/x.json", &three), ("f/b.json", &two), ("f/a.json", &one)]);
    let rules = &handlers(&view)["handlers"]["agent"]["rules"];
    assert_eq!(rules, &json!([{"respond": "1"}, {"respond": "2"}, {"respond": "3"}]));
    assert_eq!(view.files.len(), 3);
}

#[test]
fn a_recorded_conversation_is_a_transcript() {
    let one = |turn: i64, user: &str, tool: bool, response: Value| {
        let matched = json!({"userMessage": user, "model": "m", "turnIndex": turn, "hasToolResult": tool});
        json!({"fixtures": [{"match": matched, "response": response}]})
    };
    let first = one(
        0,
        "The weather?",
        false,
        json!({"toolCalls": [{"name": "look", "arguments": "{}", "id": "c1"}]}),
    );
    let second = one(1, "The weather?", true, json!({"content": "Sunny"}));
    let third = one(2, "Thanks", false, json!({"content": "Bye", "reasoning": "Be short"}));
    let view = read(&[("r/c.json", &third), ("r/a.json", &first), ("r/b.json", &second)]);
    assert_eq!(view.problem, None);
    let text = view.text.unwrap();
    let errors = Document::open(&text, &Limits::default());
    assert!(
        errors
            .diagnostics()
            .iter()
            .all(|found| found.severity != transcript_core::diagnostic::Severity::Error),
        "{text}"
    );
    let turns = view.transcript["execution"].as_array().unwrap();
    let kinds: Vec<&str> = turns.iter().map(|turn| turn["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["llm_call", "llm_call", "message", "llm_call"]);
    assert_eq!(turns[0]["message_created"]["metadata"]["unanswered"], json!(["c1"]));
    assert_eq!(turns[3]["llm_response"]["reasoning"], "Be short");
    assert!(view.rendered.contains("the fixtures have no results for the calls before this response"));
}

#[test]
fn what_is_no_list_of_fixtures_is_none() {
    for text in
        ["{}", "{\"fixtures\": []}", "{\"fixtures\": {}}", "{\"fixtures\": [1]}", "fixtures: 5", "", "[]"]
    {
        let refusal = read_as("aimock", &[LogFile { path: "", text }]).unwrap_err();
        assert!(refusal.extras.handlers.is_none(), "{text}");
    }
}
