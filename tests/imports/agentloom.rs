//! The recordings of AgentLoom: every flavour, alone and next to what the replay and the workflow left.

use serde_json::{Map, Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits};
use transcript_core::import::{
    Drift, Flavour, Imported, LogFile, Pairing, Recording, drift, handlers, prompt_hash,
    prompt_hash_of_messages, recording,
};
use transcript_core::mock::{MockContext, MockModel, Profile};
use transcript_core::view::{ImportOptions, import_log};

use crate::{errors, fixture, lost, outline};

const EXPLAINED: &str = "says: The Byzantine Generals Problem asks how loyal parties agree when some messengers \
    lie. It is solvable only if fewer than one third of the parties are faulty.";
const CRITICISED: &str = "says: It omits that signed messages lift the one-third bound — “unforgeable” signatures \
    change the result.";
const REFUNDED: &str = "says: I'm sorry your order arrived damaged. I've opened refund case #4471 — you will see \
    $38.20 back within 3-5 days.";

fn read(path: &str) -> Recording {
    recording(&fixture(&format!("agentloom/{path}.json")))
}

/// A recording with the files of these names next to it.
fn imported(path: &str, others: &[&str]) -> Imported {
    let text = |kind: &str| others.contains(&kind).then(|| fixture(&format!("agentloom/{path}.{kind}.json")));
    let (calls, result) = (text("mock_calls"), text("result"));
    let pairing = Pairing {
        calls: calls.as_deref().map(|text| LogFile { path: "calls.json", text }),
        result: result.as_deref().map(|text| LogFile { path: "result.json", text }),
    };
    read(path).transcript(&format!("{path}.json"), &pairing)
}

fn agents(imported: &Imported) -> Vec<&String> {
    imported.transcript["agents"].as_object().into_iter().flat_map(|agents| agents.keys()).collect()
}

fn messages(imported: &Imported) -> Vec<String> {
    let all = imported.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{}: {}", found.code, found.message)).collect()
}

#[test]
fn every_recording_has_its_flavour_and_its_answers() {
    use Flavour::{Fixture, V1, V2, V2WithHashes};
    for (path, flavour, answers, hashes) in [
        ("v0.4.0/record_and_replay", V1, 2, 2),
        ("v0.4.0/router_support", V1, 2, 2),
        // A step id was passed to the provider directly once.
        ("v0.4.0/direct_step_id", V1, 2, 1),
        ("v0.4.0/record_and_replay_stream", V1, 0, 0),
        ("main-2026-05-17_v2/record_and_replay", V2, 2, 2),
        ("main-2026-05-17_v2/record_and_replay_stream", V2, 2, 2),
        ("main-2026-05-17_v2/router_support", V2, 2, 2),
        ("main-2026-05-17_v2/tool_loop", V2, 2, 2),
        ("main-2026-05-17_v2/direct_step_id", V2, 2, 1),
        ("next_v2_request_hash/record_and_replay", V2WithHashes, 2, 0),
        ("next_v2_request_hash/record_and_replay_stream", V2WithHashes, 2, 0),
        ("next_v2_request_hash/router_support", V2WithHashes, 2, 0),
        ("next_v2_request_hash/tool_loop", V2WithHashes, 1, 0),
        ("next_v2_request_hash/direct_step_id", V2WithHashes, 2, 1),
        ("repo_committed/tool_calling", Fixture, 2, 0),
        ("repo_committed/multi_agent_conversation", Fixture, 3, 0),
        ("repo_committed/embeddings", Fixture, 1, 0),
        ("nested_recording", Fixture, 3, 0),
    ] {
        let read = read(path);
        let by_hash = read.rows.iter().filter(|row| row.is_hash).count();
        assert_eq!((read.flavour, read.rows.len(), by_hash), (flavour, answers, hashes), "{path}");
        let report = &read.report;
        // Each turn of a step is an entry.
        assert_eq!(report.entries, read.rows.len() + read.metadata.len(), "{path}");
        assert_eq!(report.entries, report.used.len() + report.kept.len(), "{path}");
        assert!(report.lost.is_empty() && report.truncated_line.is_none(), "{path}");
    }
}

