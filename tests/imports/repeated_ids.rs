//! Models that restart the count of calls in each turn, as local servers and bridges to Gemini do: one id is that of many calls.

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::document::{Document, Limits};
use transcript_core::import::LogFile;
use transcript_core::replay::{ReplayAnswer, Session};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

/// A turn: its calls, each with its id, its query, and its outcome.
type Turn = &'static [(&'static str, &'static str, &'static str)];

const TWO: &[Turn] = &[&[("call_0", "a", "of a")], &[("call_0", "b", "of b")]];
const THREE: &[Turn] = &[&[("call_1", "a", "of a")], &[("call_1", "b", "of b")], &[("call_1", "c", "of c")]];
/// Side by side in both turns, and the second one answered in the order of its own.
const PARALLEL: &[Turn] = &[
    &[("call_0", "a", "of a"), ("call_1", "b", "of b")],
    &[("call_0", "c", "of c"), ("call_1", "d", "of d"), ("call_2", "e", "of e")],
];
/// One id for all calls of a turn.
const SAME: &[Turn] =
    &[&[("call", "a", "of a"), ("call", "b", "of b")], &[("call", "c", "of c"), ("call", "d", "of d")]];

const ALL: [&[Turn]; 4] = [TWO, THREE, PARALLEL, SAME];

fn import(from: &str, log: &Value) -> ImportView {
    let options = ImportOptions { from: Some(from.to_owned()), ..ImportOptions::default() };
    import_log(&[LogFile { path: "log.json", text: &log.to_string() }], &options).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// Each call of the run with what it looks up and the outcome. The message of each result names the call that has it.
fn pairs(view: &ImportView) -> Vec<(String, String)> {
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(diagnostic_lines(view), Vec::<String>::new());
    let turns = view.transcript["execution"].as_array().unwrap();
    let mut made: Vec<(&Value, &Value)> = Vec::new();
    let mut out = Vec::new();
    for turn in turns {
        let calls = turn["message_created"]["tool_calls"].as_array().into_iter().flatten();
        made.extend(calls.map(|call| (&call["id"], &call["function"]["arguments"])));
        let Some(ran) = turn.get("tool_call") else { continue };
        assert_eq!(turn["message_created"]["tool_call_id"], ran["id"]);
        assert_eq!(turn["message_created"]["content"], ran["result"]);
        let call = made.iter().find(|(id, _)| **id == ran["id"]).unwrap();
        assert_eq!(*call.1, ran["parameters"]);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        out.push((text(&ran["parameters"]["key"]), text(&ran["result"])));
    }
    assert_eq!(made.len(), out.len());
    out
}

fn expected(turns: &[Turn]) -> Vec<(String, String)> {
    turns
        .iter()
        .copied()
        .flatten()
        .map(|(_, key, result)| ((*key).to_owned(), (*result).to_owned()))
        .collect()
}

#[test]
fn messages_of_the_ai_sdk_for_models_have_each_result_at_its_call() {
    for turns in ALL {
        let mut messages = vec![json!({"role": "user", "content": "Go"})];
        for turn in turns {
            let call = |(id, key, _): &(&str, &str, &str)| json!({"type": "tool-call", "toolCallId": id, "toolName": "look", "input": {"key": key}});
            let result = |(id, _, result): &(&str, &str, &str)| json!({"type": "tool-result", "toolCallId": id, "toolName": "look", "output": {"type": "text", "value": result}});
            messages.push(json!({"role": "assistant", "content": turn.iter().map(call).collect::<Value>()}));
            messages.push(json!({"role": "tool", "content": turn.iter().map(result).collect::<Value>()}));
        }
        messages.push(json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}]}));
        assert_eq!(pairs(&import("ai-sdk", &messages.into())), expected(turns));
    }
}

#[test]
fn messages_of_the_ai_sdk_for_interfaces_have_each_result_at_its_call() {
    for turns in ALL {
        let mut parts = Vec::new();
        for turn in turns {
            parts.push(json!({"type": "step-start"}));
            parts.extend(turn.iter().map(|(id, key, result)| {
                json!({"type": "tool-look", "toolCallId": id, "state": "output-available", "input": {"key": key}, "output": result})
            }));
        }
        parts.extend([json!({"type": "step-start"}), json!({"type": "text", "text": "Done."})]);
        let user = json!({"id": "u", "role": "user", "parts": [{"type": "text", "text": "Go"}]});
        let log = json!([user, {"id": "a", "role": "assistant", "parts": parts}]);
        assert_eq!(pairs(&import("ai-sdk", &log)), expected(turns));
    }
}

