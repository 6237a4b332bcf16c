//! Transcripts that handlers follow: the answers of a run's model, as responses.

use serde_json::{Map, Value};

use crate::model::handlers::{Handler, HandlerKind, MockResponse};
use crate::model::{Content, Response, Spanned, Text, Transcript};
use crate::text::JsonMap;

/// The answers of a run's model in order, to be returned verbatim.
pub(crate) fn answers(transcript: &Transcript) -> Vec<MockResponse> {
    transcript.turns.iter().filter_map(|turn| turn.response.as_ref()).map(answer).collect()
}

fn answer(response: &Response) -> MockResponse {
    let mut extra = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            extra.put(key, value);
        }
    };
    let text = |text: &Option<Text>| text.as_deref().map(Value::from);
    put("refusal", response.refusal.as_ref().map(Content::to_value));
    put("reasoning", response.reasoning.as_ref().map(Content::to_value));
    put("usage", response.usage.clone());
    if let Some(details) = &response.details {
        put("citations", details.citations.clone());
        put("annotations", details.annotations.clone());
        put("metadata", details.metadata.clone().map(Value::Object));
        put("parsed", details.parsed.clone());
        put("chunks", details.chunks.clone().map(Value::Array));
        put("finish_reason", text(&details.finish_reason));
        put("model", text(&details.model));
    }
    MockResponse {
        content: response.content.clone(),
        tool_calls: response.tool_calls.clone(),
        extra,
        span: response.span,
        ..MockResponse::default()
    }
}

/// Collects the names of the transcripts of other files that a handler follows.
pub(crate) fn named(handler: &Handler, names: &mut Vec<Spanned<Text>>) {
    match &handler.kind {
        HandlerKind::Transcript { entries: None, source: Some(source) } => names.push(source.clone()),
        HandlerKind::Composite { handlers: Some(handlers), .. } => {
            handlers.value.iter().for_each(|inner| named(inner, names));
        }
        HandlerKind::Conditional { rules: Some(rules), .. } => {
            rules.value.iter().filter_map(|rule| rule.handler.as_ref()).for_each(|inner| named(inner, names));
        }
        HandlerKind::Fail { then: Some(inner), .. } | HandlerKind::Recording { handler: Some(inner), .. } => {
            named(inner, names);
        }
        _ => {}
    }
}

/// Hands every transcript of another file that a handler follows to `each`: its name as written, and the entries
/// to be filled in.
pub(crate) fn sources(
    handler: &mut Handler,
    each: &mut impl FnMut(&Spanned<Text>, &mut Option<Spanned<Vec<MockResponse>>>),
) {
    match &mut handler.kind {
        HandlerKind::Transcript { entries: entries @ None, source: Some(source) } => each(source, entries),
        HandlerKind::Composite { handlers: Some(handlers), .. } => {
            handlers.value.iter_mut().for_each(|inner| sources(inner, each));
        }
        HandlerKind::Conditional { rules: Some(rules), .. } => {
            let inner = rules.value.iter_mut().filter_map(|rule| rule.handler.as_mut());
            inner.for_each(|inner| sources(inner, each));
        }
        HandlerKind::Fail { then: Some(inner), .. } | HandlerKind::Recording { handler: Some(inner), .. } => {
            sources(inner, each);
        }
        _ => {}
    }
}
