//! Simulations through the one door that page, package and command line use.

use serde_json::{Value, json};
use transcript_core::view::{Limits, simulation, simulation_call};

const SCENARIO: &str = "
agents:
  - name: bot
    external: true
    tools: [look]
steps:
  - {op: execute, content: Hi, kwargs: {temperature: 0}}
";

#[test]
fn all_of_it_is_plain_data() {
    let mut bot = simulation(SCENARIO, &Limits::default()).unwrap();
    let mut call = |method: &str, argument: Value| simulation_call(&mut bot, method, &argument);
    let mut names = Vec::new();
    let question = loop {
        let next = call("poll", Value::Null).unwrap();
        match next["kind"].as_str() {
            Some("event") => names.push(next["event"]["event"].as_str().unwrap().to_owned()),
            _ => break next,
        }
    };
    assert_eq!(
        names,
        ["message:append:after", "execute:before", "execute:iteration:before", "llm:complete:before"]
    );
    assert_eq!((&question["kind"], &question["agent"]), (&json!("needsReply"), &json!("bot")));
    let context = &question["context"];
    assert_eq!((&context["callCount"], &context["iteration"]), (&json!(1), &json!(0)));
    assert_eq!((&context["tools"], &context["kwargs"]), (&json!(["look"]), &json!({"temperature": 0})));
    assert_eq!(call("toolResult", json!(1)).unwrap_err(), "a reply is awaited");
    call("reply", json!({"tool_calls": [{"name": "look", "arguments": {"at": "sky"}}]})).unwrap();
    let wanted = json!({
        "kind": "needsTool", "agent": "bot",
        "call": {"id": "call_001", "name": "look", "arguments": {"at": "sky"}},
        "ahead": [],
    });
    assert_eq!(call("run", Value::Null).unwrap(), wanted);
    call("toolError", json!({"type": "IOError", "message": "clouds"})).unwrap();
    assert_eq!(call("run", Value::Null).unwrap()["context"]["messages"][2]["content"], "Error: clouds");
    call("replyError", json!({"type": "Overloaded", "message": "later"})).unwrap();
    assert_eq!(call("run", Value::Null).unwrap(), json!({"kind": "done"}));
    assert_eq!(call("reply", json!("late")).unwrap_err(), "nothing is awaited");
    assert_eq!(call("fly", Value::Null).unwrap_err(), "a simulation has no `fly`");

    let report = call("report", Value::Null).unwrap();
    let step = &report["steps"][0];
    assert_eq!(step["error"], json!({"type": "Overloaded", "message": "later", "path": "steps[0]"}));
    assert_eq!(step["yielded"][1]["toolResponse"]["error"], "clouds");
    assert_eq!(report["toolExecutions"][0]["callId"], "call_001");
    assert_eq!(report["agents"][0]["calls"][1]["error"]["type"], "Overloaded");
    let sent = call("sent", json!({"agent": "bot", "call": 1})).unwrap();
    assert_eq!(sent.as_array().unwrap().len(), 3);
    assert_eq!(sent[2]["toolCallId"], "call_001");
    assert_eq!(call("transcript", Value::Null).unwrap(), report["transcript"]);
    assert_eq!(report["transcript"]["execution"][2]["llm_error"]["message"], "later");
}

#[test]
fn faults_of_a_text_have_lines() {
    let faults = |text: &str| {
        let problems = simulation(text, &Limits::default()).unwrap_err();
        let first = &problems[0];
        (first.name, first.path.clone(), first.place.line)
    };
    assert_eq!(faults("agents: [\n"), ("SyntaxError", String::new(), 1));
    assert_eq!(
        faults("agents:\n  - name: a\n    tools: [{name: f, live: 7}]"),
        ("InputError", "agents[0].tools[0].live".to_owned(), 3)
    );
    let raised = "profile: good-agent\nagents:\n  - name: a\n    mock:\n      - 12345";
    assert_eq!(faults(raised), ("TypeError", "agents[0].mock[0]".to_owned(), 5));
    assert_eq!(faults(""), ("SyntaxError", String::new(), 1));
}
