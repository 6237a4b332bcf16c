//! One event: its noted facts, and what is wrong with it.

use super::table::{COMMON, EventField, KINDS, OPTIONAL};
use super::{EventKind, Fields, Findings, PayloadHash, Uuid};
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::encoding::exact::{Exact, Raw};
use crate::text::Span;

/// The facts read from an event.
pub(super) struct Line<'t> {
    pub(super) id: Option<Uuid>,
    pub(super) parent: Option<Uuid>,
    pub(super) kind: EventKind,
    pub(super) agent: std::borrow::Cow<'t, str>,
    pub(super) after: Vec<Uuid>,
}

/// Checks the fields of the event at `span` of `source`.
pub(super) fn line<'t>(source: &str, span: Span, fields: &Fields<'t>, found: &mut Findings) -> Line<'t> {
    let mut reader = Reader { source, span, fields, found };
    let id = reader.common("event_id", |raw| raw.as_text().is_some(), "a string");
    let id = id.and_then(|raw| reader.uuid(raw));
    let kind = reader.kind();
    let agent = reader.common("agent_id", |raw| raw.as_text().is_some(), "a string").and_then(Raw::as_text);
    reader.time();
    let is_id = |raw: Raw<'_>| raw.is_null() || raw.as_text().is_some();
    let parent = reader.common("parent_event_id", is_id, "a string or null").filter(|raw| !raw.is_null());
    let parent = parent.and_then(|raw| reader.uuid(raw));
    let after = reader.read_also_after();
    reader.check_fields(kind);
    if let Some(raw) = reader.common("payload_hash", |raw| raw.as_text().is_some(), "a string") {
        reader.hash(raw);
    }
    Line { id, parent, kind, agent: agent.unwrap_or_default(), after }
}

struct Reader<'r, 't> {
    source: &'r str,
    span: Span,
    fields: &'r Fields<'t>,
    found: &'r mut Findings,
}

