//! Gemini chats: the history of a client, requests and their answers, and what AI Studio saves.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

fn import(text: &str) -> ImportView {
    let view = import_session("gemini-contents", text);
    checked(&view);
    view
}

#[test]
fn the_history_of_a_client_is_a_run() {
    let view = import(&fixture("chats/gemini-history.json"));
    let run = &view.transcript;
    let user = &run["initial_state"]["message_store"][0]["content"];
    assert_eq!(user[0]["text"], "How warm is it in Bern?");
    assert_eq!((&user[1]["type"], &user[1]["file_uri"]), (&json!("file"), &json!("files/map")));
    // Contents of the model that follow each other are pieces of one answer.
    assert_eq!(
        outline(run)[1..],
        [r#"calls weather({"city": "Bern"})"#, "weather -> 12 degrees", "says: It is 12 degrees."]
    );
    let answer = &run["execution"][0]["llm_response"];
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("I look. "), &json!("The tool knows.")));
    assert_eq!(answer["metadata"]["parts"][0]["thought_signature"], "c2lnbmVk");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn instructions_of_ai_studio_are_parts_or_a_text() {
    let mut chat: Value = serde_json::from_str(&fixture("chats/ai-studio.json")).unwrap();
    chat["systemInstruction"] = json!({"text": "Be kind."});
    let view = import_session("gemini-contents", &chat.to_string());
    assert_eq!(outline(&view.transcript)[0], "system: Be kind.");
    assert_eq!(view.transcript["metadata"]["recording"]["entry"].get("systemInstruction"), None);
}

#[test]
fn a_chat_of_ai_studio_is_a_run() {
    let view = import_session("gemini-contents", &fixture("chats/ai-studio.json"));
    assert_eq!((diagnostic_lines(&view), view.files[0].report.used.len()), (Vec::new(), 1));
    let run = &view.transcript;
    let outline = outline(run);
    assert_eq!(outline[0], "system: Be brief.");
    assert!(outline[1].contains("1Drive"), "{outline:?}");
    assert_eq!(
        outline[2..],
        ["user: What does it say?", "says: It says hello.", "user: Thanks.", "says: You are welcome."]
    );
    let answer = &run["execution"][0]["llm_response"];
    assert_eq!(
        (&answer["reasoning"], &answer["finish_reason"]),
        (&json!("I read it first."), &json!("STOP"))
    );
    assert_eq!(answer["metadata"]["contents"], json!([{"tokenCount": 4}, {"tokenCount": 6}]));
    let config = &run["agent_config"];
    assert_eq!(config["model"], "models/gemini-2.5-pro");
    assert_eq!(config["max_tokens"], 8192);
    // No setting that all vendors share.
    assert_eq!(run["execution"][0]["llm_config"]["top_k"], 64);
    let recording = &run["metadata"]["recording"];
    assert_eq!(recording["entry"]["pendingInputs"][0]["text"], "One more thing");
    assert_eq!(recording["request"]["safety_settings"][0]["threshold"], "OFF");
}

#[test]
fn requests_and_their_answers_are_a_run() {
    let content = |role: &str, part: Value| json!({"role": role, "parts": [part]});
    let question = content("user", json!({"text": "Hi"}));
    let piece = |text: &str| json!({"candidates": [{"content": content("model", json!({"text": text}))}]});
    let request = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [question],
        "generationConfig": {"temperature": 0.5},
    });
    let view = import(&request.to_string());
    assert_eq!(outline(&view.transcript), ["system: Be brief.", "user: Hi"]);
    // A stream that is no stream of events is a list.
    for answer in [json!([piece("Hel"), piece("lo!")]), piece("Hello!")] {
        let view = import(&json!({"request": request, "response": answer}).to_string());
        assert_eq!(outline(&view.transcript), ["system: Be brief.", "user: Hi", "says: Hello!"]);
        assert_eq!(view.transcript["agent_config"]["temperature"], 0.5);
    }
}

#[test]
fn what_is_no_gemini_chat_is_none() {
    for text in [
        json!([{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]),
        json!({"contents": ["a.txt"], "parts": 2}),
        json!({"chunkedPrompt": "none"}),
    ] {
        assert_ne!(
            detection(text.to_string().as_bytes(), &Limits::default()).kind,
            "gemini-contents",
            "{text}"
        );
    }
    let options = ImportOptions { from: Some("gemini".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "a", text: "[{\"role\": \"user\"}]" }], &options).unwrap();
    assert_eq!(view.files[0].report.kept.len(), 1);
}
