//! What the documents promise and the library does not keep.

use serde_json::{Value, json};
use transcript_core::simulate::{Progress, Simulation};

use super::{finished, run, step_messages};

fn with_tool(tool: Value, responses: Value) -> Value {
    json!({
        "agents": [{"name": "a", "tools": [tool], "mock": responses}],
        "steps": [{"op": "execute", "content": "Go"}],
    })
}

#[test]
fn a_result_in_a_response_is_what_the_tool_returns() {
    let tool = json!({"name": "f", "results": [{"return": "really run"}]});
    let calls = json!([
        {"name": "f", "arguments": {}, "result": {"temp": 72}},
        {"name": "f", "arguments": {}, "error": "no net"},
        {"name": "f", "arguments": {}},
    ]);
    let responses = json!([{"content": "Go", "tool_calls": calls}, "end"]);
    let report = run(&with_tool(tool.clone(), responses.clone()));
    assert_eq!(
        step_messages(&report, 0),
        [
            "assistant: Go",
            "tool: {\"temp\": 72}",
            "tool: Error: no net",
            "tool: really run",
            "assistant: end"
        ]
    );
    assert_eq!(report.tool_executions.len(), 1, "only the last one ran");

    let mut library = with_tool(tool, responses);
    library["profile"] = "good-agent".into();
    assert_eq!(run(&library).tool_executions.len(), 3, "the library runs them all");
}

#[test]
fn what_an_answer_carries_is_kept() {
    let report = run(&json!({
        "agents": [{"name": "a", "mock": [{
            "content": "No", "refusal": "not this", "reasoning": "because", "citations": ["x"],
            "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}, "metadata": {"k": 1},
        }]}],
        "steps": [{"op": "call", "content": "Hi"}],
    }));
    let message = report.steps[0].returned.as_ref().unwrap();
    assert_eq!(message.carries["refusal"], "not this");
    assert_eq!(message.carries["reasoning"], "because");
    assert_eq!(message.carries["metadata"]["k"], 1);
    let turn = &report.transcript["execution"][0];
    assert_eq!(turn["llm_response"]["refusal"], "not this");
    assert_eq!(turn["message_created"]["usage"]["total_tokens"], 4);
}

#[test]
fn errors_have_names_and_places() {
    let error = |handler: Value| {
        let report = run(&json!({
            "agents": [{"name": "a", "handler": handler}],
            "steps": [{"op": "call", "content": "Hi"}, {"op": "call", "content": "again"}],
        }));
        assert_eq!(report.agents[0].call_count, 2, "it stays usable");
        let error = report.steps[0].error.clone().unwrap();
        (error.kind, error.path)
    };
    let (kind, path) = error(json!({"type": "queue", "responses": []}));
    assert_eq!(kind, "MockExhaustedError");
    assert!(path.starts_with("steps[0]"), "{path}");
    let rules = json!([{"when": {"last_user_contains": "nope"}, "respond": "x"}]);
    assert_eq!(error(json!({"type": "conditional", "rules": rules})).0, "MockNoMatchError");
    let states = json!({"a": {"respond": "x"}});
    let machine = json!({"type": "state_machine", "initial": "b", "states": states});
    assert_eq!(error(machine).0, "UnknownStateError");
    assert_eq!(error(json!({"type": "fail", "error": "overloaded"})).0, "MockFailureError");
}

#[test]
fn structured_output_is_held_to_its_schema() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let ask = |answer: Value| {
        run(&json!({
            "agents": [{"name": "a", "output_schema": schema, "mock": [answer]}],
            "steps": [{"op": "call", "content": "extract"}],
        }))
    };
    let report = ask("{\"city\": \"Paris\"}".into());
    assert_eq!(report.steps[0].returned.as_ref().unwrap().carries["parsed"]["city"], "Paris");
    let turn = &report.transcript["execution"][0];
    assert_eq!(turn["llm_response"]["parsed"]["city"], "Paris");
    assert_eq!(turn["llm_config"]["response_schema"], schema);

    let error = |answer: &str| {
        let mut simulation = Simulation::new(&json!({
            "agents": [{"name": "a", "mock": [answer]}],
            "steps": [{"op": "call", "content": "extract", "output_schema": schema}],
        }))
        .unwrap();
        assert_eq!(simulation.run(), Progress::Done);
        simulation.report().steps[0].error.clone().unwrap()
    };
    assert_eq!(error("{\"city\": 7}").message, "`city` must be a string, found `7`");
    assert_eq!(error("{}").message, "the response has no `city`");
    assert_eq!(error("Paris").kind, "OutputSchemaError");
}

