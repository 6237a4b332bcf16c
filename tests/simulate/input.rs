//! Input that cannot be run is reported with its place.

use serde_json::{Value, json};
use transcript_core::simulate::Simulation;

fn error(input: &Value) -> String {
    Simulation::new(input).unwrap_err().to_string()
}

#[test]
fn faults_have_places() {
    let agent = |more: Value| {
        let mut agent = json!({"name": "a"});
        agent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"agents": [agent], "steps": []})
    };
    let step = |step: Value| json!({"agents": [{"name": "a"}, {"name": "b"}], "steps": [step]});
    for (input, wanted) in [
        (json!(7), "must be a map, found a number"),
        (json!({}), "agents: a simulation needs an agent"),
        (json!({"agents": [{}]}), "agents[0]: an agent needs a `name` or a `key`"),
        (json!({"agents": [{"name": "a"}, {"name": "a"}]}), "agents[1]: duplicate agent `a`"),
        (
            json!({"agents": [{"name": "a"}], "profile": "odd"}),
            "profile: unknown profile `odd`; use `default` or `good-agent`",
        ),
        (json!({"agents": [{"name": "a"}], "stepz": []}), "stepz: unknown key `stepz`"),
        (agent(json!({"sytem": "x"})), "agents[0].sytem: unknown key `sytem`"),
        (agent(json!({"system": 7})), "agents[0].system: must be a string, found `7`"),
        (
            agent(json!({"max_iterations": -1})),
            "agents[0].max_iterations: must be an integer from 0, found `-1`",
        ),
        (
            agent(json!({"mock": [], "external": true})),
            "agents[0]: use only one of `handler`, `mock` and `external`",
        ),
        (agent(json!({"handler": {"responses": []}})), "agents[0].handler: a handler needs a `type`"),
        (
            agent(json!({"mock": ["x", 7]})),
            "agents[0].mock[1]: is a number, neither a response nor a handler",
        ),
        (
            agent(json!({"tools": [{"name": "f", "live": true, "results": []}]})),
            "agents[0].tools[0]: use only one of `results`, `live` and `agent`",
        ),
        (
            agent(json!({"tools": [{"name": "f", "results": [{}]}]})),
            "agents[0].tools[0].results[0]: a result needs `return` or `error`",
        ),
        (agent(json!({"tools": [{"agent": "c"}]})), "agents[0].tools[0].agent: unknown agent `c`"),
        (agent(json!({"tools": ["f", "f"]})), "agents[0].tools[1]: duplicate tool `f`"),
        (json!({"agents": [{"name": "a"}], "handlers": {"b": {}}}), "handlers.b: unknown agent `b`"),
        (
            json!({"agents": [{"name": "a", "mock": []}], "handlers": {"a": {}}}),
            "handlers.a: `a` already has the handler of `agents[0].mock`",
        ),
        (json!({"agents": [{"name": "a"}], "handlers": {"a": {}}}), "handlers.a: a handler needs a `type`"),
        (step(json!({})), "steps[0]: a step needs an `op`"),
        (step(json!({"op": "call"})), "steps[0]: a step needs an `agent` if there are several"),
        (step(json!({"op": "call", "agent": "c"})), "steps[0].agent: unknown agent `c`"),
        (
            step(json!({"op": "call", "agent": "a", "break_after": 1})),
            "steps[0].break_after: unknown key `break_after`",
        ),
        (
            step(json!({"op": "conversation", "agents": ["a"]})),
            "steps[0].agents: a conversation needs at least two agents",
        ),
        (
            step(json!({"op": "conversation", "agents": ["a", "a"]})),
            "steps[0].agents[1]: `a` is already a participant",
        ),
        (
            step(json!({"op": "append", "agent": "a", "role": "tool"})),
            "steps[0].role: unknown role `tool`; use `system`, `user` or `assistant`",
        ),
    ] {
        assert_eq!(error(&input), wanted);
    }
    let unknown = error(&step(json!({"op": "cal", "agent": "a"})));
    assert!(unknown.starts_with("steps[0].op: unknown op `cal`; use one of `call`, "), "{unknown}");
}

#[test]
fn handlers_are_compiled_at_once() {
    for handler in [
        json!({"type": "nonsense"}),
        json!({"type": "queue"}),
        json!({"type": "conditional", "rules": [{"when": "a ==", "respond": "x"}]}),
        json!({"type": "transcript", "source": "elsewhere.yaml"}),
    ] {
        let text = error(&json!({"agents": [{"name": "a", "handler": handler}]}));
        assert!(text.starts_with("agents[0].handler"), "{text}");
    }
}

#[test]
fn what_is_no_schema_is_reported() {
    let input = |schema: Value, of_step: Value| {
        json!({
            "agents": [{"name": "a", "mock": [], "output_schema": schema}],
            "steps": [{"op": "call", "output_schema": of_step}],
        })
    };
    let sound = json!({"type": "object"});
    for (input, wanted) in [
        (
            input(json!({"properties": {"temp": {"type": "float"}}}), sound.clone()),
            "agents[0].output_schema.properties.temp.type: unknown type `float`",
        ),
        (input(sound.clone(), json!([])), "steps[0].output_schema: must be a schema, found a list"),
    ] {
        assert_eq!(error(&input), wanted);
    }
    assert!(Simulation::new(&input(sound, Value::Null)).is_ok());
}
