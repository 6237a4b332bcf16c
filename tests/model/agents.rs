//! Runs of several agents, tools as names and declarations, and final states with whole messages.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::model::tools;
use transcript_core::parse::{parse, read};
use transcript_core::write;

use crate::data::codes;

fn written(document: &Value) -> Value {
    let root = parse(&document.to_string(), &Limits::default()).root.unwrap();
    write::transcript(&read::transcript(&root, read::Fill::Nothing))
}

fn of_two_agents() -> Value {
    let stored = |id: &str, text: &str| json!({"id": id, "role": "system", "content": text, "visible": true});
    json!({
        "version": "1.0",
        "metadata": {},
        "agent_config": {},
        "agents": {
            "cook": {
                "config": {"model": "small", "tools": ["taste"]},
                "context": {"kitchen": "open"},
                "tools": ["taste", {"name": "stir", "parameters": {"type": "object"}}],
                "message_store": [stored("msg_002", "You cook")],
            },
            "waiter": {"config": {"model": "large"}},
        },
        "initial_state": {"context": {}, "message_store": [stored("msg_001", "You plan")]},
        "execution": [{
            "turn": 1,
            "type": "llm_call",
            "agent": "cook",
            "messages_sent_to_llm": [{"ref": "msg_002"}],
            "llm_response": {"role": "assistant", "content": "Soup", "tool_calls": null},
        }],
        "final_state": {
            "context": {},
            "message_store": [{"ref": "msg_001"}, stored("msg_002", "You cook")],
            "visible_messages": ["msg_001", "msg_002"],
        },
    })
}

#[test]
fn a_run_of_several_agents_comes_back() {
    assert_eq!(written(&of_two_agents()).to_string(), of_two_agents().to_string());
}

/// What an agent has before the first turn is in the store, after the messages of the initial state.
#[test]
fn messages_of_an_agent_can_be_sent() {
    assert_eq!(codes(&of_two_agents()), Vec::<&str>::new());
    let document = Document::open(&of_two_agents().to_string(), &Limits::default());
    let sent = document.step("1").unwrap().llm.unwrap().sent.unwrap();
    assert_eq!(sent[0].content.as_deref(), Some("You cook"));
    let mut wrong = of_two_agents();
    wrong["execution"][0]["messages_sent_to_llm"][0]["ref"] = "msg_003".into();
    assert_eq!(codes(&wrong), ["T201"]);
}

#[test]
fn tools_are_names_or_declarations() {
    let config = json!({"tools": ["search", {"name": "weather", "parameters": {"type": "object"}}, 7, {}]});
    let found: Vec<(&str, bool)> =
        tools(config.as_object().unwrap()).map(|tool| (tool.name, tool.parameters.is_some())).collect();
    assert_eq!(found, [("search", false), ("weather", true)]);
}

/// Of `visible_messages` ids are written, whichever way they were given.
#[test]
fn visible_messages_are_written_as_ids() {
    let mut document = of_two_agents();
    document["final_state"]["visible_messages"] = json!([{"ref": "msg_001"}, "msg_002"]);
    assert_eq!(written(&document), of_two_agents());
}

/// The answer keeps the text of its arguments, blanks and all, for as long as it says the same.
#[test]
fn the_text_of_arguments_is_kept() {
    let call = json!({"id": "call_001", "function": {"name": "stir", "arguments": "{ \"times\":3 }"}});
    let mut document = of_two_agents();
    document["execution"][0]["llm_response"]["tool_calls"] = json!([call]);
    assert_eq!(written(&document), document);
    let root = parse(&document.to_string(), &Limits::default()).root.unwrap();
    let mut run = read::transcript(&root, read::Fill::Nothing);
    let call = &mut run.turns[0].response.as_mut().unwrap().tool_calls[0];
    call.arguments = json!({"times": 4});
    assert_eq!(call.arguments_text(), "{\"times\": 4}");
}
