//! Recorded HTTP of Amazon Bedrock: Converse, whole and in frames, and models of Anthropic that are invoked.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

// Frames written by `@smithy/eventstream-codec` 4.5.2.
const CALLS: &str = "AAAAgAAAAFJRoV8jCzpldmVudC10eXBlBwAMbWVzc2FnZVN0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsicCI6ImFiYyIsInJvbGUiOiJhc3Npc3RhbnQiffKe2NoAAACZAAAAV0w7Xl8LOmV2ZW50LXR5cGUHABFjb250ZW50QmxvY2tEZWx0YQ06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbg06bWVzc2FnZS10eXBlBwAFZXZlbnR7ImNvbnRlbnRCbG9ja0luZGV4IjowLCJkZWx0YSI6eyJ0ZXh0IjoiSSBsb29rLiJ9fSobn7UAAAB9AAAAVuZoD9YLOmV2ZW50LXR5cGUHABBjb250ZW50QmxvY2tTdG9wDTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsiY29udGVudEJsb2NrSW5kZXgiOjB9sy5NNAAAAL8AAABXArqE+ws6ZXZlbnQtdHlwZQcAEWNvbnRlbnRCbG9ja1N0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsiY29udGVudEJsb2NrSW5kZXgiOjEsInAiOiJhYiIsInN0YXJ0Ijp7InRvb2xVc2UiOnsibmFtZSI6IndlYXRoZXIiLCJ0b29sVXNlSWQiOiJ0MSJ9fX0m9KaUAAAAtgAAAFcPquaKCzpldmVudC10eXBlBwARY29udGVudEJsb2NrRGVsdGENOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJjb250ZW50QmxvY2tJbmRleCI6MSwiZGVsdGEiOnsidG9vbFVzZSI6eyJpbnB1dCI6IntcImxvY2F0aW9uXCI6XCJPc2xvXCJ9In19fY/N+LcAAAB9AAAAVuZoD9YLOmV2ZW50LXR5cGUHABBjb250ZW50QmxvY2tTdG9wDTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsiY29udGVudEJsb2NrSW5kZXgiOjF9qjV8dQAAAL8AAABXArqE+ws6ZXZlbnQtdHlwZQcAEWNvbnRlbnRCbG9ja1N0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsiY29udGVudEJsb2NrSW5kZXgiOjIsInAiOiJhYiIsInN0YXJ0Ijp7InRvb2xVc2UiOnsibmFtZSI6IndlYXRoZXIiLCJ0b29sVXNlSWQiOiJ0MiJ9fX0t5/btAAAAtgAAAFcPquaKCzpldmVudC10eXBlBwARY29udGVudEJsb2NrRGVsdGENOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJjb250ZW50QmxvY2tJbmRleCI6MiwiZGVsdGEiOnsidG9vbFVzZSI6eyJpbnB1dCI6IntcImxvY2F0aW9uXCI6XCJSb21lXCJ9In19fY7PCCMAAAB9AAAAVuZoD9YLOmV2ZW50LXR5cGUHABBjb250ZW50QmxvY2tTdG9wDTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsiY29udGVudEJsb2NrSW5kZXgiOjJ9gRgvtgAAAHoAAABRyixGZQs6ZXZlbnQtdHlwZQcAC21lc3NhZ2VTdG9wDTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsic3RvcFJlYXNvbiI6InRvb2xfdXNlIn2dyymBAAAAtwAAAE5WoWf6CzpldmVudC10eXBlBwAIbWV0YWRhdGENOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJtZXRyaWNzIjp7ImxhdGVuY3lNcyI6ODEyfSwidXNhZ2UiOnsiaW5wdXRUb2tlbnMiOjUsIm91dHB1dFRva2VucyI6NywidG90YWxUb2tlbnMiOjEyfX1yeDpT";
const INVOKED: &str = "AAABTAAAAEvScyGcCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaWJXVnpjMkZuWlY5emRHRnlkQ0lzSW0xbGMzTmhaMlVpT25zaWFXUWlPaUp0YzJkZk1TSXNJblI1Y0dVaU9pSnRaWE56WVdkbElpd2ljbTlzWlNJNkltRnpjMmx6ZEdGdWRDSXNJbTF2WkdWc0lqb2lZMnhoZFdSbExYZ2lMQ0pqYjI1MFpXNTBJanBiWFN3aWRYTmhaMlVpT25zaWFXNXdkWFJmZEc5clpXNXpJam96TENKdmRYUndkWFJmZEc5clpXNXpJam94ZlgxOSIsInAiOiJhYmNkZWYiffse91YAAADkAAAAS1l4Jm4LOmV2ZW50LXR5cGUHAAVjaHVuaw06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbg06bWVzc2FnZS10eXBlBwAFZXZlbnR7ImJ5dGVzIjoiZXlKMGVYQmxJam9pWTI5dWRHVnVkRjlpYkc5amExOXpkR0Z5ZENJc0ltbHVaR1Y0SWpvd0xDSmpiMjUwWlc1MFgySnNiMk5ySWpwN0luUjVjR1VpT2lKMFpYaDBJaXdpZEdWNGRDSTZJaUo5ZlE9PSIsInAiOiJhYmNkZWYifWyOtU8AAADoAAAAS5yIy28LOmV2ZW50LXR5cGUHAAVjaHVuaw06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbg06bWVzc2FnZS10eXBlBwAFZXZlbnR7ImJ5dGVzIjoiZXlKMGVYQmxJam9pWTI5dWRHVnVkRjlpYkc5amExOWtaV3gwWVNJc0ltbHVaR1Y0SWpvd0xDSmtaV3gwWVNJNmV5SjBlWEJsSWpvaWRHVjRkRjlrWld4MFlTSXNJblJsZUhRaU9pSlRZV3gxZENKOWZRPT0iLCJwIjoiYWJjZGVmIn0pQaFAAAAAqAAAAEvEe5MmCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaVkyOXVkR1Z1ZEY5aWJHOWphMTl6ZEc5d0lpd2lhVzVrWlhnaU9qQjkiLCJwIjoiYWJjZGVmIn2tzV06AAABBAAAAEu68DIUCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaWJXVnpjMkZuWlY5a1pXeDBZU0lzSW1SbGJIUmhJanA3SW5OMGIzQmZjbVZoYzI5dUlqb2laVzVrWDNSMWNtNGlMQ0p6ZEc5d1gzTmxjWFZsYm1ObElqcHVkV3hzZlN3aWRYTmhaMlVpT25zaWIzVjBjSFYwWDNSdmEyVnVjeUk2TW4xOSIsInAiOiJhYmNkZWYifW67KdEAAADgAAAAS6z4gK4LOmV2ZW50LXR5cGUHAAVjaHVuaw06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbg06bWVzc2FnZS10eXBlBwAFZXZlbnR7ImJ5dGVzIjoiZXlKMGVYQmxJam9pYldWemMyRm5aVjl6ZEc5d0lpd2lZVzFoZW05dUxXSmxaSEp2WTJzdGFXNTJiMk5oZEdsdmJrMWxkSEpwWTNNaU9uc2lhVzV3ZFhSVWIydGxia052ZFc1MElqb3pmWDA9IiwicCI6ImFiY2RlZiJ9enXhUA==";
const THROTTLED: &str = "AAAAdgAAAFKW1freCzpldmVudC10eXBlBwAMbWVzc2FnZVN0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsicm9sZSI6ImFzc2lzdGFudCJ9b6jFmQAAAI4AAABhUUGAVA86ZXhjZXB0aW9uLXR5cGUHABN0aHJvdHRsaW5nRXhjZXB0aW9uDTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAlleGNlcHRpb257Im1lc3NhZ2UiOiJUb28gbWFueSB0b2tlbnMifcgbHsE=";

