//! What a step sent and got, as data.

use serde_json::{Map, Value, json};
use transcript_core::text::Table;
use transcript_core::view::{Exchange, ExchangeKind, LlmLayer, MessageView, SentView, StepDetail};

/// The request and the response as texts in JSON; of a step that calls nothing neither.
pub(crate) fn answer(detail: &StepDetail) -> Exchange {
    let (kind, request, response) = match (&detail.llm, &detail.tool) {
        (Some(llm), _) => (ExchangeKind::Llm, Some(request(detail, llm)), response(detail)),
        (None, Some(_)) => (ExchangeKind::Tool, call(detail), result(detail)),
        (None, None) => (ExchangeKind::None, None, None),
    };
    let text =
        |value: Option<Value>| value.map(|value| serde_json::to_string_pretty(&value).unwrap_or_default());
    Exchange {
        kind,
        request: text(request),
        response: text(response),
        recorded: detail.llm.as_ref().is_none_or(|llm| llm.sent.is_some()),
        raw: serde_json::to_string_pretty(&detail.raw).unwrap_or_default(),
    }
}

/// The request in the form of chat completions: the settings of the call, then what was sent.
fn request(detail: &StepDetail, llm: &LlmLayer) -> Value {
    let mut out = llm.config.clone();
    let mut stored = Table::new();
    for message in &detail.flow.store {
        stored.entry(&*message.id).or_insert(message);
    }
    let with_stored =
        |sent: &SentView| message(sent, sent.id.as_deref().and_then(|id| stored.get(id).copied()));
    let messages = llm.sent.iter().flatten().map(with_stored).collect();
    out.insert("messages".to_owned(), Value::Array(messages));
    Value::Object(out)
}

fn message(sent: &SentView, stored: Option<&MessageView>) -> Value {
    let mut out = Map::new();
    out.insert("role".to_owned(), json!(sent.role));
    out.insert("content".to_owned(), json!(sent.content));
    if let Some(id) = stored.and_then(|message| message.tool_call_id.as_ref()) {
        out.insert("tool_call_id".to_owned(), json!(id));
    }
    let calls = sent.tool_calls.iter().map(|call| {
        // Arguments are a text in JSON there.
        let arguments = call.arguments.as_str().map_or_else(|| call.arguments.to_string(), str::to_owned);
        json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        out.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Value::Object(out)
}

fn response(detail: &StepDetail) -> Option<Value> {
    let field = |key: &str| detail.raw.get(key).filter(|value| !value.is_null()).cloned();
    field("llm_response").or_else(|| field("llm_error"))
}

fn call(detail: &StepDetail) -> Option<Value> {
    let tool = detail.tool.as_ref()?;
    Some(json!({"id": tool.id, "name": tool.name, "arguments": tool.parameters}))
}

fn result(detail: &StepDetail) -> Option<Value> {
    let tool = detail.tool.as_ref()?;
    Some(match tool.success {
        true => json!({"result": tool.result}),
        false => json!({"error": tool.error, "result": tool.result}),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;
    use transcript_core::view::TabRequest;

    #[test]
    fn the_request_has_what_was_sent_and_not_what_is_stored() {
        let mut read = ReadDocument::new(include_str!("../../../public/examples/context_management.yaml"));
        let answer = read.look(4, TabRequest::Exchange).unwrap();
        let request: Value = serde_json::from_str(answer["request"].as_str().unwrap()).unwrap();
        assert_eq!((&request["model"], &request["temperature"]), (&json!("gpt-4"), &json!(0)));
        let messages = request["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 4);
        assert_eq!(messages[1]["tool_calls"][0]["function"]["arguments"], r#"{"quarter":3}"#);
        assert_eq!(messages[2]["tool_call_id"], "call_001");
        assert!(messages[2]["content"].as_str().unwrap().contains("(shortened)"));
        let response: Value = serde_json::from_str(answer["response"].as_str().unwrap()).unwrap();
        assert_eq!(response["usage"]["total_tokens"], 103);
        let tool = read.look(2, TabRequest::Exchange).unwrap();
        assert_eq!(tool["kind"], "tool");
        assert!(tool["response"].as_str().unwrap().contains("Third quarter"));
        assert_eq!(read.look(3, TabRequest::Exchange).unwrap()["request"], Value::Null);
    }
}
