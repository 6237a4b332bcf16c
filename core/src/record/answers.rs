//! The answers of model calls as `AgentLoom` records them.

use serde_json::{Map, Value};

use super::FactKind;
use super::agent_run::{AgentRun, Call, comparable_content};
use super::calls;
use crate::model::Tokens;
use crate::text::{JsonMap, json};

/// The answer of a call: the answer's content, else that of its message, else its data.
pub(super) fn answer_content(agent_run: &AgentRun<'_>, call: &Call<'_>) -> Value {
    let end = call.end;
    let message = call.message.and_then(|at| agent_run.messages.get(at)).map(|message| message.fact);
    let content = |fact: &super::Fact| fact.get("content").filter(|content| !content.is_null()).cloned();
    let parsed = || end.and_then(|end| end.get("parsed")).cloned();
    end.and_then(content).or_else(|| message.and_then(content)).or_else(parsed).unwrap_or_default()
}

/// The entry of a call that was answered. `AgentLoom` has no request and, where it recorded itself, no tool
/// calls; known ones are written as in its own examples.
pub(super) fn answer(agent_run: &AgentRun<'_>, call: &Call<'_>) -> Option<Value> {
    let end = call.end.filter(|end| end.kind == FactKind::ModelResponded)?;
    let model = [end.text("model"), call.fact.text("model")].into_iter().find(|model| !model.is_empty());
    let usage = end.get("usage");
    let tokens = usage.map(Tokens::read).unwrap_or_default();
    let (prompt, completion) = (tokens.prompt.unwrap_or_default(), tokens.completion.unwrap_or_default());
    let total = tokens.total().unwrap_or_default().max(prompt.saturating_add(completion));
    let mut out = Map::new();
    out.put("content", comparable_content(Some(&answer_content(agent_run, call))).into());
    out.put("model", model.unwrap_or("unknown").into());
    let usage = json!({"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total});
    out.put("usage", usage);
    out.put("cost_usd", json!(0.0));
    out.put("latency_ms", json!(0.0));
    let called = end.list("tool_calls");
    let reason = if called.is_empty() { "stop" } else { "tool_calls" };
    let reason = Some(end.text("finish_reason")).filter(|reason| !reason.is_empty()).unwrap_or(reason);
    out.put("finish_reason", reason.into());
    if !called.is_empty() {
        let call = |call: &Value| json!({"id": calls::id(call), "name": calls::name(call), "arguments": calls::arguments(call)});
        out.put("tool_calls", called.iter().map(call).collect());
    }
    Some(Value::Object(out))
}
