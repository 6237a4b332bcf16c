//! Agents as tools of agents.

use serde_json::{Value, json};
use transcript_core::simulate::{Progress, Simulation};

use super::{finished, run, step_messages};

fn ask(responses: Value) -> Value {
    json!({
        "agents": [
            {
                "key": "a", "system": "You are helpful",
                "tools": [{"agent": "specialist", "description": "Knows the weather"}],
                "mock": [
                    {"content": "ask", "tool_calls": [["specialist", {"prompt": "weather?"}]]},
                    {"content": "again", "tool_calls": [["specialist", {"prompt": "time?"}]]},
                    "final",
                ],
            },
            {
                "key": "specialist", "system": "You are a specialist",
                "tools": [{"name": "look", "results": [{"return": "sunny"}]}],
                "handler": responses,
            },
        ],
        "steps": [{"op": "execute", "agent": "a", "content": "go"}],
    })
}

#[test]
fn an_agent_answers_as_a_tool() {
    let responses = json!([{"content": "", "tool_calls": [["look", {}]]}, "It is sunny", "It is noon"]);
    let report = run(&ask(json!({"type": "queue", "responses": responses})));
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: ask", "tool: It is sunny", "assistant: again", "tool: It is noon", "assistant: final"]
    );
    // Each use begins with the agent's own history alone, and its handler goes on where it was.
    assert_eq!(report.agents[1].messages.len(), 1);
    assert_eq!(report.agents[1].calls.len(), 3);
    let result = &report.transcript["execution"][1]["tool_call"]["result"];
    assert_eq!(
        (&result["type"], &result["response"]),
        (&json!("nested_agent_result"), &json!("It is sunny"))
    );
    let inner = &result["nested_transcript"];
    assert_eq!(inner["initial_state"]["message_store"].as_array().unwrap().len(), 2);
    assert_eq!(inner["execution"].as_array().unwrap().len(), 3);
    assert!(report.transcript.get("agents").is_none());
}

#[test]
fn an_agent_may_fail_as_a_tool() {
    let report = run(&ask(json!({"type": "queue", "responses": ["only one"]})));
    let messages = step_messages(&report, 0);
    assert_eq!(messages[1], "tool: only one");
    assert!(messages[3].starts_with("tool: Error: MockExhaustedError: "), "{}", messages[3]);
    assert_eq!(messages[4], "assistant: final");
    assert!(report.steps[0].error.is_none());
}

#[test]
fn a_function_may_answer_inside() {
    let mut input = ask(Value::Null);
    input["agents"][1]["external"] = true.into();
    let mut simulation = Simulation::new(&input).unwrap();
    for answer in ["one", "two"] {
        let Progress::NeedsResponse { agent, context } = simulation.run() else { panic!() };
        assert_eq!(agent, "specialist");
        assert_eq!(context.messages.len(), 2);
        simulation.response(&answer.into()).unwrap();
    }
    assert_eq!(simulation.run(), Progress::Done);
    let report = finished(&simulation);
    assert_eq!(step_messages(&report, 0)[3], "tool: two");
}

#[test]
fn agents_that_call_each_other_come_to_an_end() {
    let loops = |other: &str| {
        json!({
            "type": "conditional",
            "rules": [{"when": {"last_role": "user"}, "respond": {"tool_calls": [[other, {"prompt": "you?"}]]}}],
            "default": "{{ last_tool }}",
        })
    };
    let report = run(&json!({
        "agents": [
            {"key": "a", "tools": [{"agent": "b"}], "handler": loops("b")},
            {"key": "b", "tools": [{"agent": "a"}], "handler": loops("a")},
        ],
        "steps": [{"op": "call", "agent": "a", "content": "go"}, {"op": "pending", "agent": "a"}],
        "limits": {"depth": 5},
    }));
    let error = report.steps[0].error.as_ref().unwrap();
    assert_eq!(error.kind, "AgentDepthError");
    assert_eq!(
        error.message,
        "agents call each other more than 5 levels deep: a -> b -> a -> … -> a -> b -> a"
    );
    // Nothing stays open.
    assert_eq!(report.steps[1].pending, Some(Vec::new()));
}

/// Each round of such an agent would begin the same again, so that it ends at the first that is too deep.
#[test]
fn an_agent_that_calls_itself_ends_at_the_stated_depth() {
    let itself = |depth: u64| {
        let again =
            json!({"type": "repeat", "respond": {"content": "", "tool_calls": [["a", {"prompt": "you?"}]]}});
        let report = run(&json!({
            "agents": [{"key": "a", "tools": [{"agent": "a"}], "handler": again}],
            "steps": [{"op": "call", "content": "go"}, {"op": "append", "content": "still there"}],
            "limits": {"depth": depth},
        }));
        let error = report.steps[0].error.clone().unwrap();
        assert_eq!((error.kind.as_str(), error.path.as_str()), ("AgentDepthError", "steps[0]"));
        assert!(report.steps[1].error.is_none());
        (report.agents[0].calls.len(), error.message)
    };
    // A call of the model for each that waits, and one for the last of them.
    assert_eq!(itself(1), (2, "`a` calls itself more than 1 levels deep: a -> a -> a".to_owned()));
    assert_eq!(itself(16).0, 17);
    assert_eq!(itself(32).0, 33);
    // Deeper runs would be deeper documents than readers take.
    assert_eq!(itself(1_000).0, 33);
}

/// What is open in its own history is no task of the run that answers it.
#[test]
fn an_agent_may_ask_itself() {
    let once = json!({
        "type": "conditional",
        "rules": [
            {"when": {"last_user_equals": "and you?"}, "respond": "I, inside"},
            {"when": {"last_role": "user"}, "respond": {"tool_calls": [["a", {"prompt": "and you?"}]]}},
        ],
        "default": "it says: {{ last_tool }}",
    });
    let report = run(&json!({
        "agents": [{"key": "a", "tools": [{"agent": "a"}], "handler": once}],
        "steps": [{"op": "execute", "content": "go"}],
    }));
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: ", "tool: I, inside", "assistant: it says: I, inside"]
    );
}

#[test]
fn an_agent_without_a_message_says_so() {
    let ask = |tool: Value, arguments: Value| {
        run(&json!({
            "agents": [
                {"key": "a", "tools": [tool], "mock": [{"tool_calls": [["b", arguments]]}, "done"]},
                {"key": "b", "mock": ["inner"]},
            ],
            "steps": [{"op": "execute", "agent": "a", "content": "go"}],
        }))
    };
    let report = ask(json!({"agent": "b"}), json!({"q": "the weather?"}));
    let answer = &step_messages(&report, 0)[1];
    assert!(answer.starts_with("tool: Error: ") && answer.contains("`prompt`"), "{answer}");
    // The other agent was not called, and the run goes on.
    assert_eq!((report.agents[1].calls.len(), step_messages(&report, 0)[2].as_str()), (0, "assistant: done"));
    assert!(
        step_messages(&ask(json!({"agent": "b"}), json!({"prompt": 7})), 0)[1].starts_with("tool: Error: ")
    );

    // A tool with other arguments passes all of them to the other agent.
    let own = json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]});
    let report = ask(json!({"agent": "b", "parameters": own}), json!({"q": "the weather?"}));
    let inner = &report.transcript["execution"][1]["tool_call"]["result"]["nested_transcript"];
    assert_eq!(inner["initial_state"]["message_store"][0]["content"], "{\"q\": \"the weather?\"}");
}
