//! The named errors: what each says by default, and what the library says in its place.

use serde_json::{Value, json};
use transcript_core::document::Limits;
use transcript_core::mock::Code;
use transcript_core::view::start_conversation;

use super::run;

/// The error of the last of some calls, in a profile: its name, its text and its place.
fn error(profile: &str, handler: &Value, contents: &[&str]) -> (String, String, String) {
    let steps: Vec<Value> =
        contents.iter().map(|content| json!({"op": "call", "content": content})).collect();
    let agent = json!({"name": "bot", "handler": handler});
    let report = run(&json!({"profile": profile, "agents": [agent], "steps": steps}));
    let (last, before) = report.steps.split_last().unwrap();
    assert!(before.iter().all(|step| step.error.is_none()));
    let error = last.error.clone().unwrap();
    (error.kind, error.message, error.path)
}

/// Each error by the handler that has it and the message to it; then its name, what it says by default, where, and
/// the class and the words of the library. The library has no state machine and no expressions: it would raise what
/// its document says of the one, and hands on whatever a condition raises.
#[test]
fn every_named_error_has_its_words_in_both_profiles() {
    let queue = json!({"type": "queue", "responses": ["only one"]});
    let rules = json!({"type": "conditional", "rules": [{"when": {"last_user_contains": "sun"}, "respond": "Sunny!"}]});
    let lost = json!({"type": "state_machine", "initial": "a", "states": {"a": {"respond": "Hi", "next": "nowhere"}}});
    let broken = json!({"type": "conditional", "rules": [{"when": "sum(last_user) > `1`", "respond": "A"}], "default": "B"});
    let followed = json!({"type": "transcript", "entries": [["assistant", "one"]]});
    for (handler, contents, name, text, place, class, words) in [
        (
            &queue,
            &["a", "b"][..],
            "MockExhaustedError",
            "the only response of `agents[0].handler` was used before call 2; add a response, or call the model less often",
            "steps[1]: agents[0].handler",
            "ValueError",
            "Mock exhausted: needed response 2 but only 1 were queued",
        ),
        (
            &followed,
            &["a", "b"][..],
            "MockExhaustedError",
            "the only assistant message of `agents[0].handler` was used before call 2; add an entry of the assistant, or call the model less often",
            "steps[1]: agents[0].handler",
            "ValueError",
            "Transcript exhausted at position 1",
        ),
        (
            &rules,
            &["rain"][..],
            "MockNoMatchError",
            "no rule of `agents[0].handler` matches call 1, and there is no `default`\n  rules[0]: the last user message does not contain `sun`: `rain`\n  add a matching rule, or a `default`",
            "steps[0]: agents[0].handler",
            "ValueError",
            "No condition matched and no default set",
        ),
        (
            &lost,
            &["a", "b"][..],
            "UnknownStateError",
            "`agents[0].handler` has no state `nowhere`, the next state of `a`; the states are `a`",
            "steps[1]: agents[0].handler",
            "ValueError",
            "Unknown state: nowhere",
        ),
        (
            &broken,
            &["a"][..],
            "ConditionError",
            "`agents[0].handler.rules[0].when` cannot be evaluated: `sum`: expected an array, found a string, at `last_user`",
            "steps[0]: agents[0].handler.rules[0].when",
            "ValueError",
            "`agents[0].handler.rules[0].when` cannot be evaluated: `sum`: expected an array, found a string, at `last_user`",
        ),
    ] {
        let reported = error("default", handler, contents);
        assert_eq!((reported.0.as_str(), reported.1.as_str(), reported.2.as_str()), (name, text, place));
        let raised = error("good-agent", handler, contents);
        assert_eq!((raised.0.as_str(), raised.1.as_str()), (class, words));
    }
    let queue = json!({
        "profile": "good-agent", "agents": [{"name": "bot", "mock": ["one", "two"]}],
        "steps": [{"op": "call", "content": "a"}, {"op": "call", "content": "b"}, {"op": "call", "content": "c"}],
    });
    let error = run(&queue).steps[2].error.clone().unwrap();
    assert_eq!(
        (error.kind.as_str(), error.message.as_str()),
        ("ValueError", "No more mock responses available")
    );
}

/// A pattern that is meant to hang is refused by its name, at its place in the text, before it is looked for; the
/// agent answers afterwards.
#[test]
fn a_pattern_that_costs_too_much_is_named() {
    let stars = "(a*)*".repeat(50);
    let text = json!({"handlers": {"bot": {
        "type": "conditional", "rules": [{"when": {"last_user_matches": stars}, "respond": "A"}], "default": "B",
    }}});
    let messages = ["a".repeat(1 << 20), "aaa".to_owned()];
    let mut bot =
        start_conversation(&text.to_string(), &messages, None, &Limits::default(), &Code::default())
            .unwrap()
            .unwrap()
            .simulation;
    bot.run();
    let report = bot.report();
    let error = report.steps[0].error.as_ref().unwrap();
    assert_eq!(
        (error.kind.as_str(), error.path.as_str()),
        ("ConditionError", "steps[0]: handlers.bot.rules[0].when.last_user_matches")
    );
    assert!(error.message.contains("takes too many steps on a text of 1048576 letters"), "{}", error.message);
    assert!(error.message.contains("the pattern `(a*)*(a*)*"), "{}", error.message);
    assert_eq!(report.steps[1].yielded.as_ref().unwrap()[0].content, "A");
}

/// An expression that is meant to explode ends likewise.
#[test]
fn an_expression_that_explodes_is_reported() {
    let explodes = format!("messages {} | length(@) > `1`", "| [@,@][] ".repeat(40));
    let handler =
        json!({"type": "conditional", "rules": [{"when": explodes, "respond": "A"}], "default": "B"});
    let (name, message, place) = error("default", &handler, &["a"]);
    assert_eq!(
        (name.as_str(), place.as_str()),
        ("ConditionError", "steps[0]: agents[0].handler.rules[0].when")
    );
    assert!(message.contains("the expression takes too many steps"), "{message}");
}

#[test]
fn a_failure_keeps_what_it_says() {
    let rest = json!({"type": "rate_limit", "message": "slow", "status": 429});
    let handler = json!({"type": "fail", "error": rest});
    let of = |profile: &str| {
        let agent = json!({"name": "bot", "handler": handler});
        run(&json!({"profile": profile, "agents": [agent], "steps": [{"op": "call", "content": "Hi"}]}))
    };
    let report = serde_json::to_value(of("default")).unwrap();
    assert_eq!(report["steps"][0]["error"]["type"], "rate_limit");
    assert_eq!(report["steps"][0]["error"]["details"], json!({"status": 429}));
    let turns = report["transcript"]["execution"].as_array().unwrap();
    let errors: Vec<&Value> = turns.iter().filter_map(|turn| turn.get("llm_error")).collect();
    assert_eq!(errors, [&rest]);
    let library = serde_json::to_value(of("good-agent")).unwrap();
    assert_eq!(library["steps"][0]["error"].get("details"), None);
}

#[test]
fn an_agent_without_a_handler_is_reported_to_have_none() {
    let report = run(&json!({"agents": [{"name": "bot"}], "steps": [{"op": "call", "content": "Hi"}]}));
    let error = report.steps[0].error.clone().unwrap();
    let wanted = "the agent `bot` has no handler; add one, or responses in `mock`";
    assert_eq!((&*error.kind, &*error.message), ("MockExhaustedError", wanted));
}
