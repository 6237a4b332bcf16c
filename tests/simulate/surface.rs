//! Simulations through the one door that page, package and command line use.

use serde_json::{Value, json};
use transcript_core::diagnostic::render::TerminalStyle;
use transcript_core::document::{Document, Limits};
use transcript_core::mock::Code;
use transcript_core::view::{
    simulation, simulation_call, simulation_problems_text, simulation_with, start_conversation,
};

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
    assert_eq!((&question["kind"], &question["agent"]), (&json!("needsResponse"), &json!("bot")));
    let context = &question["context"];
    assert_eq!((&context["callCount"], &context["iteration"]), (&json!(1), &json!(0)));
    assert_eq!((&context["tools"], &context["kwargs"]), (&json!(["look"]), &json!({"temperature": 0})));
    assert_eq!(call("toolResult", json!(1)).unwrap_err().to_string(), "a model response is pending");
    call("response", json!({"tool_calls": [{"name": "look", "arguments": {"at": "sky"}}]})).unwrap();
    let wanted = json!({
        "kind": "needsTool", "agent": "bot",
        "call": {"id": "call_001", "name": "look", "arguments": {"at": "sky"}},
        "ahead": [],
    });
    assert_eq!(call("run", Value::Null).unwrap(), wanted);
    call("toolError", json!({"type": "IOError", "message": "clouds"})).unwrap();
    assert_eq!(call("run", Value::Null).unwrap()["context"]["messages"][2]["content"], "Error: clouds");
    call("responseError", json!({"type": "Overloaded", "message": "later"})).unwrap();
    assert_eq!(call("run", Value::Null).unwrap(), json!({"kind": "done"}));
    assert_eq!(call("response", json!("late")).unwrap_err().to_string(), "nothing is pending");
    assert_eq!(call("fly", Value::Null).unwrap_err().to_string(), "a simulation has no `fly`");

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
        (first.name.to_string(), first.path.clone(), first.place.line)
    };
    assert_eq!(faults("agents: [\n"), ("SyntaxError".to_owned(), String::new(), 1));
    assert_eq!(
        faults("agents:\n  - name: a\n    tools: [{name: f, live: 7}]"),
        ("InputError".to_owned(), "agents[0].tools[0].live".to_owned(), 3)
    );
    let raised = "profile: good-agent\nagents:\n  - name: a\n    mock:\n      - 12345";
    assert_eq!(faults(raised), ("TypeError".to_owned(), "agents[0].mock[0]".to_owned(), 5));
    assert_eq!(faults(""), ("SyntaxError".to_owned(), String::new(), 1));
}

/// What is reported of a text, as a person sees it.
fn report_text(text: &str, message: Option<&str>) -> String {
    let begun = match message {
        None => simulation(text, &Limits::default()),
        Some(message) => {
            start_conversation(text, &[message.to_owned()], None, &Limits::default(), &Code::default())
                .unwrap()
                .map(|begun| begun.simulation)
        }
    };
    simulation_problems_text("file", text, &begun.unwrap_err(), TerminalStyle::Plain)
}

#[test]
fn handlers_are_reported_where_they_were_written() {
    let text = "\
handlers:
  my.bot:
    type: conditional
    rules:
      - when: {last_user_contain: sunny}
        respond: Sunny!
  other:
    type: queu
    responses: [A]
";
    let wanted = "\
error[T609]: unknown test `last_user_contain` in `when`
 --> file:5:16
  |
5 |       - when: {last_user_contain: sunny}
  |                ^^^^^^^^^^^^^^^^^
  |
  = help: did you mean `last_user_contains`?

error[T601]: unknown type `queu` of `other`
 --> file:8:11
  |
8 |     type: queu
  |           ^^^^
  |
  = help: did you mean `queue`?

";
    assert_eq!(report_text(text, Some("Hi")), wanted);
    let problems = start_conversation(text, &["Hi".to_owned()], None, &Limits::default(), &Code::default())
        .unwrap()
        .unwrap_err();
    assert_eq!(problems[0].path, "handlers.my.bot.rules[0].when.last_user_contain");
    assert_eq!(
        (problems[1].path.as_str(), &*problems[1].name),
        ("handlers.other.type", "InvalidHandlerError")
    );
}

/// What a handler with this condition is refused for: the code and the path.
fn refused(when: &str) -> (&'static str, String) {
    let text = format!(
        "handlers: {{bot: {{type: conditional, rules: [{{when: {when}, respond: five}}], default: d}}}}"
    );
    let conversation =
        start_conversation(&text, &["Hi".to_owned()], None, &Limits::default(), &Code::default()).unwrap();
    let inner = text.strip_prefix("handlers: {bot: ").unwrap().strip_suffix('}').unwrap();
    let run = simulation(&format!("agents: [{{name: bot, handler: {inner}}}]"), &Limits::default());
    let (conversation, run) = (conversation.unwrap_err(), run.unwrap_err());
    assert_eq!((conversation[0].code, &conversation[0].message), (run[0].code, &run[0].message), "{when}");
    (conversation[0].code.unwrap_or_default(), conversation[0].path.clone())
}