#[test]
fn a_row_has_what_the_file_has() {
    let rows = read("repo_committed/tool_calling").rows;
    let first = &rows[0];
    assert_eq!((first.key.as_str(), first.turn, first.line), ("ask", Some(1), 3));
    assert_eq!((first.model.as_deref(), first.provider.as_deref()), (Some("gpt-4o-mini"), Some("openai")));
    assert_eq!((first.cost_usd, first.latency_ms), (Some(0.000018), None));
    assert_eq!(first.tool_calls[0]["arguments"]["method"], "GET");
    assert_eq!(first.finish_reason.as_deref(), Some("tool_calls"));
    assert_eq!(
        rows[1].usage,
        Some(json!({"prompt_tokens": 320, "completion_tokens": 26, "total_tokens": 346}))
    );
    let embedded = &read("repo_committed/embeddings").rows[0];
    assert_eq!((embedded.content.as_deref(), embedded.embeddings), (None, Some(3)));
    let hashed = &read("next_v2_request_hash/direct_step_id").rows[1];
    assert_eq!(hashed.request_hash.as_ref(), Some(&hashed.key));
    assert_eq!(hashed.latency_ms, Some(0.11423900014051469));
}

/// Calls have the questions, a result the names of the steps; together they are the run.
#[test]
fn recordings_paired_with_calls_and_result_are_runs() {
    let byzantine = [EXPLAINED, CRITICISED];
    let routed = ["says: billing", REFUNDED];
    for (path, turns, steps) in [
        ("v0.4.0/record_and_replay", byzantine, ["explain", "critique"]),
        ("main-2026-05-17_v2/record_and_replay", byzantine, ["explain", "critique"]),
        ("main-2026-05-17_v2/record_and_replay_stream", byzantine, ["explain", "critique"]),
        ("next_v2_request_hash/record_and_replay", byzantine, ["explain", "critique"]),
        ("next_v2_request_hash/record_and_replay_stream", byzantine, ["explain", "critique"]),
        ("v0.4.0/router_support", routed, ["classify", "handle_billing"]),
        ("main-2026-05-17_v2/router_support", routed, ["classify", "handle_billing"]),
        ("next_v2_request_hash/router_support", routed, ["classify", "handle_billing"]),
    ] {
        let paired = imported(path, &["mock_calls", "result"]);
        assert_eq!(outline(&paired.transcript), turns, "{path}");
        assert_eq!(agents(&paired), steps, "{path}");
        assert_eq!(messages(&paired), Vec::<String>::new(), "{path}");
        assert_eq!(errors(&paired.transcript), Vec::<String>::new(), "{path}");
        let second = &paired.transcript["agents"][steps[1]]["message_store"];
        let question = second.as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
        assert!(
            question.starts_with("Here is an explanation") || question.starts_with("Help this customer"),
            "{question}"
        );
        // The result alone has the steps and no questions.
        let alone = imported(path, &["result"]);
        assert_eq!(outline(&alone.transcript), turns, "{path}");
        assert_eq!(agents(&alone), steps, "{path}");
        assert!(alone.transcript["execution"][0].get("messages_sent_to_llm").is_none(), "{path}");
        assert_eq!(errors(&alone.transcript), Vec::<String>::new(), "{path}");
    }
}

/// The hash alone finds the answer in both versions, whatever the order of the calls.
#[test]
fn calls_find_their_answers_by_hash_in_any_order() {
    for path in ["v0.4.0/record_and_replay", "main-2026-05-17_v2/record_and_replay"] {
        let mut calls: Vec<Value> =
            serde_json::from_str(&fixture(&format!("agentloom/{path}.mock_calls.json"))).unwrap();
        calls.reverse();
        let text = Value::from(calls).to_string();
        let pairing = Pairing { calls: Some(LogFile { path: "", text: &text }), result: None };
        let paired = read(path).transcript("", &pairing);
        let turns = &paired.transcript["execution"];
        let by = |turn: usize| turns[turn]["llm_response"]["metadata"]["paired_by"].clone();
        assert_eq!((by(0), by(1)), (json!("hash"), json!("hash")), "{path}");
        assert!(turns[0]["llm_response"]["content"].as_str().unwrap().starts_with("It omits"), "{path}");
    }
}

