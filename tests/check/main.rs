//! Assertions on hostile runs and documents, and that the rule about assertions says the same as checking them.

mod agents;
mod codes;
mod vacuous;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use transcript_core::check::{Run, Status};
use transcript_core::diagnostic::render::TerminalStyle;
use transcript_core::document::{Document, Limits};
use transcript_core::view::CheckView;

fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

/// The outcome of one assertion, in the short form, on a run.
fn one(assertion: &Value, run: &Value) -> CheckView {
    let document = open(&json!({"messages": ["user: Hi"], "assertions": [assertion]}).to_string());
    assert!(document.is_whole(), "{:?}", document.diagnostics());
    let mut outcomes = document.check_run(run).unwrap();
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

fn assistant_turn(text: &str) -> Value {
    json!({"messages": [{"role": "assistant", "content": text}]})
}

#[test]
fn a_huge_text_is_searched_and_shown_in_part() {
    let huge = assistant_turn(&("é".repeat(2_000_000) + "needle" + &"ü".repeat(1_000_000)));
    for assertion in [json!({"contains": "needle"}), json!({"matches": "ne+dle"})] {
        let outcome = one(&assertion, &huge);
        assert_eq!(outcome.status, Status::Passed);
        assert_eq!(
            outcome.evidence[0].actual,
            Some(format!("…{}needle{}…", "é".repeat(40), "ü".repeat(40)).into())
        );
    }
    let outcome = one(&json!({"equals": "needle"}), &huge);
    assert_eq!(outcome.status, Status::Failed);
    assert!(serde_json::to_string(&outcome).unwrap().len() < 2_000);
    let outcome = one(&json!({"expr": "length(messages) == `2`"}), &huge);
    assert_eq!(outcome.status, Status::Failed);
    assert!(serde_json::to_string(&outcome).unwrap().len() < 4_000);
}

#[test]
fn what_is_meant_to_hang_is_an_error_or_ends() {
    let text = assistant_turn(&("a".repeat(50_000) + "!"));
    for pattern in ["(a+)+$", "(a|aa)+$", "(.*)*x"] {
        assert_eq!(one(&json!({ "matches": pattern }), &text).status, Status::Failed, "{pattern}");
    }
    let long = assistant_turn(&"a".repeat(4_000_000));
    let outcome = one(&json!({"matches": "(?:a?){400}b"}), &long);
    assert_eq!((outcome.status, outcome.field.as_deref()), (Status::Error, Some("pattern")));
    for expression in [
        format!("messages {}", "| [@,@][] ".repeat(40)),
        format!("to_string(messages) {}", "| join('', [@, @]) ".repeat(40)),
    ] {
        let outcome = one(&json!({ "expr": expression }), &text);
        assert_eq!((outcome.status, outcome.field.as_deref()), (Status::Error, Some("expr")));
    }
    let deep = format!("{}a{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(one(&json!({ "expr": deep }), &text).status, Status::Error);
}

#[test]
fn all_assertions_together_have_a_budget() {
    let flat = format!("messages {} | length(@)", "| [@,@][] ".repeat(19));
    let assertions: Vec<Value> = (0..200).map(|_| json!({ "expr": flat })).collect();
    let document = open(&json!({"messages": ["user: Hi"], "assertions": assertions}).to_string());
    let outcomes = document.check();
    assert_eq!(outcomes[0].status, Status::Passed);
    assert_eq!(outcomes[199].status, Status::Error);
}

#[test]
fn a_long_run_with_an_assertion_each_turn_is_checked() {
    let mut messages = Vec::new();
    for turn in 0..10_000 {
        messages.push(json!(format!("user: question {turn}")));
        messages.push(json!(format!("assistant: answer {turn}")));
        messages.push(json!({"expect": {"contains": turn.to_string()}}));
    }
    let expr = json!({"expr": "length(messages) == `20000` && messages[-1].content == 'answer 9999'"});
    let text = json!({"messages": messages, "assertions": [{"message_count": 20_000}, expr]}).to_string();
    let outcomes = open(&text).check();
    assert_eq!(outcomes.len(), 10_002);
    let failed = outcomes.iter().find(|outcome| outcome.status != Status::Passed);
    assert_eq!(failed, None);
    let counted = &outcomes[10_000];
    assert_eq!((counted.evidence.len(), counted.omitted), (20, 19_981));
}

#[test]
fn calls_that_nobody_expected_are_listed_in_part() {
    let calls: Vec<Value> =
        (0..5_000).map(|at| json!({"name": format!("tool_{at}"), "arguments": {}})).collect();
    let run = json!({"messages": [], "calls": calls});
    let outcome = one(&json!({"tool_sequence": ["tool_0", "tool_2"]}), &run);
    assert_eq!(outcome.message, "call 2: expected `tool_2`, found `tool_1`");
    assert!(serde_json::to_string(&outcome).unwrap().len() < 2_000);
    let outcome = one(&json!({"tool_sequence": {"tools": ["a"], "mode": "unordered"}}), &run);
    assert_eq!(outcome.message, "a call to `a` is missing");
    assert_eq!((outcome.evidence.len(), outcome.omitted), (20, 4_982));
}

#[test]
fn a_run_without_anything_fails_what_asks_for_something() {
    let nothing = json!({"messages": []});
    for (assertion, status) in [
        (json!({"contains": "a"}), Status::Failed),
        (json!({"not_contains": "a"}), Status::Passed),
        (json!({"matches": ".*"}), Status::Failed),
        (json!({"equals": ""}), Status::Failed),
        (json!({"json_path": "@"}), Status::Failed),
        (json!({"final_response_contains": ""}), Status::Error),
        (json!({"tool_called": "a"}), Status::Failed),
        (json!({"tool_not_called": "a"}), Status::Passed),
        (json!({"tool_call_count": 0}), Status::Passed),
        (json!({"tool_sequence": []}), Status::Passed),
        (json!({"message_count": {"max": 0}}), Status::Passed),
        (json!({"no_errors": {}}), Status::Passed),
        (json!({"max_turns": 1}), Status::Error),
        (json!({"max_tokens": 1}), Status::Error),
        (json!({"expr": "answer"}), Status::Failed),
        (json!({"expr": "turns == `null` && errors == `[]` && nested == `{}`"}), Status::Passed),
    ] {
        assert_eq!(one(&assertion, &nothing).status, status, "{assertion}");
    }
}

#[test]
fn a_run_that_is_none_is_reported() {
    for (run, wanted) in [
        (json!([]), "the run: expected a map"),
        (json!({"message": []}), "unknown key `message` in the run; did you mean `messages`?"),
        (json!({"messages": {}}), "`messages` of the run: expected a list"),
        (json!({"messages": ["hi"]}), "messages[0]: expected a map"),
        (json!({"messages": [{"content": "hi"}]}), "messages[0] has no `role`"),
        (
            json!({"messages": [{"role": "tool", "is_error": "no"}]}),
            "`is_error` of messages[0]: expected a boolean",
        ),
        (
            json!({"messages": [{"role": "assistant", "tool_calls": [{}]}]}),
            "messages[0].tool_calls[0] has no `name`",
        ),
        (json!({"calls": [{"name": 3}]}), "`name` of calls[0]: expected a string"),
        (json!({"turns": -1}), "`turns`: expected an integer"),
        (json!({"context": []}), "`context`: expected a map"),
        (
            json!({"nested": {"2": {"turn": 1}}}),
            "unknown key `turn` in the run at step 2; did you mean `turns`?",
        ),
    ] {
        assert_eq!(Run::from_value(&run).unwrap_err().to_string(), wanted, "{run}");
    }
    let deep = (0..120).fold(json!({}), |inside, _| json!({"nested": {"1": inside}}));
    assert!(Run::from_value(&deep).unwrap_err().to_string().contains("levels deep"));
}

#[test]
fn the_run_of_another_agent_has_its_own_assertions() {
    let fixture = fs::read_to_string(folder("check").join("nested.txt")).unwrap();
    let text = fixture.split("\n==== check").next().unwrap().split_once('\n').unwrap().1;
    let document = open(text);
    let actual = |nested: Value| {
        let run = json!({"messages": [{"role": "assistant", "content": "Rome"}], "nested": nested});
        document.check_run(&run).unwrap()
    };
    let inside = json!({"messages": [{"role": "user", "content": "when"}, {"role": "assistant", "content": "Rome"}], "turns": 1});
    let outcomes = actual(json!({ "2": inside }));
    let of_nested: Vec<_> = outcomes.iter().filter(|outcome| outcome.path == "2").collect();
    assert_eq!(of_nested.len(), 3);
    assert!(of_nested.iter().all(|outcome| outcome.status == Status::Passed), "{of_nested:?}");
    let outcomes = actual(json!({}));
    let of_nested: Vec<_> = outcomes.iter().filter(|outcome| outcome.path == "2").collect();
    assert!(of_nested.iter().all(|outcome| outcome.status == Status::Error), "{of_nested:?}");
    assert_eq!(of_nested[0].message, "there is no nested run at step 2");
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite").join(name)
}

/// The rule that needs no run (T503) and checking agree on every document of the fixtures, both ways.
#[test]
fn the_rule_about_assertions_says_the_same() {
    let (mut reported, mut compared) = (0, 0);
    for name in ["validate", "check", "seeds", "compact"] {
        for entry in fs::read_dir(folder(name)).unwrap() {
            let path = entry.unwrap().path();
            let fixture = fs::read_to_string(&path).unwrap();
            let text = fixture.split_once('\n').unwrap().1.split("\n==== ").next().unwrap();
            let document = open(text);
            let rule: Vec<u32> = document
                .diagnostics()
                .iter()
                .filter(|it| it.code == "T503")
                .map(|it| it.span.start)
                .collect();
            let doubtful = document.diagnostics().iter().any(|it| it.code == "T504");
            for outcome in document.check() {
                let is_reported =
                    rule.iter().any(|at| (outcome.place.offset..outcome.place.end_offset).contains(at));
                if is_reported {
                    assert_eq!(outcome.status, Status::Failed, "{}: {outcome:?}", path.display());
                    reported += 1;
                }
                let is_looked_at = !matches!(outcome.kind.as_str(), "matches" | "json_path" | "expr");
                if is_looked_at && !doubtful {
                    compared += 1;
                    assert_eq!(
                        outcome.status == Status::Failed,
                        is_reported,
                        "{}: {outcome:?}",
                        path.display()
                    );
                }
            }
        }
    }
    assert!(reported > 25 && compared > 60, "{reported} reported, {compared} compared");
}

#[test]
fn what_cannot_be_read_is_underlined_where_it_is_at_fault() {
    let document = open(
        "messages: ['user: Hi']\n\
         assertions: [{expr: \"x[\"}, {max_turns: -1}, {containz: Hi}, {contains: Bye}]\n",
    );
    let text = document.check_text("run.yaml", &document.check(), true, TerminalStyle::Plain);
    for head in [
        "error[T505]: `[` is not closed\n --> run.yaml:2:23\n",
        "error[T502]: `value` is -1, but a run cannot have less than 0 turns\n --> run.yaml:2:40\n",
        "error[T501]: unknown assertion type `containz`\n --> run.yaml:2:46\n",
        // One that can be reported and does not hold is at fault as a whole.
        "error[T503]: `msg_001` does not contain `Bye`\n --> run.yaml:2:61\n",
    ] {
        assert!(text.contains(head), "{head}\n{text}");
    }
    assert_eq!(text.matches("error[").count(), 4, "{text}");
    assert_eq!(document.unreported(&document.check()), []);
}
