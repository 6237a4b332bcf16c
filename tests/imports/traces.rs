//! Traces of the OpenAI Agents SDK.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::replay::{ReplayAnswer, Request, Session};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, leaves, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "traces.jsonl", text }], &options).unwrap()
}

/// A span that begins in that second of a minute.
fn span(id: &str, parent: Option<&str>, second: u32, data: Value) -> Value {
    json!({"object": "trace.span", "id": id, "trace_id": "trace_1", "parent_id": parent,
        "started_at": format!("2026-05-01T10:00:{second:02}.000000+00:00"),
        "ended_at": format!("2026-05-01T10:00:{:02}.500000+00:00", second), "span_data": data, "error": null})
}

fn agent(id: &str, parent: Option<&str>, second: u32, name: &str) -> Value {
    span(
        id,
        parent,
        second,
        json!({"type": "agent", "name": name, "handoffs": [], "tools": ["lookup"], "output_type": "str"}),
    )
}

fn generation(id: &str, parent: &str, second: u32, input: Value, output: Value) -> Value {
    span(
        id,
        Some(parent),
        second,
        json!({"type": "generation", "input": input, "output": [output], "model": "gpt-5", "model_config": {"temperature": 0.5, "top_p": null}, "usage": {"input_tokens": 5, "output_tokens": 3}}),
    )
}

fn function(id: &str, parent: &str, second: u32, name: &str, input: &str, output: Value) -> Value {
    span(
        id,
        Some(parent),
        second,
        json!({"type": "function", "name": name, "input": input, "output": output, "mcp_data": null}),
    )
}

