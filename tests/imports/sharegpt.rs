//! Conversations in the form of ShareGPT.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, diagnostic_lines, errors, fixture, outline, why};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "data.json", text }], &options).unwrap()
}

fn one(conversations: Value) -> Value {
    json!({ "conversations": conversations })
}

#[test]
fn each_conversation_of_a_file_is_a_run() {
    let text = fixture("sharegpt.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("sharegpt-conversations", "certain"));
    let all = import(&text, None);
    assert_eq!(all.sessions, ["weather-1", "conversation-2"]);
    assert_eq!(all.first_words, ["How warm is it in Bern?", "Hello?"]);
    assert!(why(&all).starts_with("the file has 2 conversations: `weather-1` (\"How warm"), "{}", why(&all));

    let view = import(&text, Some("weather-1"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are a helpful assistant.",
            "user: How warm is it in Bern?",
            r#"calls get_weather({"city": "Bern"})"#,
            r#"get_weather -> {"celsius": 21}"#,
            "says: It is 21 °C in Bern.",
        ]
    );
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    assert_eq!(view.transcript["agent_config"]["tools"][0]["name"], "get_weather");
    assert_eq!(view.transcript["metadata"]["recording"]["example"]["source"], "by hand");
}

#[test]
fn an_unknown_role_is_kept_in_the_metadata_and_reported() {
    let view = import(&fixture("sharegpt.json"), Some("conversation-2"));
    assert_eq!(outline(&view.transcript), ["system: Be brief.", "user: Hello?", "says: Hi!"]);
    assert_eq!(diagnostic_lines(&view), ["T903 18: unknown role `narrator`; it is kept in `metadata`"]);
    let kept = &view.transcript["metadata"]["recording"]["kept"][0]["entry"];
    assert_eq!(kept, &json!({"from": "narrator", "value": "A pause."}));
    // Such a file may be another one.
    let text = one(json!([{"from": "narrator", "value": "A pause."}])).to_string();
    assert_eq!(detection(text.as_bytes(), &Limits::default()).confidence, "likely");
}

#[test]
fn one_conversation_and_lines_of_them_are_read() {
    let chat = one(json!([{"from": "human", "value": "Hi"}, {"from": "bard", "value": "Hello!"}]));
    let lines = format!("{chat}\n{chat}\n");
    for (text, count) in
        [(chat.to_string(), 1), (serde_json::to_string_pretty(&chat).unwrap(), 1), (lines, 2)]
    {
        assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "sharegpt-conversations", "{text}");
        let view = import(&text, Some("conversation-1"));
        assert_eq!((view.sessions.len(), errors(&view.transcript)), (count, Vec::new()), "{text}");
        assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"], "{text}");
    }
    // Messages in other words are no such file.
    let other = one(json!([{"role": "user", "content": "Hi"}])).to_string();
    assert_ne!(detection(other.as_bytes(), &Limits::default()).kind, "sharegpt-conversations");
}

#[test]
fn several_calls_have_their_results_in_their_order() {
    let calls = json!([{"name": "a", "arguments": {"n": 1}}, {"name": "b", "arguments": "{\"n\": 2}"}]);
    let chat = one(json!([
        {"from": "human", "value": "Go"},
        {"from": "function_call", "value": calls.to_string()},
        {"from": "tool", "value": "one"},
        {"from": "observation", "value": "two"},
        {"from": "function_call", "value": "no JSON"},
        {"from": "gpt", "value": "Done"},
    ]));
    let view = import(&serde_json::to_string_pretty(&chat).unwrap(), None);
    let outline = outline(&view.transcript);
    assert_eq!(outline[2..4], ["a -> one", "b -> two"], "{outline:?}");
    assert_eq!(outline.last().unwrap(), "says: Done");
    assert!(
        diagnostic_lines(&view)[0].contains("the value of `function_call` cannot be read"),
        "{:?}",
        diagnostic_lines(&view)
    );
}

