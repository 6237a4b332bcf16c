//! The kind of document of a file, by its content.

use serde::Serialize;

use super::foreign;
use super::unrecognized::Unrecognized;
use crate::events::{self, Shape};
use crate::import::{self, Found};
use crate::parse::{Data, Kind, Limits, Node, detect, parse};

/// The kind of document of a file, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Detection {
    /// The form of a transcript or of handlers, `event-log`, a format of another program, or `unknown`.
    #[cfg_attr(feature = "typescript", ts(type = "DocumentForm | 'event-log' | FormatKind"))]
    pub kind: &'static str,
    /// `likely` when the text is not well-formed, or lacks what the kind has; `none` for an unknown kind.
    #[cfg_attr(feature = "typescript", ts(type = "'certain' | 'likely' | 'none'"))]
    pub confidence: &'static str,
    /// The reason, in one sentence.
    pub reason: String,
    /// The checks made, when no mark shows which program wrote the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub unrecognized: Option<Unrecognized>,
}

/// Detects the kind of document from the content of a file. Its name is ignored.
///
/// ```
/// use transcript_core::document::{Limits, detection};
/// let found = detection(b"messages: ['user: Hello!']", &Limits::default());
/// assert_eq!((found.kind, found.confidence), ("compact", "certain"));
/// assert_eq!(found.reason, "it has a list of `messages`, but no `execution`");
/// ```
#[must_use]
pub fn detection(bytes: &[u8], limits: &Limits) -> Detection {
    let unknown = |reason: &str| Detection {
        kind: "unknown",
        confidence: "none",
        reason: reason.to_owned(),
        unrecognized: None,
    };
    let unrecognized = |looked_at: Unrecognized| Detection {
        unrecognized: Some(looked_at.clone()),
        ..unknown(&looked_at.summary())
    };
    if let Some((kind, reason)) = import::store_kind(bytes) {
        return Detection { kind, confidence: "certain", reason: reason.to_owned(), unrecognized: None };
    }
    if let Some(refused) = limits.check_size(bytes.len()) {
        return unknown(&refused.message);
    }
    if let Some((what, _)) = foreign::known_bytes(bytes) {
        return unknown(&format!("it is {what}"));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return unknown("it is not UTF-8 text");
    };
    let log = |found: Found| Detection {
        kind: found.format.kind,
        confidence: if found.is_certain { "certain" } else { "likely" },
        reason: found.reason,
        unrecognized: None,
    };
    if let Some(found) = import::detect(text, None) {
        return log(found);
    }
    if let Some(derived) = import::derived(text) {
        return unknown(derived.reason);
    }
    let shape = events::detect(text);
    if matches!(shape, Some(Shape::Lines | Shape::List)) {
        return event_log("its first entry has `event_id` and `parent_event_id`");
    }
    let parsed = parse(text, limits);
    let Some(root) = &parsed.root else {
        if let Some(found) = import::detect_broken(text) {
            return log(found);
        }
        let first = parsed.diagnostics.first().map(|found| found.message.as_str());
        return match foreign::inspect(text, &parsed) {
            Some(looked_at) => unrecognized(looked_at),
            None => unknown(first.unwrap_or("it is empty")),
        };
    };
    let (kind, reason) = kind_and_reason(root);
    if let Some(found) = import::detect_document(text, root, parsed.well_formed) {
        return log(Found { is_certain: found.is_certain && parsed.well_formed, ..found });
    }
    let is_whole =
        kind != "compact" || matches!(root.get("messages").map(|list| &list.data), Some(Data::Seq(_)));
    if shape.is_some() && kind == "unknown" {
        return event_log("it has events in `_inter_agent_events`, but no responses");
    }
    if matches!(detect(root), Kind::ChatLog | Kind::Unknown)
        && let Some(looked_at) = foreign::inspect(text, &parsed)
    {
        return unrecognized(looked_at);
    }
    let confidence = match kind {
        "unknown" => "none",
        _ if parsed.well_formed && is_whole => "certain",
        _ => "likely",
    };
    let reason =
        if parsed.well_formed { reason } else { format!("{reason}, but it cannot be read completely") };
    Detection { kind, confidence, reason, unrecognized: None }
}