#[test]
fn a_call_of_an_interface_without_a_result_says_why_though_its_id_came_before() {
    let call = |state: &str, key: &str, more: Value| {
        let mut part =
            json!({"type": "tool-look", "toolCallId": "call_0", "state": state, "input": {"key": key}});
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        part
    };
    let step = json!({"type": "step-start"});
    let log = json!([
        {"id": "u", "role": "user", "parts": [{"type": "text", "text": "Go"}]},
        {"id": "a", "role": "assistant", "parts": [
            step, call("output-available", "a", json!({"output": "of a"})),
            step, call("input-available", "b", json!({})), call("output-available", "c", json!({"output": "of c"})),
        ]},
        {"id": "v", "role": "user", "parts": [{"type": "text", "text": "Well?"}]},
        {"id": "b", "role": "assistant", "parts": [step, {"type": "text", "text": "Done."}]},
    ]);
    let view = import("ai-sdk", &log);
    let open = "T204: the call to `look` has no result in the imported log".to_owned();
    assert_eq!((errors(&view.transcript), diagnostic_lines(&view)), (vec![open], Vec::new()));
    let answer = &view.transcript["execution"][2]["llm_response"]["metadata"];
    assert_eq!(answer["calls"]["call_0"]["state"], "input-available");
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            r#"calls look({"key": "a"})"#,
            "look -> of a",
            r#"calls look({"key": "b"}), look({"key": "c"})"#,
            "look -> of c",
            "user: Well?",
            "says: Done.",
        ]
    );
    assert_eq!(view.transcript["execution"][3]["tool_call"]["parameters"], json!({"key": "c"}));
}

/// A log of Inspect with the messages of the turns, and the events that are requested.
fn inspect(turns: &[Turn], has_events: bool, has_ids: bool) -> Value {
    let mut messages = vec![json!({"id": "u", "role": "user", "content": "Go"})];
    let mut events = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let call = |(id, key, _): &(&str, &str, &str)| json!({"id": id, "function": "look", "arguments": {"key": key}, "type": "function"});
        messages.push(json!({"id": format!("a{at}"), "role": "assistant", "content": "", "tool_calls": turn.iter().map(call).collect::<Value>()}));
        for (place, (id, key, result)) in turn.iter().enumerate() {
            let message = format!("t{at}{place}");
            messages.push(json!({"id": message, "role": "tool", "content": result, "tool_call_id": id, "function": "look"}));
            let mut event = json!({"event": "tool", "type": "function", "id": id, "function": "look",
                "arguments": {"key": key}, "result": result, "timestamp": format!("2026-05-01T10:0{at}:0{place}Z")});
            if has_ids {
                event["message_id"] = message.into();
            }
            events.push(event);
        }
    }
    messages.push(json!({"id": "z", "role": "assistant", "content": "Done."}));
    let events = if has_events { events } else { Vec::new() };
    json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"steps": []},
        "samples": [{"id": 1, "epoch": 1, "input": "Go", "messages": messages, "events": events}]})
}

#[test]
fn logs_of_inspect_have_each_result_and_each_event_at_its_call() {
    for turns in ALL {
        for (has_events, has_ids) in [(false, false), (true, false), (true, true)] {
            let view = import("inspect", &inspect(turns, has_events, has_ids));
            assert_eq!(pairs(&view), expected(turns));
            if has_events {
                let runs = view.transcript["execution"].as_array().unwrap().iter();
                let times: Vec<&Value> =
                    runs.filter(|turn| turn["type"] == "tool_call").map(|turn| &turn["timestamp"]).collect();
                assert!(times.iter().all(|time| time.is_string()), "{times:?}");
                assert_eq!(times.len(), expected(turns).len());
                assert!(times.is_sorted_by_key(|time| time.as_str()));
                assert!(view.transcript["metadata"]["recording"].get("kept").is_none());
            }
        }
    }
}