#[test]
fn a_condition_that_the_rules_refuse_is_not_run() {
    let conditions = [
        ("{all: {last_role: tool}}", "all"),
        ("{all: []}", "all"),
        ("{any: []}", "any"),
        ("{last_user_contains: []}", "last_user_contains"),
        ("{iteration: -1}", "iteration"),
        ("{last_role: usr}", "last_role"),
        ("{call_count: {at_least: 3, at_most: 2}}", "call_count"),
    ];
    for (when, test) in conditions {
        assert_eq!(refused(when), ("T610", format!("handlers.bot.rules[0].when.{test}")), "{when}");
    }
    // A bound that was misspelt would hold always.
    let (code, path) = refused("{call_count: {atleast: 5}}");
    assert_eq!((code, &*path), ("T609", "handlers.bot.rules[0].when.call_count.atleast"));
    let read =
        "handlers: {bot: {type: conditional, rules: [{when: {call_count: {at_least: 1}}, respond: five}]}}";
    assert!(
        start_conversation(read, &["Hi".to_owned()], None, &Limits::default(), &Code::default())
            .unwrap()
            .is_ok()
    );
}

#[test]
fn a_scenario_is_reported_where_it_was_written() {
    let agent = "agents:\n  - {name: bot, mock: [Hi]}\n";
    let caret = |text: &str| {
        let report = report_text(text, None);
        let mut lines = report.lines();
        let (head, place) = (lines.next().unwrap().to_owned(), lines.next().unwrap().trim().to_owned());
        let help = lines.find_map(|line| Some(line.split_once("= help: ")?.1.to_owned()));
        (head, place, help.unwrap_or_default())
    };
    for (text, head, place, help) in [
        (
            format!("{agent}steps: [{{op: call, agent: bott}}]"),
            "error: unknown agent `bott`",
            "--> file:3:27",
            "did you mean `bot`?",
        ),
        (
            format!("{agent}steps: [{{op: call, agnet: bot}}]"),
            "error: unknown key `agnet`",
            "--> file:3:20",
            "did you mean `agent`?",
        ),
        (
            format!("{agent}limits: {{depth: x}}"),
            "error: `limits.depth` must be an integer from 0, found a string",
            "--> file:3:17",
            "",
        ),
        (
            "agents: [{name: bot, handler: {type: conditional, rules: [{wen: x, respond: y}]}}, {nam: x}]"
                .to_owned(),
            "error: unknown key `nam`",
            "--> file:1:85",
            "did you mean `name`?",
        ),
        (
            "{\"agents\": [{\"name\": \"bot\", \"handler\": {\"type\": \"queu\"}}]}".to_owned(),
            "error[T601]: unknown type `queu` of `bot`",
            "--> file:1:49",
            "did you mean `queue`?",
        ),
        ("agents: [".to_owned(), "error[T001]: the bracket is not closed", "--> file:1:9", "add `]`"),
        ("7".to_owned(), "error: the simulation must be a map, found a number", "--> file:1:1", ""),
    ] {
        assert_eq!(caret(&text), (head.to_owned(), place.to_owned(), help.to_owned()), "{text}");
    }
}

#[test]
fn a_trace_names_what_was_written() {
    let text = "tools: [look]\nhandlers:\n  a: {type: repeat, respond: A}\n  b: {type: conditional, rules: [{when: {last_user_contains: x}, respond: X}], default: No}";
    let mut b = start_conversation(text, &["Hi".to_owned()], Some("b"), &Limits::default(), &Code::default())
        .unwrap()
        .unwrap()
        .simulation;
    b.run();
    let report = b.report();
    let call = &report.agents[1].calls[0];
    let paths: Vec<&str> = call.trace.decisions.iter().map(|decision| decision.path.as_str()).collect();
    assert_eq!(paths, ["handlers.b.rules[0]", "handlers.b.default"]);
    assert_eq!(call.tools, ["look"]);
    // The tools are next to the handlers.
    let invalid = "tools: [{name: f, parameters: 7}]\nhandlers: {a: {type: repeat, respond: A}}";
    let report = report_text(invalid, Some("Hi"));
    assert!(
        report.starts_with("error: `tools[0].parameters` must be a map, found `7`\n --> file:1:31\n"),
        "{report}"
    );
}