#[test]
fn nothing_of_an_example_is_lost() {
    // Without an answer no request has the tools.
    let mut open = one(json!([{"from": "human", "value": "Hi"}]));
    open["tools"] = json!([{"name": "f", "parameters": {}}]);
    let view = import(&open.to_string(), None);
    assert_eq!(view.transcript["metadata"]["recording"]["example"]["tools"], open["tools"]);
    // A conversation that is no list is none.
    let text =
        json!([one(json!([{"from": "human", "value": "Hi"}])), {"id": "b", "conversations": "raw text"}])
            .to_string();
    let view = import(&text, None);
    assert_eq!(view.transcript["metadata"]["recording"]["kept"][0]["entry"]["conversations"], "raw text");
    assert_eq!(diagnostic_lines(&view), ["T903 1: this is not a conversation; it is kept in `metadata`"]);
    // Other keys of messages and calls.
    let chat = one(json!([
        {"from": "human", "value": "Hi", "content": "Hello", "weight": 1},
        {"from": "function_call", "value": "{\"id\": \"c7\", \"name\": \"f\", \"arguments\": {}, \"score\": 0.5}"},
        {"from": "gpt", "content": "Bye"},
    ]));
    let options = ImportOptions { from: Some("sharegpt".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "data.json", text: &chat.to_string() }], &options).unwrap();
    let text = view.transcript.to_string();
    for kept in
        ["\"content\":\"Hello\"", "\"weight\":1", "\"id\":\"c7\"", "\"score\":0.5", "\"content\":\"Bye\""]
    {
        assert!(text.contains(kept), "{kept} is not in {text}");
    }
    assert_eq!(
        diagnostic_lines(&view)[0],
        "T903 1: the message of `gpt` has no `value`; it is kept in `metadata`"
    );
}

#[test]
fn names_that_meet_stay_apart() {
    let example = |id: &str| json!({"id": id, "conversations": [{"from": "human", "value": "Hi"}]});
    let view = import(&json!([example("a-3"), example("a"), example("a")]).to_string(), None);
    assert_eq!(view.sessions, ["a-3", "a", "a-3-3"]);
}

#[test]
fn of_a_pair_of_answers_the_preferred_one_is_the_run() {
    let mut chat = one(json!([{"from": "human", "value": "Hi"}]));
    chat["chosen"] = json!({"from": "gpt", "value": "Hello!"});
    chat["rejected"] = json!({"from": "gpt", "value": "Go away."});
    let view = import(&chat.to_string(), None);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    assert_eq!(view.transcript["metadata"]["recording"]["example"]["rejected"]["value"], "Go away.");
}

#[test]
fn tags_in_the_text_are_calls_and_results() {
    let view = import(&fixture("sharegpt-hermes.json"), Some("trip"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript)[1..],
        [
            "user: Is Bern or Oslo warmer?",
            r#"calls get_weather({"city": "Bern"}), get_weather({"city": "Oslo"})"#,
            r#"get_weather -> {"celsius": 21}"#,
            r#"get_weather -> {"celsius": 9.5}"#,
            "calls get_time({})",
            "get_time -> 12:30",
            "says: Bern is warmer: 21 °C at 12:30.",
        ]
    );
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(response["content"], "I will look up both cities.");
    assert_eq!(view.transcript["execution"][2]["message_created"]["metadata"]["unit"], "metric");
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_tag_that_cannot_be_read_stays_in_the_text() {
    let view = import(&fixture("sharegpt-hermes.json"), Some("broken"));
    // The result of the call that cannot be read has no call.
    assert_eq!(errors(&view.transcript), ["T203: a tool result has no call id"]);
    let call = "<tool_call>\n{\"name\": \"search\", \"arguments\":\n</tool_call>";
    assert_eq!(
        outline(&view.transcript),
        ["user: Look it up.", &format!("says: {call}"), "tool: Nothing found.", "says: I found nothing."]
    );
    let mut reported = diagnostic_lines(&view);
    reported.sort();
    assert_eq!(
        reported,
        [
            "T903 27: a `<tool_call>` of this message cannot be read; it stays in the text",
            "T905 28: this result has no earlier call",
        ]
    );
}

#[test]
fn text_around_calls_and_lists_without_calls_are_kept() {
    let call = r#"<tool_call>{"name": "now", "arguments": {}}</tool_call>"#;
    let conversation = |value: &str| {
        let turns = json!([{"from": "human", "value": "Hi"}, {"from": "gpt", "value": value}]);
        import(&json!([{"conversations": turns}]).to_string(), None).transcript
    };
    let first_turn = |value: &str| conversation(value)["execution"][0].clone();
    let (before, after) = (format!("First.\n{call}"), format!("First.\n{call}\nThen."));
    assert_eq!(first_turn(&before)["llm_response"]["content"], "First.");
    assert!(!first_turn(&before).to_string().contains("<tool_call>"));
    assert_eq!(first_turn(&after)["llm_response"]["content"], "First.\n\nThen.");
    assert!(first_turn(&after).to_string().contains(&json!(after).to_string()), "the order is kept");
    let empty = conversation("<tool_call>[]</tool_call>");
    assert_eq!(outline(&empty), ["user: Hi", "says: <tool_call>[]</tool_call>"]);
}

#[test]
fn a_result_without_a_call_may_be_data() {
    let turns = json!([{"from": "human", "value": "Hi"}, {"from": "tool", "value": {"temp": 21}}]);
    let view = import(&json!([{"conversations": turns}]).to_string(), None);
    assert_eq!(outline(&view.transcript), ["user: Hi", r#"tool: {"temp": 21}"#]);
}
