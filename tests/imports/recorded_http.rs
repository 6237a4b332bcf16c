//! Interactions of recorded HTTP that are dropped, doubled, swapped or reversed: each sentence of those that are left is in a
//! run or next to it, whichever recorder wrote them.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::ImportOptions;

use crate::cut_runs::run_faults;
use crate::leaves;
use crate::mutations::changes;
use crate::texts::transcripts;

/// A recorded call: its path, its request and its response.
struct Call(&'static str, Value, String);

/// A question with a tool call, another service, a question with a stream as the response, and a failed call.
fn calls() -> Vec<Call> {
    let path = "/v1/chat/completions";
    let user = |text: &str| json!({"role": "user", "content": text});
    let tool_call = json!({"role": "assistant", "content": "I look at the sky.", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"at\": \"the sky\"}"}}]});
    let result = json!({"role": "tool", "tool_call_id": "c1", "content": "A grey cloud."});
    let request = |messages: Value| json!({"model": "m", "messages": messages});
    let whole = |message: &Value| json!({"choices": [{"index": 0, "message": message}]}).to_string();
    let answer = json!({"role": "assistant", "content": "Yes, take a coat."});
    let chunk =
        json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": "It is a dream."}}]});
    vec![
        Call(path, request(json!([user("Will it rain?")])), whole(&tool_call)),
        Call(path, request(json!([user("Will it rain?"), tool_call, result])), whole(&answer)),
        Call("/v1/flags", json!({"of": "some other service"}), json!({"flag": "switched on"}).to_string()),
        Call(path, request(json!([user("What is life?")])), format!("data: {chunk}\n\ndata: [DONE]\n\n")),
        Call(
            path,
            request(json!([user("Are you there?")])),
            json!({"error": {"type": "rate_limit", "message": "Too many requests."}}).to_string(),
        ),
    ]
}

/// The sentences of the call at that place.
fn sentences(at: usize) -> &'static [&'static str] {
    match at {
        0 => &["Will it rain?", "I look at the sky."],
        1 => &["Will it rain?", "I look at the sky.", "A grey cloud.", "Yes, take a coat."],
        2 => &["some other service", "switched on"],
        3 => &["What is life?", "It is a dream."],
        _ => &["Are you there?", "Too many requests."],
    }
}

const RECORDERS: [&str; 4] = ["vcr.yaml", "ruby-vcr.yml", "nock.json", "recording.har"];

/// The recording of a recorder, an interaction on a line.
fn recorded(recorder: &str, calls: &[&Call]) -> String {
    let interaction = |Call(path, request, response): &Call| {
        let status = if response.contains("\"error\"") { 429 } else { 200 };
        let url = format!("https://api.test{path}");
        let value = match recorder {
            "vcr.yaml" => json!({
                "request": {"method": "POST", "uri": url, "body": request.to_string()},
                "response": {"status": {"code": status}, "body": {"string": response}}
            }),
            "ruby-vcr.yml" => json!({
                "request": {"method": "post", "uri": url, "body": {"encoding": "UTF-8", "string": request.to_string()}},
                "response": {"status": {"code": status}, "body": {"encoding": "UTF-8", "string": response}},
                "recorded_at": "Fri, 21 Nov 2025 22:31:54 GMT"
            }),
            "nock.json" => json!({
                "scope": "https://api.test:443", "method": "POST", "path": path, "body": request,
                "status": status, "response": response
            }),
            _ => json!({
                "startedDateTime": "2025-11-21T22:31:54.000Z",
                "request": {"method": "POST", "url": url, "postData": {"text": request.to_string()}},
                "response": {"status": status, "content": {"text": response}}
            }),
        };
        value.to_string()
    };
    let all: Vec<String> = calls.iter().map(|call| interaction(call)).collect();
    match recorder {
        "vcr.yaml" => format!("interactions:\n- {}\nversion: 1\n", all.join("\n- ")),
        "ruby-vcr.yml" => format!("http_interactions:\n- {}\nrecorded_with: VCR 6.0.0\n", all.join("\n- ")),
        "nock.json" => format!("[\n{}\n]\n", all.join(",\n")),
        _ => format!("{{\"log\": {{\"version\": \"1.2\", \"entries\": [\n{}\n]}}}}\n", all.join(",\n")),
    }
}

/// The errors of the runs that are read of a text, and the sentences of the calls `left` that are nowhere.
fn faults(path: &str, text: &str, left: &[usize]) -> Vec<String> {
    let runs = transcripts(&[LogFile { path, text }], &ImportOptions::default());
    let mut found: Vec<String> = runs.iter().flat_map(run_faults).collect();
    let mut there = Vec::new();
    runs.iter().for_each(|run| leaves(run, &mut there));
    let all = there.join("\u{0}");
    let lost = left.iter().flat_map(|at| sentences(*at)).filter(|sentence| !all.contains(**sentence));
    found.extend(lost.map(|sentence| format!("lost {sentence}")));
    found
}

#[test]
fn a_recording_that_is_cut_anywhere_has_all_before_the_cut() {
    let calls = calls();
    let all: Vec<&Call> = calls.iter().collect();
    for recorder in RECORDERS {
        let text = recorded(recorder, &all);
        // Where each interaction ends.
        let ends: Vec<usize> = (1..=calls.len())
            .map(|most| {
                let whole = recorded(recorder, &all[..most]);
                let last = whole.trim_end().lines().rev().find(|line| line.contains("http")).unwrap();
                whole.find(last).unwrap() + last.len()
            })
            .collect();
        for cut in (ends[0]..text.len()).filter(|at| at % 7 == 0 || ends.contains(at)) {
            let left: Vec<usize> = (0..calls.len()).filter(|at| ends[*at] <= cut).collect();
            let found = faults(recorder, &text[..cut], &left);
            assert_eq!(found, Vec::<String>::new(), "{recorder}, cut at {cut}: {}", &text[cut - 40..cut]);
        }
    }
}

#[test]
fn changed_recordings_lose_no_sentence_and_make_valid_runs() {
    let calls = calls();
    for recorder in RECORDERS {
        for (change, places) in changes(calls.len()) {
            let left: Vec<&Call> = places.iter().map(|at| &calls[*at]).collect();
            let found = faults(recorder, &recorded(recorder, &left), &places);
            assert_eq!(found, Vec::<String>::new(), "{recorder}, {change}: {places:?}");
        }
    }
}