#[test]
fn what_a_loop_of_tools_lost_is_reported() {
    // The first of two answers called a tool, and the call was not recorded, so that the replay stopped there.
    let main = imported("main-2026-05-17_v2/tool_loop", &["mock_calls", "result"]);
    assert_eq!(
        outline(&main.transcript),
        ["user: What HTTP method does the endpoint accept?", "says: ", "says: det::GET is accepted (2)"]
    );
    let hash = "3c05e96439d79dece6d7507fa66c623a0f98156f7c76b1ea8ea3e3a0d145c25c";
    let expected = format!("T903: the response of `{hash}` calls tools, but its calls were not recorded");
    assert_eq!(messages(&main), [expected]);
    // Under one step id the last turn took the place of the first.
    let next = imported("next_v2_request_hash/tool_loop", &["mock_calls", "result"]);
    assert_eq!(
        outline(&next.transcript),
        ["user: What HTTP method does the endpoint accept?", "says: det::GET is accepted (2)"]
    );
}

#[test]
fn a_recording_alone_is_its_answers() {
    let alone = "T905: a recording has no requests, so what the model received is unknown";
    let tools = imported("repo_committed/tool_calling", &[]);
    assert_eq!(
        outline(&tools.transcript),
        [
            r#"calls http_request({"url": "https://httpbin.org/get", "method": "GET"})"#,
            "says: The /get endpoint of httpbin accepts the GET HTTP method, as confirmed by the successful \
             response from https://httpbin.org/get.",
        ]
    );
    assert_eq!(messages(&tools), [alone]);
    let conversation = imported("repo_committed/multi_agent_conversation", &[]);
    assert_eq!(agents(&conversation), ["alice_proposes", "bob_critiques", "alice_revises"]);
    let nothing = imported("v0.4.0/record_and_replay_stream", &["mock_calls", "result"]);
    // The outputs of the steps are the answers of their models.
    assert_eq!(outline(&nothing.transcript), [EXPLAINED, CRITICISED]);
    assert_eq!(agents(&nothing), ["explain", "critique"]);
    let call = "T905: the recording has no response for this call";
    let step = |name: &str| {
        format!("T905: the recording has no response for the step `{name}`; its output is used instead")
    };
    assert_eq!(
        messages(&nothing),
        ["T905: nothing was recorded", alone, call, call, &step("explain"), &step("critique")]
    );
    assert_eq!(errors(&nothing.transcript), Vec::<String>::new());
}

#[test]
fn a_result_alone_has_the_outputs_of_its_steps() {
    let text = fixture("agentloom/main-2026-05-17_v2/router_support.result.json");
    let import = |text: &str| {
        let file = LogFile { path: "router_support.result.json", text };
        import_log(&[file], &ImportOptions::default()).unwrap()
    };
    let view = import(&text);
    assert_eq!((view.ok, &*view.kind), (true, "agentloom-result"));
    assert_eq!(outline(&view.transcript), ["says: billing", REFUNDED]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let reported: Vec<_> =
        view.files[0].diagnostics.iter().map(|found| (found.severity, &*found.message)).collect();
    let alone = "a result has only the outputs of steps, so their requests and tool calls are unknown";
    assert_eq!(reported, [(Severity::Info, alone)]);
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(lost(&[whole], &view.transcript), Vec::<String>::new());
    assert_eq!(view.transcript["metadata"]["name"], "customer-support-router");
    assert_eq!(view.transcript["metadata"]["recording"].get("flavour"), None);
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["model"].is_string(), &response["usage"]["total_tokens"].is_u64()), (&true, &true));
    // Where no model answered anything there is no run.
    let nothing = import(
        r#"{"workflow_name": "x", "step_results": {"a": {"output": 1, "model": null}}, "final_state": {}}"#,
    );
    assert_eq!(nothing.problem.unwrap().message, "the recording is missing");
}

