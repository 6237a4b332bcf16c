//! The response to a request: the rounds of the model where they are recorded, or else what the panel shows.

use serde_json::{Map, Value};

use super::super::keys::{list, non_null_except, text};
use super::super::session::{self, Answer, SessionBuilder, ToolResult};
use crate::text::JsonMap;
use crate::wire::ToolCall;

pub(super) fn read_response(entry: &Value, session: &mut SessionBuilder) {
    let result = entry.get("result").cloned().unwrap_or_default();
    let metadata = result.get("metadata").cloned().unwrap_or_default();
    let rounds = list(&metadata, "toolCallRounds");
    let mut others = non_null_except(&result, &["metadata"]);
    let rest = non_null_except(&metadata, &["toolCallRounds", "toolCallResults"]);
    if !rest.is_empty() {
        others.put("metadata", rest.into());
    }
    let count = |key: &str| result.get("usage")?.get(key)?.as_u64();
    let last = Answer {
        model: text(entry, "modelId").map(str::to_owned),
        usage: session::usage(count("promptTokens"), count("completionTokens"), [None; 2], None),
        others: Map::new(),
        ..Answer::default()
    };
    let model = last.model.clone();
    if let Some((end, before)) = rounds.split_last() {
        let results = metadata.get("toolCallResults").cloned().unwrap_or_default();
        for round in before {
            read_round(round, &results, Answer { model: model.clone(), ..Answer::default() }, session);
        }
        others.put_some("response", entry.get("response").cloned());
        read_round(end, &results, Answer { others, ..last }, session);
        return;
    }
    let mut answer =
        Answer { content: text(entry, "completion").unwrap_or_default().to_owned(), ..Answer::default() };
    let mut shown = Vec::new();
    for part in list(entry, "response") {
        match text(part, "kind").unwrap_or_default() {
            "" | "markdownContent" => {
                if !answer.calls.is_empty() {
                    add(std::mem::take(&mut answer), &mut shown, &model, session);
                }
                let markdown = part.get("content").unwrap_or(part);
                let value = text(markdown, "value").or_else(|| markdown.as_str()).unwrap_or_default();
                answer.content.push_str(value);
            }
            "thinking" => {
                answer.reasoning.push_str(text(part, "value").unwrap_or_default());
                shown.push(
                    non_null_except(
                        part,
                        if part.get("value").is_some_and(Value::is_string) { &["value"] } else { &[] },
                    )
                    .into(),
                );
            }
            "toolInvocationSerialized" => {
                let arguments = part.get("toolSpecificData").cloned().unwrap_or_default();
                let call = ToolCall { arguments, ..ToolCall::from_keys(part, "toolCallId", "toolId", &[]) };
                answer.calls.push(call);
                shown.push(part.clone());
            }
            _ => shown.push(part.clone()),
        }
    }
    let is_empty = answer.content.is_empty() && answer.reasoning.is_empty() && answer.calls.is_empty();
    let error = result.get("errorDetails").and_then(|error| text(error, "message"));
    if error.is_some() && is_empty {
        others.put_some("response", (!shown.is_empty()).then(|| shown.into()));
        session.failure(error, others);
    } else if !is_empty || !shown.is_empty() || !others.is_empty() {
        let usage = last.usage;
        add(Answer { usage, others, ..answer }, &mut shown, &model, session);
    }
}

/// Adds an answer that the panel shows, with the other parts before its end.
fn add(mut answer: Answer, shown: &mut Vec<Value>, model: &Option<String>, session: &mut SessionBuilder) {
    if !shown.is_empty() {
        answer.others.put("response", std::mem::take(shown).into());
    }
    answer.model.clone_from(model);
    session.answer(answer);
}

fn read_round(round: &Value, results: &Value, answer: Answer, session: &mut SessionBuilder) {
    let thinking = round.get("thinking").cloned().unwrap_or_default();
    let thought = match thinking.get("text") {
        Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        other => other.and_then(Value::as_str).unwrap_or_default().to_owned(),
    };
    let calls = session::calls(list(round, "toolCalls"), ("id", "name", "arguments"));
    let mut others = answer.others;
    others.extend(non_null_except(round, &["response", "toolCalls", "thinking", "id"]));
    let rest = non_null_except(&thinking, &["text"]);
    if !rest.is_empty() {
        others.put("thinking", rest.into());
    }
    session.answer(Answer {
        id: text(round, "id").map(str::to_owned),
        content: text(round, "response").unwrap_or_default().to_owned(),
        reasoning: thought,
        calls: calls.clone(),
        others,
        ..answer
    });
    for call in &calls {
        let Some(result) = results.get(&call.id) else { continue };
        let values = list(result, "content").iter().map(|part| text(part, "value"));
        let texts: Option<Vec<&str>> = values.collect();
        let content = match texts {
            Some(texts) if !texts.is_empty() => texts.join("\n").into(),
            _ => result.get("content").cloned().unwrap_or_default(),
        };
        let is_error = result.get("hasError") == Some(&Value::Bool(true));
        let others = non_null_except(result, &["content", "hasError"]);
        session.result(call, ToolResult { content, is_error, others, time: None });
    }
}