fn event_log(reason: &str) -> Detection {
    Detection { kind: "event-log", confidence: "certain", reason: reason.to_owned(), unrecognized: None }
}

fn kind_and_reason(root: &Node) -> (&'static str, String) {
    let layers = || {
        let keys = ["agent_config", "initial_state", "execution", "final_state"].into_iter();
        let there: Vec<String> =
            keys.filter(|key| root.get(key).is_some()).map(|key| format!("`{key}`")).collect();
        there.join(", ")
    };
    match detect(root) {
        Kind::Full => ("full", format!("it has `version` and {}", layers())),
        Kind::Partial => ("partial", format!("it has {}, but no `version`", layers())),
        Kind::Compact if matches!(root.get("messages").map(|list| &list.data), Some(Data::Seq(_))) => {
            ("compact", "it has a list of `messages`, but no `execution`".to_owned())
        }
        Kind::Compact => ("compact", "it has `messages` that are not a list, but no `execution`".to_owned()),
        Kind::Handlers => ("handlers", "it has `handlers`, but no run".to_owned()),
        Kind::ChatLog => ("chat-log", "every message is a map with a `role`, as in chat APIs".to_owned()),
        Kind::Unknown => ("unknown", "it has no keys of a transcript".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> (&'static str, &'static str) {
        let found = detection(text.as_bytes(), &Limits::default());
        (found.kind, found.confidence)
    }

    #[test]
    fn kinds_are_detected_by_their_keys() {
        assert_eq!(kind("version: '1.0'\nexecution: []"), ("full", "certain"));
        assert_eq!(kind("execution: []"), ("partial", "certain"));
        assert_eq!(kind("messages: 5"), ("compact", "likely"));
        assert_eq!(kind("handlers: []"), ("handlers", "certain"));
        assert_eq!(kind("[{\"role\": \"user\", \"content\": \"Hi\"}]"), ("chat-log", "certain"));
        assert_eq!(kind("{\"_timestamp\": 1768359600000, \"type\": \"started\"}"), ("qbit-log", "certain"));
        assert_eq!(kind("{\"_timestamp\": 1768359600000, \"type\": \"other\"}"), ("qbit-log", "likely"));
        assert_eq!(kind("{\"a\": {\"content\": \"x\", \"usage\": {}}}"), ("agentloom-recording", "certain"));
        assert_eq!(kind("{\"a\": {\"content\": \"x\", \"usage\": {}}, "), ("agentloom-recording", "likely"));
        let event = r#"{"event_id": "e", "type": "tool_call", "parent_event_id": null}"#;
        assert_eq!(kind(event), ("event-log", "certain"));
        assert_eq!(kind(&format!("[{event}]")), ("event-log", "certain"));
        assert_eq!(kind(&format!("{event}\n{event}\n{{\"event_id")), ("event-log", "certain"));
        let nested = format!("\"_inter_agent_events\": [{event}]");
        assert_eq!(kind(&format!("{{{nested}}}")), ("event-log", "certain"));
        let recording = format!("{{\"a\": {{\"content\": \"x\", \"usage\": {{}}}}, {nested}}}");
        assert_eq!(kind(&recording), ("agentloom-recording", "certain"));
        assert_eq!(kind("name: x"), ("unknown", "none"));
        assert_eq!(kind(""), ("unknown", "none"));
    }

    #[test]
    fn what_is_broken_is_likely_at_most() {
        let found = detection(b"messages:\n  - 'user: Hi'\n  - [", &Limits::default());
        assert_eq!((found.kind, found.confidence), ("compact", "likely"));
        assert!(found.reason.ends_with("but it cannot be read completely"));
        assert_eq!(detection(&[0xff, 0], &Limits::default()).reason, "it is not UTF-8 text");
        assert_eq!(detection(&[0xff, 0xfe, 0], &Limits::default()).reason, "it is UTF-16 text");
        assert!(detection(&[0x1f, 0x8b, 8, 0], &Limits::default()).reason.contains("gzip"));
        let small = Limits { bytes: 1, ..Limits::default() };
        assert_eq!(detection(b"messages: []", &small).confidence, "none");
    }
}