#[test]
fn arguments_fit_their_schema() {
    let parameters = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "zone": {"type": "string", "default": "UTC"}},
        "required": ["n"],
    });
    let tool = json!({"name": "f", "parameters": parameters, "results": [{"return": "ok"}]});
    let calls = json!([["f", {"n": "5"}], ["f", {}], ["g", {}]]);
    let report = run(&with_tool(tool, json!([{"content": "Go", "tool_calls": calls}, "end"])));
    assert_eq!(
        step_messages(&report, 0),
        [
            "assistant: Go",
            "tool: ok",
            "tool: Error: the argument map has no `n`",
            "tool: Error: unknown tool `g`",
            "assistant: end"
        ]
    );
    assert_eq!(report.tool_executions[0].arguments, json!({"n": 5, "zone": "UTC"}));
}

#[test]
fn live_tools_are_run_by_the_host() {
    let calls = json!([["f", {"x": 1}], ["f", {"x": 2}]]);
    let mut simulation = Simulation::new(&with_tool(
        json!({"name": "f", "live": true}),
        json!([{"content": "Go", "tool_calls": calls}, "end"]),
    ))
    .unwrap();
    let Progress::NeedsTool { agent, call, .. } = simulation.run() else { panic!() };
    assert_eq!((&*agent, &*call.name, &call.arguments), ("a", "f", &json!({"x": 1})));
    assert!(simulation.response(&json!("x")).is_err(), "no reply is awaited");
    assert!(matches!(simulation.run(), Progress::NeedsTool { .. }), "it asks again");
    simulation.tool_result(&json!([1, 2])).unwrap();
    let Progress::NeedsTool { call, .. } = simulation.run() else { panic!() };
    assert_eq!(call.arguments, json!({"x": 2}));
    simulation.tool_error(&json!({"type": "ValueError", "message": "broken"})).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    assert!(simulation.tool_result(&json!(1)).is_err(), "nothing is pending");
    let report = finished(&simulation);
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: Go", "tool: [1, 2]", "tool: Error: broken", "assistant: end"]
    );
}

#[test]
fn a_function_may_fail_or_answer_nonsense() {
    let mut simulation = Simulation::new(&json!({
        "agents": [{"name": "a", "external": true}],
        "steps": [{"op": "call", "content": "1"}, {"op": "call", "content": "2"}, {"op": "call", "content": "3"}],
    }))
    .unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsResponse { .. }));
    simulation.response_error("ValueError", "Handler failed!").unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsResponse { .. }));
    simulation.response(&json!(123)).unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsResponse { .. }));
    simulation.response(&json!("fine")).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let report = finished(&simulation);
    let errors: Vec<_> = report.steps.iter().filter_map(|step| step.error.as_ref()).collect();
    assert_eq!(errors[0].message, "Handler failed!");
    assert_eq!(
        (&*errors[1].kind, &*errors[1].message),
        (
            "InvalidResponseError",
            "a handler returned 123; return a string, or a map with `content` or `tool_calls`"
        )
    );
    assert_eq!(step_messages(&report, 2), ["assistant: fine"]);
}

#[test]
fn in_a_conversation_a_turn_goes_on_until_it_is_answered() {
    let report = run(&json!({
        "agents": [
            {
                "key": "a", "tools": [{"name": "clock", "results": [{"return": "12:00"}]}],
                "mock": [{"content": "", "tool_calls": [["clock", {}]]}, "It's noon"],
            },
            {"key": "b", "mock": ["Thanks", "More?"]},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 2}],
    }));
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: ", "tool: 12:00", "assistant: It's noon", "assistant: Thanks"]
    );
    let received: Vec<_> = report.agents[1].messages.iter().map(|message| message.content.clone()).collect();
    assert_eq!(received, ["It's noon", "Thanks"]);
    assert_eq!(report.transcript["execution"][0]["agent"], "a");
    assert!(report.transcript["agents"]["b"].is_object());
}

#[test]
fn contexts_and_messages_come_between_steps() {
    let report = run(&json!({
        "agents": [{
            "name": "a", "context": {"name": "Ann"},
            "handler": {"type": "repeat", "respond": "Hello {{ context.name }}{{ context.mood }}"},
        }],
        "steps": [
            {"op": "set_context", "context": {"name": "Bob"}},
            {"op": "call", "content": "Hi"},
            {"op": "append", "role": "system", "content": "Be short"},
            {"op": "set_context", "context": {"mood": "!"}, "remove": ["name"]},
            {"op": "call", "content": "And now?"},
            {"op": "reenter"},
            {"op": "call"},
        ],
    }));
    assert_eq!(step_messages(&report, 1), ["assistant: Hello Bob"]);
    assert_eq!(step_messages(&report, 4), ["assistant: Hello !"]);
    assert_eq!(report.transcript["initial_state"]["context"], json!({"name": "Bob"}));
    assert_eq!(report.transcript["final_state"]["context"], json!({"mood": "!"}));
    assert_eq!(report.transcript["execution"][1]["type"], "message");
    assert_eq!((report.agents[0].call_count, report.agents[0].calls.len()), (1, 3));
}

