//! Input that wants too much, and handlers that never end.

use serde_json::{Value, json};
use transcript_core::simulate::{Progress, Simulation};

use super::{run, said};

#[test]
fn a_handler_that_never_ends_is_ended() {
    for profile in ["default", "good-agent"] {
        let report = run(&json!({
            "profile": profile,
            "agents": [{
                "name": "a", "tools": [{"name": "f", "results": [{"return": 1}]}],
                "max_iterations": 1_000_000,
                "handler": {"type": "repeat", "respond": {"content": "again", "tool_calls": [["f", {}]]}},
            }],
            "steps": [{"op": "execute", "content": "Go"}, {"op": "append", "content": "still here"}],
            "limits": {"model_calls": 50},
        }));
        let error = report.steps[0].error.as_ref().unwrap();
        assert_eq!((&*error.kind, &*error.message), ("LimitError", "more than 50 calls of models"));
        assert_eq!(error.path, "steps[0]");
        assert_eq!(said(&report, 0).len(), 100);
        assert!(report.steps[1].error.is_none(), "what comes after is still done");
    }
}

#[test]
fn a_conversation_without_end_is_ended() {
    let report = run(&json!({
        "agents": [
            {"key": "a", "handler": {"type": "repeat", "respond": "ping"}},
            {"key": "b", "handler": {"type": "repeat", "respond": "pong"}},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 4_000_000_000_u64}],
        "limits": {"model_calls": 30},
    }));
    assert_eq!(said(&report, 0).len(), 30);
    assert_eq!(report.steps[0].error.as_ref().unwrap().kind, "LimitError");
}

#[test]
fn a_tool_that_returns_megabytes_fails() {
    let mut simulation = Simulation::new(&json!({
        "agents": [{
            "name": "a", "tools": [{"name": "f", "live": true}],
            "mock": [{"content": "Go", "tool_calls": [["f", {}]]}, "end"],
        }],
        "steps": [{"op": "execute", "content": "Go"}],
    }))
    .unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsTool { .. }));
    simulation.tool_result(&Value::String("x".repeat(8 << 20))).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let said = said(&simulation.report(), 0);
    assert_eq!(said[1], "tool: Error: the result of `f` has 8388610 bytes, more than 4194304");
    assert_eq!(said[2], "assistant: end");
}

#[test]
fn an_answer_of_megabytes_is_refused() {
    let mut simulation = Simulation::new(&json!({
        "agents": [{"name": "a", "external": true}],
        "steps": [{"op": "call", "content": "Go"}, {"op": "call", "content": "Go"}],
    }))
    .unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsReply { .. }));
    simulation.reply(&Value::String("x".repeat(8 << 20))).unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsReply { .. }));
    simulation.reply(&"short".into()).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let report = simulation.report();
    assert_eq!(report.steps[0].error.as_ref().unwrap().kind, "LimitError");
    assert_eq!(said(&report, 1), ["assistant: short"]);
}

#[test]
fn memory_is_bounded_over_all_messages() {
    let text = "x".repeat(1 << 20);
    let report = run(&json!({
        "agents": [
            {"key": "a", "handler": {"type": "repeat", "respond": text}},
            {"key": "b", "handler": {"type": "repeat", "respond": "ok"}},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 1000}],
        "limits": {"total_bytes": 8_000_000},
    }));
    assert_eq!(report.steps[0].error.as_ref().unwrap().message, "more than 8000000 bytes of messages");
}

/// Two runs of one input are the same to the last byte.
#[test]
fn a_simulation_is_repeatable() {
    let input = json!({
        "agents": [{
            "name": "a", "tools": [{"name": "f", "results": [{"return": {"b": 1, "a": 2}}]}],
            "mock": [{"content": "Go", "tool_calls": [["f", {}], ["f", {}]]}, "end"],
        }],
        "steps": [{"op": "execute", "content": "Go"}],
    });
    let text = || serde_json::to_string(&run(&input)).unwrap();
    assert_eq!(text(), text());
    assert!(text().contains("\"id\":\"call_002\""));
}
