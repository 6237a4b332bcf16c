//! Messages of Pydantic AI.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn requests_and_responses_are_a_run() {
    let view = import_session("pydantic-ai-messages", &fixture("platforms/pydantic-ai.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript)[3..],
        [
            r#"calls read_bed({"bed": "north"}), read_bed({"bed": "west"})"#,
            r#"read_bed -> {"plants": ["thyme", "sage"]}"#,
            "read_bed fails: There is no bed `west`.",
            r#"calls web_search({"query": "thyme"})"#,
            r#"web_search -> [{"title": "Thyme", "url": "https://example.com/thyme"}]"#,
            r#"user: [{"type": "json_invalid", "loc": [], "msg": "Invalid JSON", "input": "Thyme and sage."}]"#,
            r#"calls final_result({"plants": ["thyme", "sage"]})"#,
            "final_result -> Final result processed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let first = view.transcript["initial_state"]["message_store"].as_array().unwrap();
    let contents: Vec<_> = first.iter().map(|message| (&message["role"], &message["content"])).collect();
    // Instructions are sent with each request, and are one message.
    let system = json!("system");
    assert_eq!(contents[0], (&system, &json!("Answer in one sentence.")));
    assert_eq!(contents[1], (&system, &json!("You keep a garden diary.")));
    let parts = json!([
        {"type": "text", "text": "Which plants are on these pictures?"},
        {"type": "image", "url": "https://example.com/bed.png", "media_type": "image/png", "identifier": "b86daf"},
        {"type": "file", "data": "iVBORw0KGgo=", "media_type": "image/png", "identifier": "4caece"},
    ]);
    assert_eq!(contents[2], (&json!("user"), &parts));
}

#[test]
fn a_response_has_its_usage_and_the_rest_in_its_metadata() {
    let view = import_session("pydantic-ai-messages", &fixture("platforms/pydantic-ai.json"));
    let turns = &view.transcript["execution"];
    let response = &turns[0]["llm_response"];
    assert_eq!(response["content"], "I look up both beds.");
    assert_eq!(response["reasoning"], "One bed has herbs.");
    assert_eq!(response["model"], "claude-sonnet-4-5-20250929");
    assert_eq!((&response["id"], &response["finish_reason"]), (&json!("msg_1"), &json!("tool_call")));
    // What is cached and what is thought is a part of input and output.
    let usage = json!({"input_tokens": 420, "output_tokens": 64,
        "input_tokens_details": {"cached_tokens": 300, "cache_creation": 80},
        "output_tokens_details": {"reasoning_tokens": 20}});
    assert_eq!(response["usage"], usage);
    let metadata = &response["metadata"];
    assert_eq!(metadata["usage"], json!({"details": {"service_tier_requests": 3}}));
    assert_eq!(metadata["provider_url"], "https://api.anthropic.com");
    let signed = json!({"type": "thinking", "signature": "c2lnbmVk", "provider_name": "anthropic"});
    assert_eq!(metadata["parts"], json!([signed]));
    assert_eq!(turns[0]["timestamp"], "2026-04-14T07:30:02.000000Z");
    assert_eq!(turns[1]["timestamp"], "2026-04-14T07:30:02.500000Z");
    let failed = &turns[2]["message_created"]["metadata"];
    assert_eq!((&failed["outcome"], &failed["retry"]["attempt"]), (&json!("retried"), &json!(1)));
}

fn request(parts: &Value) -> Value {
    json!({"parts": parts, "kind": "request"})
}

#[test]
fn messages_of_older_versions_are_read() {
    let prompt = json!({"content": "Go", "timestamp": "2025-02-01T09:00:00Z", "part_kind": "user-prompt"});
    let call = json!({"tool_name": "add", "args": {"a": 1}, "tool_call_id": "c", "part_kind": "tool-call"});
    let missing = json!([{"type": "missing", "loc": ["b"], "msg": "Field required"}]);
    let retry =
        json!({"content": missing, "tool_name": "add", "tool_call_id": "c", "part_kind": "retry-prompt"});
    let told = json!({"content": "Call a tool.", "tool_name": null, "tool_call_id": "d", "part_kind": "retry-prompt"});
    let usage = json!({"requests": 1, "request_tokens": 9, "response_tokens": 4, "total_tokens": 13,
        "details": {"reasoning_tokens": 2}});
    let response = |parts: Value| json!({"parts": parts, "usage": usage, "model_name": "gpt-4o", "vendor_id": "r", "kind": "response"});
    let text = json!([
        request(&json!([prompt])),
        response(json!([call])),
        request(&json!([retry])),
        response(json!([{"content": "No.", "part_kind": "text"}])),
        request(&json!([told])),
    ]);
    let view = import_session("pydantic-ai-messages", &text.to_string());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            r#"calls add({"a": 1})"#,
            r#"add fails: [{"type": "missing", "loc": ["b"], "msg": "Field required"}]"#,
            "says: No.",
            "user: Call a tool.",
        ]
    );
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(response["id"], "r");
    let usage =
        json!({"input_tokens": 9, "output_tokens": 4, "output_tokens_details": {"reasoning_tokens": 2}});
    assert_eq!(response["usage"], usage);
}

