//! Documents of handlers, calls to them, and the outcome of each: answer, error, trace.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use transcript_core::canonical::{CanonicalMessage, Request};
use transcript_core::cover;
use transcript_core::document::{Document, Limits};
use transcript_core::mock::{MockError, MockHandler, MockModel, Profile, Runner, Trace};
use transcript_core::parse::{self, Node};

use crate::{ModelInput, call, message};
use transcript_tests::fixture::{Fixture, difference};

/// Runs the calls in one profile and returns their outcomes as text.
fn run(document: &Document, calls: &[Value], profile: Profile) -> String {
    let mut out = String::new();
    let mut runners: BTreeMap<String, (Result<Runner, Box<MockError>>, u64)> = BTreeMap::new();
    let mut kept: BTreeMap<String, Value> = BTreeMap::new();
    let root = parse::parse(document.text(), &Limits::default()).root.expect("the document is YAML");
    for value in calls {
        let input = read(value, document.mocked().first().copied().unwrap_or(""));
        let agent = input.agent.clone().unwrap_or_default();
        let (runner, count) =
            runners.entry(agent.clone()).or_insert_with(|| (document.mock(&agent, profile), 0));
        match (value.as_str(), value.get("do").and_then(Value::as_str), runner.as_mut()) {
            (Some(word), _, Ok(runner)) | (None, Some(word), Ok(runner)) => {
                match word {
                    "reset" => {
                        runner.reset();
                        *count = 0;
                    }
                    "keep" => drop(kept.insert(agent.clone(), runner.snapshot())),
                    "back" => runner.restore(&kept[&agent]).expect("it is a state of this handler"),
                    "recordings" => runner.recordings(&mut |name, calls| {
                        writeln!(out, "recording {name}: {calls}").unwrap();
                    }),
                    other => panic!("nothing is called `{other}`"),
                }
                if word != "recordings" {
                    writeln!(out, "{agent}: {word}").unwrap();
                }
            }
            (_, _, runner) => {
                *count += 1;
                let input = ModelInput { call_count: *count, ..input };
                let mut trace = Trace::default();
                let outcome = match runner {
                    Ok(runner) => runner.handle(&input.context(), &mut trace),
                    Err(error) => Err(error.clone()),
                };
                // Coverage can count every rule that a trace names.
                let places = cover::rule_places(&root);
                if let Some(rule) = &trace.answered {
                    assert!(places.iter().any(|(place, _)| place == rule), "{rule}");
                }
                assert!(trace.answered.is_some() || outcome.is_err(), "{agent}, call {count}");
                writeln!(out, "{agent}, call {count}").unwrap();
                for line in trace.to_text().lines() {
                    writeln!(out, "  {line}").unwrap();
                }
                match outcome {
                    Ok(reply) => writeln!(out, "  = {}", reply.to_value()).unwrap(),
                    Err(error) => write_error(document, &error, &mut out),
                }
            }
        }
    }
    out
}

fn write_error(document: &Document, error: &MockError, out: &mut String) {
    let place = error.span.map_or(String::new(), |span| {
        format!(" line {}", document.lines().position(document.text(), span.start as usize).line)
    });
    writeln!(out, "  ! {} at {}{place}", error.kind.name(), error.path).unwrap();
    for line in error.message.lines() {
        writeln!(out, "    {line}").unwrap();
    }
}

/// The body of the section with the calls.
fn calls_of(text: &str) -> &str {
    let (_, rest) = text.split_once("\n==== calls\n").expect("a case has calls");
    rest.split_once("\n====").map_or(rest, |(calls, _)| calls)
}

/// A call: a list of messages, or a map with other parts of the request.
fn read(value: &Value, first: &str) -> ModelInput {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let map = |key: &str| value.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    let messages = value.get("messages").unwrap_or(value).as_array().cloned().unwrap_or_default();
    let messages: Vec<CanonicalMessage> = messages.iter().map(one).collect();
    let tools = value.get("tools").and_then(Value::as_array).into_iter().flatten();
    ModelInput {
        agent: text("agent").or_else(|| Some(first.to_owned())),
        messages,
        iteration: value.get("iteration").and_then(Value::as_u64).unwrap_or(0),
        model: text("model"),
        tools: tools.map(|tool| tool.as_str().unwrap().to_owned()).collect(),
        context: map("context"),
        kwargs: map("kwargs"),
        ..ModelInput::with(&[])
    }
}

/// A message: `{user: text}`, `{assistant: text, calls: [name]}`, `{tool: result, name: tool, failed: true}`, or
/// one in canonical form.
fn one(value: &Value) -> CanonicalMessage {
    let entries = value.as_object().expect("a message is a map");
    if entries.contains_key("role") {
        let request = serde_json::json!({"messages": [value]});
        return Request::from_value(&request).unwrap().messages().remove(0);
    }
    let (role, content) = entries.iter().next().expect("a message says something");
    let mut message = message(role, content.as_str().unwrap_or(""));
    if role == "tool" {
        message.result = Some(content.clone());
        message.name = entries.get("name").and_then(Value::as_str).map(str::to_owned);
        message.tool_call_id = entries.get("answers").and_then(Value::as_str).map(str::to_owned);
        message.is_error = entries.get("failed") == Some(&Value::Bool(true));
    }
    let calls = entries.get("calls").and_then(Value::as_array).into_iter().flatten();
    let calls = calls.map(|name| name.as_str().unwrap());
    message.tool_calls = calls.map(|name| call(&format!("call_{name}"), name)).collect();
    message
}

#[test]
fn handlers_answer_as_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mock/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let mut fixture = Fixture::read(&text);
        let document = Document::open(&fixture.input, &Limits::default());
        let broken = path.file_name().unwrap().to_str().unwrap().starts_with("broken");
        assert_eq!(document.is_ok(), !broken, "{}: {:#?}", path.display(), document.diagnostics());
        let calls = parse::parse(calls_of(&text), &Limits::default()).root.expect("calls are YAML");
        let calls: Vec<Value> = calls.items().iter().map(Node::to_value).collect();
        assert!(!calls.is_empty(), "{} makes no call", path.display());
        fixture.set("answers", run(&document, &calls, Profile::Default));
        if fixture.has("answers of good-agent") {
            fixture.set("answers of good-agent", run(&document, &calls, Profile::GoodAgent));
        }
        let now = fixture.write();
        if now != text {
            if update {
                fs::write(path, &now).unwrap();
            }
            failures.push(format!("{}:\n{}", path.display(), difference(&text, &now)));
        }
    }
    assert!(paths.len() >= 12, "{} cases", paths.len());
    assert!(failures.is_empty() || update, "{}\nUPDATE=1 writes what came out", failures.join("\n"));
}

/// A model around a document's handler answers as the handler does.
#[test]
fn a_model_counts_for_the_handler_of_a_document() {
    let text = "handlers: {a: {type: repeat, respond: 'call {{ call_count }}'}}";
    let document = Document::open(text, &Limits::default());
    let mut model = MockModel::new(document.mock("a", Profile::Default).unwrap());
    let input = ModelInput::with(&["user: Hi"]);
    let replies: Vec<Value> = (0..3).map(|_| model.call(&input.context()).unwrap().content).collect();
    assert_eq!(replies, ["call 1", "call 2", "call 3"]);
}
