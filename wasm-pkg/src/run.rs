//! What a test wants to know of a recording beside its steps.

use serde_json::{Map, Value, json};
use transcript_core::replay::Timeline;

/// `{"config", "context", "toolCalls"}` of a recording: the agent's settings without its context, the
/// context it starts with, and every tool run in order.
///
/// ```
/// use transcript_core::view::{Document, Limits};
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
    let calls: Vec<Value> = (1..=timeline.steps())
        .filter_map(|step| {
            let run = timeline.turn_at(step)?.tool.as_ref()?;
            let mut call = Map::new();
            call.insert("step".to_owned(), step.to_string().into());
            call.insert("id".to_owned(), run.id.as_ref().map(|id| id.value.to_string()).into());
            call.insert("name".to_owned(), run.name.value.to_string().into());
            call.insert("arguments".to_owned(), run.parameters.clone());
            call.insert("result".to_owned(), run.result.clone());
            call.insert("success".to_owned(), run.success.into());
            Some(Value::Object(call))
        })
        .collect();
    json!({ "config": config, "context": transcript.context, "toolCalls": calls })
}
