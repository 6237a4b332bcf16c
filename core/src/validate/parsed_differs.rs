//! T406: the parsed output of an answer differs from its content, or does not match the schema that
//! the model received.

use serde_json::Value;

use super::facts::Facts;
use super::schema;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Node, difference, json_text};
use crate::text::{Span, json_line};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(response) = facts.written(index, &["llm_response"]) else { continue };
        let content = response.present("content");
        // Some models give structured output as empty content next to calls.
        let text = content.and_then(Node::as_str).map(unfenced).filter(|text| !text.is_empty());
        let stated: Option<Option<Value>> = text.map(json_text);
        let parsed = response.present("parsed");
        if let (Some(parsed), Some(stated), Some(content)) = (parsed, &stated, content) {
            found.extend(compare_with_content(parsed, stated.as_ref(), content.span));
        }
        let Some(wanted) = turn.config.get("response_schema").map(inner) else { continue };
        let (value, span) = match (parsed, stated, content) {
            (Some(parsed), _, _) => (parsed.to_value(), parsed.span),
            (None, Some(Some(stated)), Some(content)) => (stated, content.span),
            // Text next to calls is not an answer yet.
            (None, Some(None), Some(_)) if calls(response) => continue,
            (None, Some(None), Some(content)) => {
                let message = "the response is not JSON, although there is a `response_schema`";
                found.push(
                    Diagnostic::new(codes::PARSED_DIFFERS, Severity::Warning, content.span, message)
                        .help("write JSON that matches the schema"),
                );
                continue;
            }
            _ => continue,
        };
        for fault in schema::check(wanted, &value, &facts.work) {
            let subject = match &*fault.path() {
                "" => "the output".to_owned(),
                path => format!("`{path}` of the output"),
            };
            let mut diagnostic = Diagnostic::new(
                codes::PARSED_DIFFERS,
                Severity::Warning,
                parsed.map_or(span, |parsed| schema::place(parsed, &fault.way).1),
                format!("{subject} {}", fault.what),
            )
            .help("the output must match `response_schema`");
            if let Some(schema) = facts.written(index, &["llm_config", "response_schema"]) {
                diagnostic = diagnostic.related(schema.span, "the schema");
            }
            found.push(diagnostic);
        }
    }
}

/// Whether an answer calls tools.
fn calls(response: &Node) -> bool {
    response.present("tool_calls").is_some_and(|calls| !calls.items().is_empty())
}

fn compare_with_content(parsed: &Node, stated: Option<&Value>, content: Span) -> Option<Diagnostic> {
    let new = |message: String| {
        Diagnostic::new(codes::PARSED_DIFFERS, Severity::Warning, parsed.span, message)
            .related(content, "the content")
    };
    let Some(stated) = stated else {
        return Some(
            new("there is `parsed`, but the content is not JSON".to_owned())
                .help("write the parsed JSON as the content"),
        );
    };
    let way = difference(&parsed.to_value(), stated)?;
    let message = match way.trim_start_matches('.') {
        "" => "`parsed` differs from the content".to_owned(),
        way => format!("`parsed` differs from the content at `{way}`"),
    };
    Some(new(message).help("make them the same").fix(
        Applicability::Suggested,
        "use the content",
        parsed.span,
        json_line(stated),
    ))
}

/// The text without the fence of a Markdown block around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(text, |inner| inner.trim_start_matches("json").trim())
}

/// The schema inside the envelope of a chat API.
fn inner(schema: &Value) -> &Value {
    let envelope = schema.get("json_schema").unwrap_or(schema);
    envelope
        .get("schema")
        .filter(|inner| inner.is_object() && envelope.get("properties").is_none())
        .unwrap_or(schema)
}
