//! Conversations of Claude.ai.

use serde_json::json;

use crate::{checked, fixture, import_session, outline};

#[test]
fn the_branch_of_the_last_message_is_the_run() {
    let view = import_session("claude-ai-conversations", &fixture("platforms/claude-ai.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Write a note.",
            r#"calls artifacts({"command": "create", "content": "A note."})"#,
            "artifacts -> OK",
            "user: Thanks.",
        ]
    );
    assert_eq!(view.transcript["metadata"]["name"], "A note");
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["kept"][0]["entry"]["text"], "Which one?");
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&response["reasoning"], &response["content"]),
        (&json!("A short one."), &json!("Here it is."))
    );
    let user = &view.transcript["initial_state"]["message_store"][0];
    assert_eq!(user["metadata"]["attachments"][0]["extracted_content"], "An old note.");
}

#[test]
fn chats_that_another_program_saved_are_read() {
    let message = |id: &str, parent: &str, role: &str, message: &str| json!({"id": id, "parentMessageId": parent, "role": role, "message": message});
    let messages = json!([message("a", "0", "User", "Hi"), message("b", "a", "Claude", "Hello!")]);
    let text = json!({"messages": messages, "createdAt": 1_772_442_000_000_u64, "id": "c"}).to_string();
    let view = import_session("claude-ai-conversations", &text);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
}
