//! Conversations of ChatGPT.

use serde_json::{Value, json};

use crate::{checked, fixture, import_session, outline};

#[test]
fn the_shown_branch_is_the_run() {
    let view = import_session("chatgpt-conversations", &fixture("platforms/chatgpt.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: What is in the picture?",
            r#"calls web.search({"query": "wet cats"})"#,
            "web.search -> Cats dislike rain.",
            "says: A wet cat.",
            "user: Thanks.",
        ]
    );
    assert_eq!(view.transcript["metadata"]["name"], "A cat in the rain");
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["kept"][1]["entry"]["message"]["content"]["parts"], json!(["A dog."]));
    let turns = &view.transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["reasoning"], "It has whiskers.");
    assert_eq!(turns[0]["llm_response"]["model"], "gpt-5-6");
    assert_eq!(turns[2]["llm_response"]["reasoning"], "Thought for 3s");
    assert_eq!(turns[2]["timestamp"], "2026-03-02T09:00:07.000Z");
    let user = &view.transcript["initial_state"]["message_store"][0];
    assert_eq!(user["metadata"]["content"]["parts"][0]["asset_pointer"], "file-service://cat");
}

#[test]
fn without_a_current_node_the_last_one_ends_the_branch() {
    let mut list: Value = serde_json::from_str(&fixture("platforms/chatgpt.json")).unwrap();
    let conversation = list[0].as_object_mut().unwrap();
    conversation.remove("current_node");
    let nodes = conversation["mapping"].as_object_mut().unwrap();
    nodes.retain(|id, _| ["n1", "n2", "n9"].contains(&id.as_str()));
    let view = import_session("chatgpt-conversations", &list.to_string());
    assert_eq!(outline(&view.transcript), ["user: What is in the picture?", "says: A dog."]);
}