#[test]
fn instructions_alone_are_a_request() {
    let request = |instructions: &str| json!({"parts": [], "instructions": instructions, "kind": "request", "run_id": "r"});
    let response =
        |text: &str| json!({"parts": [{"content": text, "part_kind": "text"}], "kind": "response"});
    let text = json!([
        request("Say a number."),
        response("One."),
        request("Say a number."),
        response("Two."),
        request("Say a word."),
        response("Three."),
    ]);
    let view = import_session("pydantic-ai-messages", &serde_json::to_string_pretty(&text).unwrap());
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["system: Say a number.", "says: One.", "says: Two.", "system: Say a word.", "says: Three."]
    );
    let first = &view.transcript["initial_state"]["message_store"][0];
    assert_eq!(first["metadata"]["run_id"], "r");
    assert_eq!(view.files[0].report.kept.len(), 1);
}

#[test]
fn parts_of_unknown_kinds_are_kept() {
    let delta = json!({"tools_added": ["add"], "part_kind": "tool-availability-delta"});
    let prompt = json!({"content": "Go", "part_kind": "user-prompt"});
    let text = json!([request(&json!([delta, prompt])), request(&json!([delta]))]);
    let view = import_session("pydantic-ai-messages", &serde_json::to_string_pretty(&text).unwrap());
    checked(&view);
    let user = &view.transcript["initial_state"]["message_store"][0];
    assert_eq!(user["metadata"]["parts"][0]["tools_added"], json!(["add"]));
    assert_eq!(view.transcript["metadata"]["recording"]["kept"].as_array().map(Vec::len), Some(1));
}

#[test]
fn files_in_contents_are_parts() {
    let binary = |data: &str| json!({"data": data, "media_type": "image/png", "kind": "binary"});
    let uploaded = json!({"file_id": "file-1", "provider_name": "openai", "kind": "uploaded-file"});
    let marked = json!({"content": "See.", "metadata": {"page": 1}, "kind": "text-content"});
    let prompt = json!({"content": [marked, uploaded], "part_kind": "user-prompt"});
    let call = json!({"tool_name": "draw", "args": null, "tool_call_id": "c", "part_kind": "tool-call"});
    let drawn = json!({"tool_name": "draw", "content": binary("-_8="), "tool_call_id": "c", "part_kind": "tool-return"});
    let text = json!([
        request(&json!([prompt])),
        {"parts": [call], "kind": "response"},
        request(&json!([drawn])),
    ]);
    let transcript = import_session("pydantic-ai-messages", &text.to_string()).transcript;
    let user = &transcript["initial_state"]["message_store"][0]["content"];
    assert_eq!(user[0], json!({"type": "text", "metadata": {"page": 1}, "text": "See."}));
    assert_eq!(user[1], json!({"type": "file", "file_id": "file-1", "provider_name": "openai"}));
    let turns = &transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["tool_calls"][0]["function"]["arguments"], "{}");
    // Bytes are written in the letters for addresses.
    let picture = json!([{"type": "file", "data": "+/8=", "media_type": "image/png"}]);
    assert_eq!(turns[1]["message_created"]["content"], picture);
}

#[test]
fn runs_one_a_line_are_one_session() {
    let run = |prompt: &str| {
        let prompt = json!({"content": prompt, "part_kind": "user-prompt"});
        json!([request(&json!([prompt])), {"parts": [{"content": "Yes.", "part_kind": "text"}], "kind": "response"}])
    };
    let odd = json!([{"parts": [], "kind": "odd"}]);
    let text = format!("{}\n{}\n{odd}\n", run("One?"), run("Two?"));
    let view = import_session("pydantic-ai-messages", &text);
    assert_eq!(outline(&view.transcript), ["user: One?", "says: Yes.", "user: Two?", "says: Yes."]);
    let kept = &view.transcript["metadata"]["recording"]["kept"];
    assert_eq!(*kept, json!([{"line": 3, "entry": {"parts": [], "kind": "odd"}}]));
}

#[test]
fn a_list_of_runs_is_one_run() {
    let message = |kind: &str, part: &str, text: &str| json!({"kind": kind, "parts": [{"part_kind": part, "content": text}]});
    let run = |question: &str, answer: &str| {
        json!([message("request", "user-prompt", question), message("response", "text", answer)])
    };
    let runs = [run("Hi", "Hello!"), run("Sure?", "Yes.")];
    let lines: String = runs.iter().map(|run| format!("{run}\n")).collect();
    for text in [json!(runs).to_string(), lines] {
        let view = import_session("pydantic-ai-messages", &text);
        assert_eq!(
            outline(&view.transcript),
            ["user: Hi", "says: Hello!", "user: Sure?", "says: Yes."],
            "{text}"
        );
    }
}

#[test]
fn messages_of_others_are_not_taken() {
    let found = |messages: &Value| detection(messages.to_string().as_bytes(), &Limits::default()).kind;
    let parts = json!([{"type": "text", "text": "Hi", "part_kind": "text"}]);
    assert_ne!(found(&json!([{"role": "user", "parts": parts}])), "pydantic-ai-messages");
    let parts = json!([{"type": "text", "text": "part_kind"}, {"part_kind": "text"}]);
    assert_ne!(found(&json!([{"kind": "request", "parts": parts}])), "pydantic-ai-messages");
}