#[test]
fn nothing_of_a_recording_is_lost() {
    for path in [
        "v0.4.0/record_and_replay",
        "v0.4.0/direct_step_id",
        "main-2026-05-17_v2/tool_loop",
        "next_v2_request_hash/router_support",
        "repo_committed/tool_calling",
        "repo_committed/multi_agent_conversation",
        "repo_committed/embeddings",
        "nested_recording",
    ] {
        let whole: Value = serde_json::from_str(&fixture(&format!("agentloom/{path}.json"))).unwrap();
        let imported = imported(path, &[]);
        assert_eq!(lost(std::slice::from_ref(&whole), &imported.transcript), Vec::<String>::new(), "{path}");
        let events = &imported.transcript["metadata"]["recording"]["_inter_agent_events"];
        assert_eq!(events, &whole["_inter_agent_events"], "{path}");
    }
    let result: Value =
        serde_json::from_str(&fixture("agentloom/v0.4.0/router_support.result.json")).unwrap();
    let paired = imported("v0.4.0/router_support", &["mock_calls", "result"]);
    assert_eq!(lost(&[result], &paired.transcript), Vec::<String>::new());
}

#[test]
fn bad_recordings_are_read_as_far_as_they_go() {
    let read = recording(
        "{\"_version\": 1, \"a\": {\"content\": \"Hi\"}, \"b\": 5, \"c\": {\"model\": \"m\"},\n \"d\": [{\"content\": \"x\"}, 7]}",
    );
    let reported: Vec<&str> = read.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        reported,
        [
            "unknown recording version `1`",
            "response of `b`: expected a map, found a number",
            "the entry `c` has no string `content`",
            "response of `d`: expected a map, found a number",
        ]
    );
    assert_eq!(
        read.rows.iter().map(|row| (row.key.as_str(), row.line)).collect::<Vec<_>>(),
        [("a", 1), ("d", 2)]
    );
    assert_eq!(
        read.unrecognized,
        [
            ("b".to_owned(), 1, json!(5)),
            ("c".to_owned(), 1, json!({"model": "m"})),
            ("d".to_owned(), 2, json!(7)),
        ]
    );
    let cut = recording("{\"a\": {\"content\": \"Hi\", \"model\": \"m\"}, \"b\": {\"content\": \"Ho");
    assert_eq!(cut.rows[0].content.as_deref(), Some("Hi"));
    assert_eq!(
        (cut.report.truncated_line, cut.lost.as_slice()),
        (Some(1), &[(1, "\"b\": {\"content\": \"Ho".to_owned())][..])
    );
    assert!(cut.diagnostics.iter().any(|found| found.code == "T902"));
    for (text, message) in [
        ("[]", "recording: expected a map, found a list"),
        ("5", "recording: expected a map, found a number"),
    ] {
        assert!(recording(text).diagnostics.iter().any(|found| found.message == message), "{text}");
    }
}

#[test]
fn hashes_are_those_of_agentloom() {
    let vectors: Vec<Value> = serde_json::from_str(&fixture("agentloom/prompt_hash_vectors.json")).unwrap();
    assert_eq!(vectors.len(), 11);
    for vector in vectors {
        let (name, payload) = (&vector["name"], &vector["payload"]);
        assert_eq!(vector["prompt_hash_v2"], prompt_hash(payload), "{name}");
        let v1 = prompt_hash_of_messages(&payload["messages"]);
        assert_eq!(vector["prompt_hash_v1_messages_only"], v1, "{name}");
    }
}

fn calls(path: &str) -> Vec<Value> {
    serde_json::from_str(&fixture(&format!("agentloom/{path}.mock_calls.json"))).unwrap()
}

fn drift_summary(drift: &Drift) -> (&str, Option<&str>) {
    (drift.status, drift.field)
}

