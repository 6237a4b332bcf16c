//! What a test needs to know of a recording in addition to its steps.

use serde_json::{Map, Value, json};
use transcript_core::model::Transcript;
use transcript_core::replay::Timeline;

/// `{"config", "context", "toolCalls"}` of a recording: the agent's settings without its context, the
/// context it starts with, and every tool run in order, those of other agents behind the call of the agent.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// let text = "model: m\nmessages: ['user: Hi', 'assistant:call f(x=1)', 'tool:f: 2']";
/// let document = Document::open(text, &Limits::default());
/// let run = transcript_wasm::run::expectations(document.timeline().unwrap());
/// assert_eq!(run["config"]["model"], "m");
/// assert_eq!(run["toolCalls"][0]["arguments"]["x"], 1);
/// assert_eq!(run["toolCalls"][0]["result"], 2);
/// ```
#[must_use]
pub fn expectations(timeline: &Timeline) -> Value {
    let transcript = timeline.transcript();
    let mut config = transcript.config.clone();
    config.shift_remove("context");
    let mut calls = Vec::new();
    add_calls(transcript, "", &mut calls);
    json!({ "config": config, "context": transcript.context, "toolCalls": calls })
}

/// Adds the tool runs of a run whose steps have the path `prefix`, with those inside them. How deep these are is bounded
/// by the depth of a document.
fn add_calls(transcript: &Transcript, prefix: &str, calls: &mut Vec<Value>) {
    for (index, turn) in transcript.turns.iter().enumerate() {
        let Some(run) = &turn.tool else { continue };
        let step = format!("{prefix}{}", index + 1);
        let mut call = Map::new();
        call.insert("step".to_owned(), step.as_str().into());
        call.insert("id".to_owned(), run.id.as_ref().map(|id| id.value.to_string()).into());
        call.insert("name".to_owned(), run.name.value.to_string().into());
        call.insert("arguments".to_owned(), run.parameters.clone());
        call.insert("result".to_owned(), run.result.clone());
        call.insert("success".to_owned(), run.success.into());
        calls.push(Value::Object(call));
        if let Some(inside) = &run.nested {
            add_calls(inside, &format!("{step}."), calls);
        }
    }
}

#[cfg(test)]
mod tests {
    use transcript_core::document::{Document, Limits};

    use super::expectations;
    use crate::state::state;

    const NESTED: &str = r#"
version: "1.0"
initial_state: {message_store: [{id: a, role: user, content: Hi}]}
execution:
  - turn: 1
    type: tool_call
    tool_call:
      tool_name: lookup
      parameters: {}
      result:
        agent_id: other
        response: "yes"
        nested_transcript:
          initial_state: {context: {depth: 1}, message_store: [{id: b, role: user, content: Really?}]}
          execution:
            - {turn: 1, type: tool_call, tool_call: {tool_name: look, parameters: {x: 1}, result: 2}}
"#;

    #[test]
    fn the_tools_of_other_agents_have_their_paths() {
        let document = Document::open(NESTED, &Limits::default());
        let run = expectations(document.timeline().unwrap());
        let calls = run["toolCalls"].as_array().unwrap();
        let found: Vec<_> = calls.iter().map(|call| (&call["step"], &call["name"])).collect();
        assert_eq!(found, [(&"1".into(), &"lookup".into()), (&"1.1".into(), &"look".into())]);
    }

    #[test]
    fn a_step_of_another_agent_has_a_state() {
        let document = Document::open(NESTED, &Limits::default());
        let (timeline, step) = document.timeline_at("1.1").unwrap();
        let state = state(timeline, step).unwrap();
        assert_eq!((&state["context"]["depth"], &state["visible"][0]), (&1.into(), &"b".into()));
        assert!(document.timeline_at("1.2").is_none() && document.timeline_at("2").is_none());
    }
}