#[test]
fn an_event_that_a_result_of_inspect_lacks_is_not_that_of_another_one() {
    let mut log = inspect(TWO, true, true);
    log["samples"][0]["events"].as_array_mut().unwrap().remove(0);
    let view = import("inspect", &log);
    assert_eq!(pairs(&view), expected(TWO));
    let turns = &view.transcript["execution"];
    assert_eq!((turns[1].get("timestamp"), &turns[3]["timestamp"]), (None, &json!("2026-05-01T10:01:00Z")));
}

#[test]
fn trajectories_have_each_result_at_the_call_of_its_step() {
    for turns in ALL {
        let mut steps = vec![json!({"step_id": 1, "source": "user", "message": "Go"})];
        for turn in turns {
            let call = |(id, key, _): &(&str, &str, &str)| json!({"tool_call_id": id, "function_name": "look", "arguments": {"key": key}});
            let result =
                |(id, _, result): &(&str, &str, &str)| json!({"source_call_id": id, "content": result});
            steps.push(json!({"step_id": steps.len() + 1, "source": "agent", "message": "", "tool_calls": turn.iter().map(call).collect::<Value>(),
                "observation": {"results": turn.iter().map(result).collect::<Value>()}}));
        }
        steps.push(json!({"step_id": steps.len() + 1, "source": "agent", "message": "Done."}));
        let log = json!({"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "coder", "version": "2"}, "steps": steps});
        assert_eq!(pairs(&import("atif", &log)), expected(turns));
    }
}

#[test]
fn a_second_result_of_a_call_is_reported_and_answers_no_call() {
    let part = |kind: &str, more: Value| {
        let mut part = json!({"type": kind, "toolCallId": "call_0", "toolName": "look"});
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([part])
    };
    let result = |value: &str| json!({"role": "tool", "content": part("tool-result", json!({"output": {"type": "text", "value": value}}))});
    let log = json!([
        {"role": "user", "content": "Go"},
        {"role": "assistant", "content": part("tool-call", json!({"input": {}}))},
        result("once"), result("twice"),
        {"role": "assistant", "content": part("tool-call", json!({"input": {}}))},
        result("again"),
    ]);
    let view = import("ai-sdk", &log);
    assert_eq!(diagnostic_lines(&view), ["T905 the call `call_0` already has a result"]);
    let lines = outline(&view.transcript);
    assert_eq!(lines[1..], ["calls look({})", "look -> once", "calls look({})", "look -> again"]);
    let kept = &view.transcript["metadata"]["recording"]["results"];
    assert_eq!(
        kept,
        &json!([{"tool_call_id": "call_0", "tool_name": "look", "content": "twice", "metadata": {"line": 1}}])
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

/// What each call of the model was sent and answered, with the whole history every time.
fn exchanges(turns: &[Turn]) -> Vec<(Value, Value)> {
    let mut history = vec![json!({"role": "user", "content": "Go"})];
    let mut out = Vec::new();
    for turn in turns {
        let call = |(id, key, _): &(&str, &str, &str)| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": json!({"key": key}).to_string()}});
        let answer = json!({"role": "assistant", "content": null, "tool_calls": turn.iter().map(call).collect::<Value>()});
        out.push((history.clone().into(), answer.clone()));
        history.push(answer);
        history.extend(
            turn.iter().map(|(id, _, result)| json!({"role": "tool", "tool_call_id": id, "content": result})),
        );
    }
    out.push((history.into(), json!({"role": "assistant", "content": "Done."})));
    out
}

#[test]
fn traces_have_each_result_at_its_call() {
    for turns in ALL {
        let text = |value: &Value| json!({"stringValue": value.to_string()});
        let span = |(at, (input, output)): (usize, &(Value, Value))| {
            json!({"traceId": "aa", "spanId": format!("s{at}"), "parentSpanId": "", "name": "chat m", "kind": 1,
                "startTimeUnixNano": format!("177762960{at}000000000"), "endTimeUnixNano": format!("177762960{at}500000000"), "attributes": [
                    {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                    {"key": "gen_ai.input.messages", "value": text(input)},
                    {"key": "gen_ai.output.messages", "value": text(&json!([output]))}]})
        };
        let spans: Value = exchanges(turns).iter().enumerate().map(span).collect();
        let log = json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]});
        assert_eq!(pairs(&import("otel", &log)), expected(turns));
        let run = |(at, (input, output)): (usize, &(Value, Value))| {
            json!({"id": format!("r{at}"), "trace_id": "t", "dotted_order": format!("20260501T10000{at}000000Zr{at}"), "run_type": "llm", "name": "ChatModel",
                "start_time": format!("2026-05-01T10:00:0{at}"), "end_time": format!("2026-05-01T10:00:0{at}.5"), "inputs": {"messages": input},
                "outputs": {"choices": [{"message": output}]}})
        };
        let log: Value = exchanges(turns).iter().enumerate().map(run).collect();
        assert_eq!(pairs(&import("langsmith", &log)), expected(turns));
        let span = |(at, (input, output)): (usize, &(Value, Value))| {
            json!({"object": "trace.span", "id": format!("g{at}"), "trace_id": "t", "parent_id": null,
                "started_at": format!("2026-05-01T10:00:0{at}+00:00"), "ended_at": format!("2026-05-01T10:00:0{at}.5+00:00"),
                "span_data": {"type": "generation", "input": input, "output": [output], "model": "m"}, "error": null})
        };
        let mut log = vec![json!({"object": "trace", "id": "t", "workflow_name": "W"})];
        log.extend(exchanges(turns).iter().enumerate().map(span));
        assert_eq!(pairs(&import("openai-agents", &log.into())), expected(turns));
    }
}

/// The body of a chat with the turns, without its last answer.
fn chat(turns: &[Turn]) -> Vec<Value> {
    let mut messages = vec![json!({"role": "user", "content": "Go"})];
    for turn in turns {
        let call = |(id, key, _): &(&str, &str, &str)| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": json!({"key": key}).to_string()}});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": turn.iter().map(call).collect::<Value>()}));
        messages.extend(
            turn.iter().map(|(id, _, result)| json!({"role": "tool", "tool_call_id": id, "content": result})),
        );
    }
    messages
}