fn lines(spans: &[Value]) -> String {
    let head = json!({"object": "trace", "id": "trace_1", "workflow_name": "Flow", "group_id": null, "metadata": null});
    let all: Vec<String> = std::iter::once(&head).chain(spans).map(Value::to_string).collect();
    all.join("\n")
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn calls(calls: &[(&str, &str, &str)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
        .collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

fn result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

#[test]
fn the_sample_is_read_whole() {
    let text = fixture("openai-agents-sdk-traces.jsonl");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("openai-agents-traces", "certain"));
    let view = import(&text, None);
    assert!(view.ok, "{}", view.rendered);
    assert_eq!(outline(&view.transcript), ["user: refund", "calls lookup({})", "lookup -> order 4471"]);
    assert_eq!(view.transcript["metadata"]["name"], "Agent workflow");
    let report = &view.files[0].report;
    assert_eq!(report.entries, 5);
    assert_eq!(report.used, [1, 3, 4]);
    let kinds: Vec<&str> = report.kept.iter().map(|kept| kept.kind.as_str()).collect();
    assert_eq!(kinds, ["agent", "handoff"]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    // Nothing is lost: every text of every line is somewhere.
    let (mut wanted, mut there) = (Vec::new(), Vec::new());
    for line in text.lines() {
        leaves(&serde_json::from_str(line).unwrap(), &mut wanted);
    }
    leaves(&view.transcript, &mut there);
    let forms = ["trace", "trace.span", "generation", "function"];
    wanted.retain(|text| !forms.contains(&text.as_str()) && !there.contains(text));
    assert_eq!(wanted, Vec::<String>::new());
}

/// Tools that ran side by side end in any order; each is of the call with its arguments.
#[test]
fn runs_of_tools_find_their_calls() {
    let calls_message =
        calls(&[("c1", "lookup", "{\"id\": 1}"), ("c2", "lookup", "{\"id\": 2}"), ("c3", "other", "{}")]);
    let history =
        json!([user("Go"), calls_message, result("c1", "one"), result("c2", "two"), result("c3", "boom")]);
    let mut failed = function("f3", "a", 4, "other", "{}", Value::Null);
    failed["error"] = json!({"message": "Error running tool", "data": {"error": "boom"}});
    let text = lines(&[
        // As a processor writes them: what ends first comes first.
        generation("g1", "a", 1, json!([user("Go")]), calls_message),
        function("f2", "a", 2, "lookup", "{\"id\":2}", json!("two")),
        function("f1", "a", 3, "lookup", "{\"id\":1}", json!("one")),
        failed,
        generation("g2", "a", 5, history, assistant("Done.")),
        agent("a", None, 0, "Solo"),
    ]);
    let view = import(&text, None);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            "calls lookup({\"id\": 1}), lookup({\"id\": 2}), other({})",
            "lookup -> one",
            "lookup -> two",
            "other fails: Error running tool",
            "says: Done."
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let document = Document::open(view.text.as_ref().unwrap(), &Limits::default());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    for span in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if span["span_data"]["type"] != "generation" {
            continue;
        }
        let request = json!({"format": "openai-chat", "messages": span["span_data"]["input"]});
        let answer = session.request(&Request::from_value(&request).unwrap());
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    }
    assert_eq!(session.remaining(), 0);
}

#[test]
fn an_agent_that_ran_as_a_tool_is_a_run_in_its_result() {
    let calls_message = calls(&[("c1", "ask_expert", "{\"input\": \"Why?\"}")]);
    let text = lines(&[
        agent("a", None, 0, "Boss"),
        generation("g1", "a", 1, json!([user("Go")]), calls_message.clone()),
        function("f1", "a", 2, "ask_expert", "{\"input\": \"Why?\"}", json!("Because.")),
        agent("b", Some("f1"), 3, "Expert"),
        generation(
            "g2",
            "b",
            4,
            json!([{"role": "system", "content": "Be wise"}, user("Why?")]),
            assistant("Because."),
        ),
        generation(
            "g3",
            "a",
            5,
            json!([user("Go"), calls_message, result("c1", "Because.")]),
            assistant("Done."),
        ),
    ]);
    let view = import(&text, None);
    let run = &view.transcript["execution"][1]["tool_call"]["result"];
    assert_eq!((&run["type"], &run["agent_id"]), (&json!("nested_agent_result"), &json!("Expert")));
    assert_eq!(outline(&run["nested_transcript"]), ["system: Be wise", "user: Why?", "says: Because."]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(view.transcript["execution"].as_array().unwrap().len(), 3);
}

#[test]
fn a_handover_goes_on_in_the_same_conversation() {
    let transfer = calls(&[("c1", "transfer_to_refunds", "{}")]);
    let history = json!([user("Refund!"), transfer, result("c1", "{\"assistant\": \"Refunds\"}")]);
    let text = lines(&[
        agent("a", None, 0, "Triage"),
        generation("g1", "a", 1, json!([user("Refund!")]), transfer.clone()),
        span("h", Some("a"), 2, json!({"type": "handoff", "from_agent": "Triage", "to_agent": "Refunds"})),
        agent("b", None, 3, "Refunds"),
        generation("g2", "b", 4, history, assistant("Refunded.")),
    ]);
    let view = import(&text, None);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Refund!",
            "calls transfer_to_refunds({})",
            "transfer_to_refunds -> {\"assistant\": \"Refunds\"}",
            "says: Refunded."
        ]
    );
    let turns = view.transcript["execution"].as_array().unwrap();
    assert_eq!((&turns[0]["agent"], &turns[2]["agent"]), (&json!("Triage"), &json!("Refunds")));
    assert_eq!(view.transcript["agents"]["Refunds"]["tools"], json!(["lookup"]));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

/// The SDK uses Responses by default. Its spans have no content: which tools ran, and that the model was called, is all
/// there is.
#[test]
fn answers_without_content_are_reported() {
    let response = |id: &str, second: u32| {
        span(
            id,
            Some("a"),
            second,
            json!({"type": "response", "response_id": format!("resp_{id}"), "usage": {"input_tokens": 1, "output_tokens": 2}}),
        )
    };
    let text = lines(&[
        agent("a", None, 0, "Solo"),
        response("r1", 1),
        function("f1", "a", 2, "lookup", "{\"id\": 1}", json!("one")),
        response("r2", 3),
    ]);
    let view = import(&text, None);
    assert!(view.ok);
    assert_eq!(outline(&view.transcript), ["calls lookup({\"id\": 1})", "lookup -> one", "says: "]);
    let reported: Vec<&str> = view.files[0].diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(reported.len(), 2);
    assert!(reported[0].starts_with("the trace has neither the request"));
    assert_eq!(view.transcript["execution"][0]["llm_response"]["id"], "resp_r1");
    assert!(view.transcript["execution"][0].get("messages_sent_to_llm").is_none());
}

#[test]
fn of_several_traces_one_is_chosen_and_broken_lines_cost_no_more_than_themselves() {
    let head =
        |id: &str| json!({"object": "trace", "id": id, "workflow_name": format!("Flow {id}")}).to_string();
    let mut other = generation("x", "none", 1, json!([user("Two")]), assistant("2"));
    other["trace_id"] = json!("t2");
    let mut own = generation("y", "none", 1, json!([user("One")]), assistant("1"));
    own["trace_id"] = json!("t1");
    let text = format!(
        "{}\n{{\"object\": \"trace.span\", oops}}\n{own}\r\n{}\n{other}\n{{\"object\":\"other\"}}\n{{\"cut",
        head("t1"),
        head("t2")
    );
    let view = import(&text, None);
    assert_eq!(view.sessions, ["t1", "t2"]);
    assert_eq!(
        view.problem.as_ref().unwrap().message,
        "the log has 2 traces: `t1` (\"One\"), `t2` (\"Two\")"
    );
    assert_eq!(view.first_words, ["One", "Two"]);
    let view = import(&text, Some("t2"));
    assert_eq!(view.transcript["metadata"]["name"], "Flow t2");
    assert_eq!(outline(&view.transcript), ["user: Two", "says: 2"]);
    let report = &view.files[0].report;
    assert_eq!((report.used.as_slice(), report.truncated_line), (&[4, 5][..], Some(7)));
    assert_eq!(report.lost[0].line, 2);
    assert!(!view.ok);
    assert_eq!(
        view.transcript["metadata"]["recording"]["lost"][0]["text"],
        "{\"object\": \"trace.span\", oops}"
    );
}

#[test]
fn hostile_traces_are_answered() {
    // Spans in a circle, duplicate ids, functions in functions without end, and what is no span.
    let circle = [
        generation("a", "b", 1, json!("no list"), assistant("x")),
        generation("b", "a", 1, json!([{"role": 5}, 7, user("\u{0}")]), json!({"role": "assistant"})),
        generation("b", "b", 1, json!([user("again")]), json!(5)),
        function("f", "f", 1, "f", "{", Value::Null),
        json!({"object": "trace.span", "id": "n", "trace_id": 5, "span_data": {"type": "function"}}),
    ];
    let mut deep = vec![generation("g0", "none", 0, json!([user("Go")]), calls(&[("c", "f", "{}")]))];
    for at in 0..3000 {
        let parent = if at == 0 { "none".to_owned() } else { format!("f{}", at - 1) };
        deep.push(function(&format!("f{at}"), &parent, 1, "f", "{}", json!("x")));
        deep.push(generation(
            &format!("i{at}"),
            &format!("f{at}"),
            1,
            json!([user("Go")]),
            calls(&[("c", "f", "{}")]),
        ));
    }
    for text in [lines(&circle), lines(&deep), lines(&[json!({"object": "trace.span"})])] {
        for name in import(&text, None).sessions {
            let view = import(&text, Some(&name));
            assert!(view.text.is_some());
            let document = Document::open(view.text.as_ref().unwrap(), &Limits::default());
            assert!(document.is_readable(), "{:?}", document.diagnostics().first());
        }
    }
}

/// Keys are in no place of what is made: not in settings, not in what is kept or lost, not in the messages.
#[test]
fn keys_and_passwords_are_taken_out() {
    let key = "sk-proj-q7Zt4mXw9Lr2Vb8NcK1yHsPd5Gf3Jk6Te";
    let mut request = generation(
        "g1",
        "a",
        1,
        json!([user(&format!("Use {key}"))]),
        assistant("The password is Wq8-zebra-41"),
    );
    request["span_data"]["model_config"] = json!({"temperature": 0.5, "api_key": key,
        "extra_headers": {"Authorization": format!("Bearer {key}"), "X-Vault-Token": "Xz7Lr4Tb9NcK2Wq8m"}});
    let custom = span(
        "x",
        Some("a"),
        2,
        json!({"type": "custom", "name": "http",
        "data": {"authorization": "Basic dXNlcjpXcTgtemVicmEtNDE=", "password": "Wq8-zebra-41"}}),
    );
    let text = lines(&[agent("a", None, 0, "Solo"), request, custom]);
    let text = text.replace("\"metadata\":null", &format!("\"metadata\":{{\"api_key\":\"{key}\"}}"));
    assert!(text.contains(&format!("\"metadata\":{{\"api_key\":\"{key}\"}}")), "{text}");
    let text = format!("{text}\n{{\"object\": \"trace.span\", \"api_key\": \"{key}\", \"span_da");
    let view = import(&text, None);
    let made = view.transcript.to_string();
    for secret in [key, "Xz7Lr4Tb9NcK2Wq8m", "dXNlcjpXcTgtemVicmEtNDE=", "Wq8-zebra-41"] {
        assert!(!made.contains(secret), "{secret} in {made}");
    }
    assert_eq!(outline(&view.transcript)[0], "user: Use [redacted]");
    let call = &view.transcript["execution"][0];
    assert_eq!(call["llm_response"]["content"], "The password is [redacted]");
    assert_eq!(call["llm_config"]["extra_headers"]["Authorization"], "Bearer [redacted]");
    assert_eq!(view.transcript["agent_config"]["temperature"], 0.5);
    assert_eq!(view.transcript["metadata"]["recording"]["trace"]["metadata"]["api_key"], "[redacted]");
    let note = "4 entries have keys or passwords, replaced by `[redacted]`";
    assert!(view.rendered.contains(note), "{}", view.rendered);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn what_is_reported_twice_is_read_once() {
    for (name, again) in
        [("openai-agents-sdk-traces.jsonl", 4), ("otlp-genai-spans.json", 3), ("langsmith-runs.json", 3)]
    {
        let text = fixture(name);
        let import = |text: &str| {
            import_log(&[LogFile { path: name, text }], &ImportOptions::default()).expect("an import")
        };
        let (once, twice) = (import(&text), import(&format!("{}\n{}\n", text.trim_end(), text.trim_end())));
        let run = |view: &ImportView| {
            let text = view.text.clone().expect("a transcript");
            text.split_once("\nexecution:").expect("its steps").1.to_owned()
        };
        assert_eq!(run(&twice), run(&once), "{name}");
        assert_eq!(twice.files[0].report.streamed.len(), again, "{name}");
        assert_eq!(twice.files[0].report.used, once.files[0].report.used, "{name}");
    }
}

#[test]
fn a_span_that_was_reported_before_it_ended_is_the_one_that_has_ended() {
    let whole = generation("span_g", "span_a", 2, json!([user("Hi")]), assistant("Hello!"));
    let mut begun = generation("span_g", "span_a", 2, json!([user("Hi")]), assistant(""));
    begun["ended_at"] = Value::Null;
    let text = lines(&[agent("span_a", None, 1, "Helper"), begun, whole]);
    let view = import(&text, None);
    let transcript = view.text.clone().expect("a transcript");
    assert!(transcript.contains("content: Hello!"), "{transcript}");
    let reported = &view.files[0].diagnostics;
    assert!(
        reported.iter().any(|reported| reported.message.contains("the span `span_g` differs elsewhere")),
        "{reported:?}"
    );
    assert!(transcript.contains("span_g"), "what was told first is kept");
}

/// The outcome of each call of a run, in the order of the calls: the arguments, and the result or the error.
fn came(transcript: &Value) -> Vec<(Value, Value)> {
    let turns = transcript["execution"].as_array().unwrap();
    let ran: Vec<&Value> = turns.iter().filter_map(|turn| turn.get("tool_call")).collect();
    let calls = turns.iter().flat_map(|turn| {
        turn["message_created"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<Value>>()
    });
    let outcomes = calls.map(|call| {
        let of: Vec<&&Value> = ran.iter().filter(|ran| ran["id"] == call["id"]).collect();
        assert_eq!(of.len(), 1, "{call}");
        let result = if of[0]["error"].is_null() { &of[0]["result"] } else { &of[0]["error"] };
        (call["function"]["arguments"]["a"].clone(), result.clone())
    });
    outcomes.collect()
}

/// A model that gives each of its calls the same id has each run of its tool at the call that it is of, not the last one.
#[test]
fn calls_of_one_id_have_each_its_own_run() {
    let ask = |arguments: &str| calls(&[("c", "sh", arguments)]);
    let (first, second) = (ask("{\"a\": \"A1\"}"), ask("{\"a\": \"B1\"}"));
    let mut failed = function("f1", "a", 2, "sh", "{\"a\":\"A1\"}", Value::Null);
    failed["error"] = json!({"message": "BOOM", "data": null});
    let history = json!([user("Q1"), first, result("c", "error BOOM")]);
    let text = lines(&[
        agent("a", None, 0, "Solo"),
        generation("g1", "a", 1, json!([user("Q1")]), first),
        failed,
        generation("g2", "a", 3, history, second),
        function("f2", "a", 4, "sh", "{\"a\":\"B1\"}", json!("RB1")),
    ]);
    let view = import(&text, None);
    assert_eq!(came(&view.transcript), [(json!("A1"), json!("BOOM")), (json!("B1"), json!("RB1"))]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn calls_of_one_id_in_one_answer_have_each_the_run_with_its_arguments() {
    let both = calls(&[("c", "sh", "{\"a\": \"A1\"}"), ("c", "sh", "{\"a\": \"B1\"}")]);
    let text = lines(&[
        agent("a", None, 0, "Solo"),
        generation("g1", "a", 1, json!([user("Q1")]), both),
        function("f2", "a", 2, "sh", "{\"a\":\"B1\"}", json!("RB1")),
        function("f1", "a", 3, "sh", "{\"a\":\"A1\"}", json!("RA1")),
        function("f3", "a", 4, "sh", "{\"a\":\"C1\"}", json!("RC1")),
    ]);
    let view = import(&text, None);
    assert_eq!(came(&view.transcript), [(json!("A1"), json!("RA1")), (json!("B1"), json!("RB1"))]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    // The third run is of no call: it is reported, and kept.
    let found: Vec<&str> = view.files[0].diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(found, ["no model call started this run of `sh`"]);
    assert!(view.transcript["metadata"]["recording"]["kept"].to_string().contains("RC1"));
}

/// A span of RAAF when it starts, and when it ends.
fn raaf(id: &str, parent: Option<&str>, kind: &str, before: &Value, after: &Value) -> [String; 2] {
    let line = |event: &str, attributes: Value, end: Value| {
        let status = if attributes.get("status.description").is_some() { "error" } else { "ok" };
        json!({"event": event, "timestamp": "2026-05-01T10:00:00Z", "span": {
            "span_id": id, "trace_id": "trace_1", "parent_id": parent, "name": format!("{kind}.x"), "kind": kind,
            "start_time": "2026-05-01T10:00:00Z", "end_time": end, "duration_ms": null, "attributes": attributes,
            "events": [], "status": status}})
        .to_string()
    };
    let mut all = before.clone();
    all.as_object_mut().unwrap().extend(after.as_object().unwrap().clone());
    [line("start", before.clone(), Value::Null), line("end", all, json!("2026-05-01T10:00:00Z"))]
}

/// RAAF, the port to Ruby, gives a span that starts after a tool has ended that tool as its parent, and repeats answers and
/// results without their calls.
#[test]
fn spans_of_raaf_are_one_run() {
    let question = [json!({"role": "system", "content": "Add."}), user("1 + 1?")];
    let later = [question.to_vec(), vec![assistant(""), json!({"role": "tool", "content": "2"})]].concat();
    let [agent, agent_ends] =
        raaf("a", None, "agent", &json!({"agent.name": "Adder"}), &json!({"agent.tools": ["add"]}));
    let [first, first_ends] = raaf(
        "b",
        Some("a"),
        "llm",
        &json!({"llm.model": "gpt-x", "llm.request.messages": question}),
        &json!({"llm.usage.prompt_tokens": 9, "llm.response.content": "I add."}),
    );
    let [tool, tool_ends] = raaf(
        "c",
        Some("b"),
        "tool",
        &json!({"tool.name": "add", "tool.arguments": {"a": 1, "b": 1}}),
        &json!({"tool.result": "2"}),
    );
    let [second, second_ends] = raaf(
        "d",
        Some("c"),
        "llm",
        &json!({"llm.request.messages": later}),
        &json!({"llm.response.content": "Two."}),
    );
    let [third, third_ends] = raaf(
        "e",
        Some("c"),
        "llm",
        &json!({"llm.request.messages": later}),
        &json!({"status.description": "no calls"}),
    );
    let text =
        [agent, first, first_ends, tool, tool_ends, second, second_ends, third, third_ends, agent_ends];
    let text = text.join("\n");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("openai-agents-traces", "certain"), "{}", found.reason);
    let view = import(&text, None);
    assert!(view.ok);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Add.",
            "user: 1 + 1?",
            r#"calls add({"a": 1, "b": 1})"#,
            "add -> 2",
            "says: Two.",
            "fails: no calls"
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    assert_eq!(
        (&turn["llm_response"]["content"], &turn["llm_response"]["usage"]["prompt_tokens"]),
        (&json!("I add."), &json!(9))
    );
    assert_eq!(view.transcript["agent_config"], json!({"model": "gpt-x", "tools": ["add"]}));
    let report = &view.files[0].report;
    assert_eq!((report.used.len(), report.streamed.len(), report.kept.len()), (8, 0, 2));
}