const HOST: &str = "https://bedrock-runtime.eu-west-1.amazonaws.com/model";

fn entry(path: &str, request: &Value, status: u64, content: Value) -> Value {
    json!({
        "startedDateTime": "2026-11-27T10:00:00.000Z",
        "request": {"method": "POST", "url": format!("{HOST}/{path}"), "postData": {"text": request.to_string()},
            "headers": [{"name": "authorization", "value": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261127/eu-west-1/bedrock/aws4_request, SignedHeaders=host, Signature=0123456789abcdef0123456789abcdef"}]},
        "response": {"status": status, "headers": [{"name": "x-amzn-errortype", "value": "ThrottlingException:http://internal.amazon.com/"}],
            "content": content},
    })
}

fn framed(frames: &str) -> Value {
    json!({"mimeType": "application/vnd.amazon.eventstream", "encoding": "base64", "text": frames})
}

fn import(entries: Vec<Value>) -> ImportView {
    let text = json!({"log": {"version": "1.2", "entries": entries}}).to_string();
    import_log(&[LogFile { path: "run.har", text: &text }], &ImportOptions::default()).unwrap()
}

#[test]
fn a_conversation_by_converse_becomes_turns() {
    let user = json!({"role": "user", "content": [{"text": "Where is it warmer?"}]});
    let call = |id: &str, place: &str| json!({"toolUse": {"toolUseId": id, "name": "weather", "input": {"location": place}}});
    let second = json!([
        user,
        {"role": "assistant", "content": [{"text": "I look."}, call("t1", "Oslo"), call("t2", "Rome")]},
        {"role": "user", "content": [
            {"toolResult": {"toolUseId": "t1", "content": [{"json": {"temp": 5}}]}},
            {"toolResult": {"toolUseId": "t2", "content": [{"text": "no station"}], "status": "error"}},
        ]},
    ]);
    let tool = json!({"toolSpec": {"name": "weather", "inputSchema": {"json": {"type": "object"}}}});
    let request = |messages: &Value| {
        json!({
            "messages": messages, "toolConfig": {"tools": [tool]}, "system": [{"text": "Be kind"}],
            "inferenceConfig": {"temperature": 0.5, "maxTokens": 9},
        })
    };
    let answer = json!({
        "output": {"message": {"role": "assistant", "content": [{"text": "In Oslo."}]}}, "stopReason": "end_turn",
        "usage": {"inputTokens": 20, "outputTokens": 3, "totalTokens": 23}, "metrics": {"latencyMs": 300},
    });
    let view = import(vec![
        entry("eu.amazon.nova-pro-v1%3A0/converse-stream", &request(&json!([user])), 200, framed(CALLS)),
        entry(
            "eu.amazon.nova-pro-v1%3A0/converse",
            &request(&second),
            200,
            json!({"text": answer.to_string()}),
        ),
    ]);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be kind",
            "user: Where is it warmer?",
            "calls weather({\"location\": \"Oslo\"}), weather({\"location\": \"Rome\"})",
            "weather -> {\"temp\": 5}",
            "weather fails: no station",
            "says: In Oslo."
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["model"], &config["temperature"]), (&json!("eu.amazon.nova-pro-v1:0"), &json!(0.5)));
    assert_eq!(config["tools"], json!([{"name": "weather", "parameters": {"type": "object"}}]));
    let first = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&first["content"], &first["finish_reason"]), (&json!("I look."), &json!("tool_use")));
    assert_eq!(first["usage"]["totalTokens"], 12);
    assert!(!view.text.unwrap().contains("AKIA"));
}