#[test]
fn a_consumer_may_stop_listening() {
    let report = run(&json!({
        "agents": [{
            "name": "a", "tools": [{"name": "f", "results": [{"return": 1}]}],
            "mock": [{"content": "Go", "tool_calls": [["f", {}]]}, "end"],
        }],
        "steps": [
            {"op": "execute", "content": "Go", "break_after": 1},
            {"op": "pending"},
            {"op": "execute"},
        ],
    }));
    assert_eq!(step_messages(&report, 0), ["assistant: Go"]);
    assert_eq!(report.steps[1].pending.as_ref().unwrap()[0].name, "f");
    assert_eq!(step_messages(&report, 2), ["tool: 1", "assistant: end"]);
}

#[test]
fn a_streamed_answer_says_what_its_pieces_say() {
    let report = run(&json!({
        "agents": [{"name": "a", "mock": [{"chunks": [{"text": "It is "}, {"text": "noon"}]}]}],
        "steps": [{"op": "call", "content": "time?"}],
    }));
    assert_eq!(step_messages(&report, 0), ["assistant: It is noon"]);
    assert_eq!(report.transcript["execution"][0]["llm_response"]["chunks"][1]["text"], "noon");
}

#[test]
fn handlers_may_stand_next_to_their_agents() {
    let report = run(&json!({
        "agents": [{"key": "a", "name": "ann"}, {"name": "bob"}],
        "handlers": {
            "ann": {"type": "repeat", "respond": "Ann here"},
            "bob": {"type": "repeat", "respond": "Bob here"},
        },
        "steps": [{"op": "conversation", "agents": ["a", "bob"], "max_iterations": 2}],
    }));
    assert_eq!(step_messages(&report, 0), ["assistant: Ann here", "assistant: Bob here"]);
}

/// The types that the schema names are those of the answer, inside lists and maps too.
#[test]
fn an_answer_has_the_types_of_its_schema() {
    let schema = json!({
        "type": "object", "required": ["city", "temps"],
        "properties": {"city": {"type": "string"}, "temps": {"type": "array", "items": {"type": "integer"}}},
    });
    for (answer, wanted) in [
        (json!({"city": "Paris", "temps": [1, 2]}), None),
        (json!({"city": 7, "temps": []}), Some("`city` must be a string, found `7`")),
        (json!({"city": "Paris", "temps": [1, "2"]}), Some("`temps[1]` must be an integer, found a string")),
        (json!({"city": "Paris"}), Some("the response has no `temps`")),
        (json!([]), Some("the response must be a map, found a list")),
    ] {
        let report = run(&json!({
            "agents": [{"name": "a", "mock": [answer.to_string()], "output_schema": schema}],
            "steps": [{"op": "call", "content": "?"}],
        }));
        let error = report.steps[0].error.as_ref();
        assert_eq!(error.map(|error| error.kind.as_str()), wanted.map(|_| "OutputSchemaError"));
        assert_eq!(error.map(|error| error.message.as_str()), wanted);
    }
}

/// That the rounds are used up while the model wants to go on is an event.
#[test]
fn the_end_of_the_rounds_is_reported() {
    let events = |rounds: u64, profile: &str| {
        let report = run(&json!({
            "profile": profile,
            "agents": [{
                "name": "a", "max_iterations": rounds, "tools": [{"name": "f", "results": [{"return": 1}]}],
                "mock": [{"content": "x", "tool_calls": [{"name": "f", "tool_name": "f", "arguments": {}}]}, "end"],
            }],
            "steps": [{"op": "execute", "content": "?"}],
        }));
        let events = &report.steps[0].events;
        let at = events.iter().position(|event| event.event == "execute:max_iterations");
        at.map(|at| (events[at].fields["maxIterations"].clone(), events[at + 1].event.clone()))
    };
    assert_eq!(events(1, "default"), Some((json!(1), "execute:after".into())));
    assert_eq!(events(2, "default"), None);
    // The library says nothing.
    assert_eq!(events(1, "good-agent"), None);
}