#[test]
fn handlers_with_steps_are_a_scenario() {
    let text = "\
name: guide
tags: [greeting]
tools:
  - name: look
    results: [{return: sunny}]
handlers:
  a: {type: queue, responses: [{tool_calls: [{name: look, arguments: {}}]}, \"It is {{ last_tool }}\"]}
  b: {type: repeat, respond: B}
steps:
  - {op: execute, agent: a, content: Hi}
  - {op: call, agent: b, content: And you?}
";
    let document = Document::open(text, &Limits::default());
    assert!(document.diagnostics().is_empty(), "{:?}", document.diagnostics());
    let mut scenario = simulation(text, &Limits::default()).unwrap();
    scenario.run();
    let report = scenario.report();
    let contents: Vec<String> =
        report.steps[0].yielded.iter().flatten().map(|message| message.content.to_string()).collect();
    assert_eq!(contents, ["\"\"", "\"sunny\"", "\"It is sunny\""]);
    assert_eq!(report.steps[1].returned.as_ref().unwrap().content, "B");
    assert_eq!(report.transcript["metadata"]["name"], "guide");
    // The messages of the caller take the place of the steps.
    let mut other =
        start_conversation(text, &["Hi".to_owned()], Some("b"), &Limits::default(), &Code::default())
            .unwrap()
            .unwrap()
            .simulation;
    other.run();
    assert_eq!(other.report().steps.len(), 1);
    // A key that nothing reads is reported as in any scenario.
    let invalid = format!("{text}agent: [a]\n");
    assert_eq!(
        simulation(&invalid, &Limits::default()).unwrap_err()[0].help.as_deref(),
        Some("did you mean `agents`?")
    );
}

#[test]
fn one_talks_to_the_agents_of_a_scenario() {
    let text =
        "agents: [{name: a, mock: [A]}, {key: b, name: Bob, mock: [B]}]\nsteps: [{op: call, agent: a}]";
    let reply_of = |agent: Option<&str>| {
        let mut begun =
            start_conversation(text, &["Hi".to_owned()], agent, &Limits::default(), &Code::default())
                .unwrap()
                .unwrap()
                .simulation;
        begun.run();
        begun.report().steps[0].yielded.as_ref().unwrap()[0].content.clone()
    };
    assert_eq!((reply_of(None), reply_of(Some("b"))), ("A".into(), "B".into()));
    let nobody = start_conversation(text, &[], Some("bb"), &Limits::default(), &Code::default()).unwrap_err();
    assert_eq!(nobody.to_string(), "the text has no handler `bb`; did you mean `b`?");
}

/// What a simulation warns of: codes, paths and words.
fn warned(text: &str) -> Vec<(String, String)> {
    let begun = simulation_with(text, &Limits::default(), &Code::default()).unwrap();
    begun
        .warnings
        .into_iter()
        .map(|warning| (format!("{} {}", warning.code.unwrap_or_default(), warning.path), warning.message))
        .collect()
}

#[test]
fn what_was_probably_not_meant_is_warned_of() {
    let unknown = "unknown variable `lastuser`".to_owned();
    let handler = "agents: [{name: b, handler: {type: repeat, respond: 'x {{ lastuser }}', loop: true}}]";
    let key = ("T103 agents[0].handler.loop".to_owned(), "unknown key `loop` in `b`".to_owned());
    assert_eq!(warned(handler), [("T615 agents[0].handler.respond".to_owned(), unknown.clone()), key]);
    let list = [("T615 agents[0].mock[1]".to_owned(), unknown.clone())];
    assert_eq!(warned("agents: [{name: b, mock: [ok, 'x {{ lastuser }}']}]"), list);
    let only = [("T615 agents[0].mock.respond".to_owned(), unknown)];
    assert_eq!(warned("agents: [{name: b, mock: {type: repeat, respond: '{{ lastuser }}'}}]"), only);
    // The library fills nothing in, so that the braces are its author's words.
    assert_eq!(warned("profile: good-agent\nagents: [{name: b, mock: ['{{ lastuser }}']}]"), []);
    assert_eq!(warned("agents: [{name: b, mock: [Hi, '{{ last_user }}']}, {name: c}]"), []);
}

#[test]
fn a_mock_may_be_its_handler() {
    let text =
        |mock: &str| format!("agents: [{{name: b, mock: {mock}}}]\nsteps: [{{op: call, content: Hi}}]");
    let path = |mock: &str| {
        let mut bot = simulation(&text(mock), &Limits::default()).unwrap();
        bot.run();
        bot.report().agents[0].calls[0].trace.decisions[0].path.clone()
    };
    assert_eq!(path("{type: repeat, respond: Hi}"), "agents[0].mock");
    assert_eq!(path("[{type: repeat, respond: Hi}]"), "agents[0].mock[0]");
    assert_eq!(path("[Hi, Bye]"), "agents[0].mock[0]");
}