/// VCR.py has the bytes of a stream as `!!binary`.
#[test]
fn a_model_of_anthropic_that_is_invoked_is_read_and_another_is_kept() {
    let text = format!(
        "\
interactions:
- request:
    headers: {{}}
    method: POST
    body: '{{\"anthropic_version\": \"bedrock-2023-05-31\", \"max_tokens\": 9, \"messages\": [{{\"role\": \"user\", \"content\": \"Bonjour\"}}]}}'
    uri: {HOST}/anthropic.claude-x-v1%3A0/invoke-with-response-stream
  response:
    headers: {{}}
    body:
      string: !!binary |
        {INVOKED}
    status: {{code: 200, message: OK}}
- request:
    headers: {{}}
    method: POST
    body: '{{\"messages\": [{{\"role\": \"user\", \"content\": \"Hi\"}}]}}'
    uri: {HOST}/mistral.large/invoke
  response:
    headers: {{}}
    body: {{string: '{{}}'}}
    status: {{code: 200, message: OK}}
version: 1
"
    );
    let files = [LogFile { path: "cassette.yaml", text: &text }];
    let view = import_log(&files, &ImportOptions::default()).unwrap();
    assert_eq!(outline(&view.transcript), ["user: Bonjour", "says: Salut"]);
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["model"], &config["max_tokens"]), (&json!("anthropic.claude-x-v1:0"), &json!(9)));
    assert_eq!(config.get("anthropic_version"), None);
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(answer["usage"], json!({"input_tokens": 3, "output_tokens": 2}));
    assert!(view.transcript["metadata"]["recording"].to_string().contains("mistral.large/invoke"));
}

#[test]
fn failures_have_the_type_of_their_header_or_of_their_frame() {
    let request = json!({"messages": [{"role": "user", "content": [{"text": "Hi"}]}]});
    let view = import(vec![
        entry("m/converse", &request, 429, json!({"text": "{\"message\": \"Slow down\"}"})),
        entry("m/converse-stream", &request, 200, framed(THROTTLED)),
    ]);
    let turns = &view.transcript["execution"];
    let failed = |at: usize| {
        let error = &turns[at]["llm_error"];
        (error["type"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
    };
    assert_eq!(failed(0), ("ThrottlingException".to_owned(), "Slow down".to_owned()));
    assert_eq!(failed(1), ("throttlingException".to_owned(), "Too many tokens".to_owned()));
}