#[test]
fn the_requests_of_an_imported_log_replay_it_with_their_own_ids() {
    for turns in ALL {
        let mut messages = chat(turns);
        messages.push(json!({"role": "assistant", "content": "Done."}));
        let answers = || messages.iter().enumerate().filter(|(_, message)| message["role"] == "assistant");
        let exchange = |(at, answer): (usize, &Value)| {
            json!({"request": {"model": "m", "messages": messages[..at]}, "response": {"choices": [{"message": answer}]}}).to_string()
        };
        let text = answers().map(exchange).collect::<Vec<_>>().join("\n");
        let options = ImportOptions::default();
        let view = import_log(&[LogFile { path: "log.jsonl", text: &text }], &options).unwrap();
        assert_eq!(pairs(&view), expected(turns));
        let document = Document::open(&view.transcript.to_string(), &Limits::default());
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        for (at, _) in answers() {
            let request = json!({"format": "openai-chat", "messages": messages[..at]});
            let answer = session.request(&Request::from_value(&request).unwrap());
            assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
        }
    }
}

#[test]
fn results_name_the_tools_of_their_own_calls() {
    let call = |id: &str, tool: &str| json!({"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}});
    let result = |id: &str, content: &str| json!({"role": "tool", "tool_call_id": id, "content": content});
    let messages = json!([
        {"role": "assistant", "content": null, "tool_calls": [call("x", "f"), call("x", "g"), call("", "h")]},
        result("x", "1"), result("x", "2"), result("", "3"),
        {"role": "assistant", "content": null, "tool_calls": [call("x_2", "k"), call("x", "l")]},
        result("x", "4"), result("x_2", "5"), result("z", "6"),
    ]);
    let request = Request::from_value(&json!({"format": "openai-chat", "messages": messages})).unwrap();
    let messages = request.messages();
    let ids: Vec<&str> =
        messages.iter().flat_map(|message| &message.tool_calls).map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["x", "x_2", "", "x_2_2", "x_3"]);
    let results = messages.iter().filter(|message| message.role == "tool");
    let results: Vec<(&str, Option<&str>)> =
        results.map(|message| (message.tool_call_id.as_deref().unwrap(), message.name.as_deref())).collect();
    let named = [("x", "f"), ("x_2", "g"), ("", "h"), ("x_3", "l"), ("x_2_2", "k")];
    assert_eq!(results[..5], named.map(|(id, tool)| (id, Some(tool))));
    assert_eq!(results[5..], [("z", None)]);
}