impl<'t> Reader<'_, 't> {
    fn report(
        &mut self,
        code: &'static str,
        severity: Severity,
        span: Span,
        message: impl FnOnce() -> String,
    ) {
        self.found.add(code, severity, || Diagnostic::new(code, severity, span, message()));
    }

    /// The value of a field that every event has, if it is present and valid.
    fn common(&mut self, name: &str, fits: impl Fn(Raw<'t>) -> bool, what: &str) -> Option<Raw<'t>> {
        let Some(raw) = self.fields.get(name) else {
            let span = self.head();
            self.report(codes::EVENT_FIELD, Severity::Error, span, || format!("the event has no `{name}`"));
            return None;
        };
        if fits(raw) {
            return Some(raw);
        }
        let message = || format!("`{name}`: expected {what}, found {}", raw.kind());
        self.report(codes::EVENT_FIELD, Severity::Error, raw.span(), message);
        None
    }

    /// The time, which the order ignores: a wrong number does no harm.
    fn time(&mut self) {
        let is_number = |raw: Raw<'_>| match raw.as_text() {
            Some(text) => text.parse::<f64>().is_ok_and(f64::is_finite),
            None => raw.kind() == "a number",
        };
        let Some(raw) = self.common("timestamp_ns", is_number, "an integer") else { return };
        if raw.is_integer() {
            return;
        }
        self.found.add(codes::EVENT_FIELD, Severity::Warning, || {
            let what = if raw.kind() == "a string" { "a string" } else { "a fraction" };
            let message = format!("`timestamp_ns`: expected an integer in nanoseconds, found {what}");
            Diagnostic::new(codes::EVENT_FIELD, Severity::Warning, raw.span(), message)
                .help("the order does not depend on it")
        });
    }

    /// The first bracket of the event: missing fields have no place of their own.
    fn head(&self) -> Span {
        Span::new(self.span.start as usize, self.span.start as usize + 1)
    }

    fn uuid(&mut self, raw: Raw<'_>) -> Option<Uuid> {
        let text = raw.as_text()?;
        let id = Uuid::new(&text);
        match id {
            None => {
                let message = || format!("`{text}` is not a UUID");
                self.report(codes::EVENT_ID, Severity::Error, raw.span(), message);
            }
            Some(id) if !id.is_random() => {
                let message = || format!("`{text}` is not a UUID version 4");
                self.report(codes::EVENT_ID, Severity::Warning, raw.span(), message);
            }
            Some(_) => {}
        }
        id
    }

    /// The type, under either of its names.
    fn kind(&mut self) -> EventKind {
        let raw = match (self.fields.kind, self.fields.event_type) {
            (None, None) => {
                let span = self.head();
                let message = || "the event has no `type`".to_owned();
                self.report(codes::EVENT_FIELD, Severity::Error, span, message);
                return EventKind::Other;
            }
            (Some(kind), Some(other)) if kind.text != other.text => {
                let message = || format!("`event_type` is {}, but `type` is {}", other.text, kind.text);
                self.report(codes::EVENT_TYPE, Severity::Warning, other.span(), message);
                kind
            }
            (Some(kind), _) | (None, Some(kind)) => kind,
        };
        let Some(name) = raw.as_text() else {
            let message = || format!("`type`: expected a string, found {}", raw.kind());
            self.report(codes::EVENT_FIELD, Severity::Error, raw.span(), message);
            return EventKind::Other;
        };
        let kind = EventKind::new(&name);
        if kind == EventKind::Other {
            let source = self.source;
            self.found.add(codes::EVENT_TYPE, Severity::Warning, || {
                let message = format!("unknown event type `{name}`");
                let diagnostic = Diagnostic::new(codes::EVENT_TYPE, Severity::Warning, raw.span(), message);
                match closest(&name, KINDS.iter().map(|row| row.name)) {
                    Some(meant) => diagnostic.did_you_mean("write", source, raw.span(), meant),
                    None => diagnostic.help("the event keeps its position, but has no effect in a replay"),
                }
            });
        }
        kind
    }

    fn read_also_after(&mut self) -> Vec<Uuid> {
        let mut after = Vec::new();
        let Some(raw) = self.fields.also_after.filter(|raw| !raw.is_null()) else { return after };
        let mut items = Vec::new();
        let is_list = crate::encoding::exact::items(raw.text, 0, &mut |item| {
            items.push(Raw { text: item.text, start: raw.start + item.start });
        });
        let invalid = match is_list {
            Err(_) => Some(raw),
            Ok(_) => items.iter().copied().find(|item| item.as_text().is_none()),
        };
        if let Some(invalid) = invalid {
            let message = || format!("`also_after`: expected a list of ids, found {}", invalid.kind());
            self.report(codes::EVENT_FIELD, Severity::Error, invalid.span(), message);
        }
        for item in items {
            after.extend(self.uuid(item));
        }
        after
    }

    /// The fields of the type itself: a missing one is only a warning.
    fn check_fields(&mut self, kind: EventKind) {
        let Some(row) = kind.row() else { return };
        for field in row.fields {
            let raw = self.fields.get(field.name);
            let is_there = raw.is_some_and(|raw| !raw.is_null());
            match raw.filter(|_| is_there) {
                None if field.required => {
                    let span = self.head();
                    let message = || format!("a `{}` needs `{}`", row.name, field.name);
                    self.report(codes::EVENT_FIELD, Severity::Warning, span, message);
                }
                Some(raw) if !has_shape(field, raw) => {
                    let what = expected_shape(field);
                    let message = || format!("`{}`: expected {what}, found {}", field.name, raw.kind());
                    self.report(codes::EVENT_FIELD, Severity::Warning, raw.span(), message);
                }
                _ => {}
            }
        }
        if kind == EventKind::ToolReturn
            && let Some(success) = self.fields.success
        {
            let (wanted, other) = match success.text {
                "true" => ("result", self.fields.error),
                "false" => ("error", self.fields.result),
                _ => return,
            };
            if let Some(other) = other.filter(|raw| !raw.is_null()) {
                let message = || format!("expected `{wanted}`, because `success` is {}", success.text);
                self.report(codes::EVENT_FIELD, Severity::Warning, other.span(), message);
            }
        }
    }

    fn hash(&mut self, raw: Raw<'_>) {
        let text = raw.as_text().unwrap_or_default();
        let Some(hash) = PayloadHash::new(&text) else {
            self.found.add(codes::PAYLOAD_HASH, Severity::Error, || {
                let message = format!("`{text}` is not a hash of 16 hexadecimal digits");
                Diagnostic::new(codes::PAYLOAD_HASH, Severity::Error, raw.span(), message)
            });
            return;
        };
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let message = || format!("the hash `{text}` must be in lower case");
            self.report(codes::PAYLOAD_HASH, Severity::Warning, raw.span(), message);
        }
        let Some((name, hashed)) = self.fields.hashed() else { return };
        let is = PayloadHash::from_value(&Exact::from(hashed));
        if is != hash {
            self.found.add(codes::PAYLOAD_HASH, Severity::Error, || {
                let message = format!("the hash of `{name}` is `{is}`, not `{hash}`");
                Diagnostic::new(codes::PAYLOAD_HASH, Severity::Error, raw.span(), message)
                    .related(hashed.span(), format!("this is the `{name}`"))
                    .help("the payload or the hash was changed later")
            });
        }
    }
}

fn has_shape(field: &EventField, raw: Raw<'_>) -> bool {
    match field.shape {
        "text" => raw.as_text().is_some(),
        "bool" => raw.kind() == "a boolean",
        "map" => raw.kind() == "a map",
        _ => true,
    }
}

fn expected_shape(field: &EventField) -> &'static str {
    match field.shape {
        "text" => "a string",
        "bool" => "a boolean",
        "map" => "a map",
        _ => "something else",
    }
}

/// Whether a map looks like an event, by any key that only events have.
pub(super) fn is_event(fields: &Fields<'_>) -> bool {
    let only = COMMON.iter().chain(&OPTIONAL).filter(|field| !matches!(field.name, "type" | "payload"));
    only.into_iter().any(|field| fields.get(field.name).is_some())
}
