//! The spans of a trace.

use serde_json::{Map, Value};

use super::super::conversation::ToolOutcome;
use super::super::keys::{entries_where, non_null_except};
use super::super::values::Entry;
use crate::text::{JsonMap, Span, Table};
use crate::time::{Moment, moment};
use crate::wire::{ModelRequest, ModelResponse};

/// The request and response of a model call, if known.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ModelCallData {
    pub request: ModelRequest,
    pub response: Option<ModelResponse>,
    /// Whether the request is known.
    pub is_request_known: bool,
    /// Whether the answer is a text in which calls cannot be recognized: its calls are those of the tools that ran.
    pub is_opaque: bool,
    /// The outcomes of the calls in the answer, if the span itself has them.
    pub results: Vec<(String, ToolOutcome)>,
}

/// A span of a trace.
#[derive(Clone, Debug)]
pub(in super::super) struct Traced {
    pub line: u32,
    pub span: Span,
    pub id: String,
    pub parent: Option<String>,
    pub kind: String,
    pub data: Value,
    pub start: Option<Moment>,
    pub end: Option<Moment>,
    /// Its error.
    pub error: Option<Value>,
    /// Whether a later line has the same span with its end.
    pub is_start: bool,
    /// The id of the call that a function answers, where it names it.
    pub call: Option<String>,
    /// The content of a model call, and the rest of the span, for formats other than that of the Agents SDK.
    pub model_call: Option<Box<ModelCallData>>,
    pub own: Option<Map<String, Value>>,
    pub raw: Value,
}

impl Traced {
    /// Reads an entry; `None` when it is no span.
    pub(super) fn from_entry(entry: &Entry) -> Option<Self> {
        let value = &entry.value;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if value.get("object")? != "trace.span" {
            return None;
        }
        let data = value.get("span_data").cloned().unwrap_or_default();
        Some(Self {
            line: entry.line,
            span: entry.span,
            id: text("id")?,
            parent: text("parent_id"),
            kind: data.get("type").and_then(Value::as_str).unwrap_or_default().to_owned(),
            data,
            start: value.get("started_at").and_then(moment),
            end: value.get("ended_at").and_then(moment),
            error: value.get("error").filter(|error| !error.is_null()).cloned(),
            is_start: false,
            call: None,
            model_call: None,
            own: None,
            raw: value.clone(),
        })
    }

    /// The text of its data under a key.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Value::as_str)
    }

    /// A description of the error.
    pub(super) fn error_text(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        let message = error.get("message").and_then(Value::as_str).map(str::to_owned);
        Some(message.unwrap_or_else(|| error.as_str().map_or_else(|| error.to_string(), str::to_owned)))
    }

    /// The rest: its place in the trace, and the keys of its data that are not used elsewhere.
    pub(super) fn metadata(&self, taken: &[&str]) -> Map<String, Value> {
        let mut out = Map::new();
        if let Some(own) = &self.own {
            out.put("span", Value::Object(own.clone()));
            return out;
        }
        let mut own = non_null_except(&self.raw, &["object", "trace_id", "span_data"]);
        let is_other = |key: &str, value: &Value| key != "type" && !taken.contains(&key) && !value.is_null();
        own.extend(entries_where(&self.data, &is_other));
        out.put("span", Value::Object(own));
        out
    }
}

/// The spans of a trace as a tree, in order of time.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub spans: Vec<Traced>,
    parents: Vec<Option<usize>>,
    /// The nearest agent and function around each, itself not counted.
    pub agent: Vec<Option<usize>>,
    pub function: Vec<Option<usize>>,
}

impl Tree {
    pub(super) fn from_spans(mut spans: Vec<Traced>) -> Self {
        // A span without a time stays after the one before it.
        let mut last = None;
        let mut keyed: Vec<_> = spans
            .drain(..)
            .enumerate()
            .map(|(at, span)| {
                last = span.start.as_ref().map(|start| start.instant).or(last);
                ((last, at), span)
            })
            .collect();
        crate::text::sort_by(&mut keyed, |(a, _), (b, _)| a.cmp(b));
        let spans: Vec<Traced> = keyed.into_iter().map(|(_, span)| span).collect();
        let mut places: Table<&str, usize> = Table::new();
        for (at, span) in spans.iter().enumerate() {
            places.entry(span.id.as_str()).or_insert(at);
        }
        let parents: Vec<Option<usize>> = spans
            .iter()
            .enumerate()
            .map(|(at, span)| {
                let parent = span.parent.as_deref().and_then(|parent| places.get(parent)).copied();
                parent.filter(|parent| *parent != at)
            })
            .collect();
        let mut out = Self { parents, ..Self::default() };
        out.agent = out.nearest(&spans, "agent");
        out.function = out.nearest(&spans, "function");
        out.spans = spans;
        out
    }

    /// The nearest enclosing span of a kind for each; none within a cycle.
    fn nearest(&self, spans: &[Traced], kind: &str) -> Vec<Option<usize>> {
        let mut known: Vec<Option<Option<usize>>> = vec![None; spans.len()];
        let mut path = Vec::new();
        for start in 0..spans.len() {
            let mut at = start;
            let mut found = None;
            loop {
                if let Some(Some(answer)) = known.get(at) {
                    found = *answer;
                    break;
                }
                path.push(at);
                // An entry is `None` until its answer is known, so that a cycle ends.
                if let Some(slot) = known.get_mut(at) {
                    *slot = Some(None);
                }
                match self.parents.get(at).copied().flatten() {
                    None => break,
                    Some(parent) if spans.get(parent).is_some_and(|span| span.kind == kind) => {
                        found = Some(parent);
                        break;
                    }
                    Some(parent) => at = parent,
                }
            }
            for at in path.drain(..) {
                if let Some(slot) = known.get_mut(at) {
                    *slot = Some(found);
                }
            }
        }
        known.into_iter().map(Option::flatten).collect()
    }
}