#[test]
fn the_same_requests_do_not_drift() {
    for path in [
        "v0.4.0/record_and_replay",
        "main-2026-05-17_v2/record_and_replay",
        "next_v2_request_hash/record_and_replay",
    ] {
        let found = drift(&read(path), &calls(path), &[]);
        assert_eq!(
            found.iter().map(drift_summary).collect::<Vec<_>>(),
            [("same", None), ("same", None)],
            "{path}"
        );
    }
}

#[test]
fn drift_names_step_and_field() {
    let path = "next_v2_request_hash/record_and_replay";
    let (read, before) = (read(path), calls(path));
    let change = |field: &str, value: Value| {
        let mut changed = before.clone();
        changed[1][field] = value;
        changed
    };
    for (field, value) in [
        ("model", json!("other")),
        ("temperature", json!(0.7)),
        ("max_tokens", json!(64)),
        ("extra", json!({"a": 1})),
    ] {
        // Without the former requests the usual values are tried: the recorded model, and none of the others.
        let found = drift(&read, &change(field, value.clone()), &[]);
        assert_eq!(
            (drift_summary(&found[0]), drift_summary(&found[1])),
            (("same", None), ("changed", Some(field))),
            "{field}"
        );
        assert_eq!((found[1].step.as_deref(), found[1].after.as_ref()), (Some("critique"), Some(&value)));
    }
    let messages = change("messages", json!([{"role": "user", "content": "Something else"}]));
    // A hash does not say what was hashed.
    assert_eq!(drift_summary(&drift(&read, &messages, &[])[1]), ("changed", None));
    assert_eq!(drift_summary(&drift(&read, &messages, &before)[1]), ("changed", Some("messages")));
    assert_eq!(
        drift_summary(&drift(&read, &[json!({"step_id": "new", "messages": []})], &[])[0]),
        ("missing", None)
    );
    // A step with several turns, and a fixture, have no hash to compare.
    let turns = self::read("repo_committed/tool_calling");
    assert_eq!(
        drift_summary(&drift(&turns, &[json!({"step_id": "ask", "messages": []})], &[])[0]),
        ("unchecked", None)
    );
}

/// What the handler of a step answers, call after call.
fn answers(document: &Value, step: &str, calls: u64) -> Vec<String> {
    let text = transcript_core::write::yaml(document);
    let opened = Document::open(&text, &Limits::default());
    assert!(opened.is_ok(), "{:?}", opened.diagnostics());
    let mut model = MockModel::new(opened.mock(step, Profile::Default).unwrap());
    let (nothing, map) = (Vec::new(), Map::new());
    let answer = |call| {
        let context = MockContext {
            agent: None,
            messages: &[],
            iteration: 0,
            call_count: call,
            model: None,
            tools: &nothing,
            context: &map,
            kwargs: &map,
        };
        match model.call(&context) {
            Ok(reply) => match reply.tool_calls.first() {
                Some(call) => format!("{}({})", call.name.value, call.arguments),
                None => crate::text(&reply.content),
            },
            Err(error) => format!("{:?}", error.kind),
        }
    };
    (1..=calls).map(answer).collect()
}

#[test]
fn answers_serve_as_mock_handlers() {
    let tools = handlers(&read("repo_committed/tool_calling"));
    let last = "The /get endpoint of httpbin accepts the GET HTTP method, as confirmed by the successful response \
        from https://httpbin.org/get.";
    let call = r#"http_request({"url":"https://httpbin.org/get","method":"GET"})"#;
    // AgentLoom stays at the last turn of a step.
    assert_eq!(answers(&tools, "ask", 3), [call, last, last]);
    let routed = handlers(&read("next_v2_request_hash/router_support"));
    assert_eq!(answers(&routed, "classify", 2), ["billing", "billing"]);
    // Answers without a step come in the order of the file, and then no more.
    let hashed = handlers(&read("v0.4.0/router_support"));
    assert_eq!(answers(&hashed, "agent", 3)[0], "billing");
    assert_eq!(answers(&hashed, "agent", 3)[2], "Exhausted");
    let braces = recording(r#"{"a": {"content": "{{ name }} and {{", "model": "m"}}"#);
    assert_eq!(answers(&handlers(&braces), "a", 1), ["{{ name }} and {{"]);
}
