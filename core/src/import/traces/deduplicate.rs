//! Spans that a log has more than once: by an exporter that tried again, or by two of them.

use serde_json::Value;

use super::span::Traced;
use crate::text::Table;

/// The spans of a trace, each once.
#[derive(Debug, Default)]
pub(super) struct Deduplicated {
    /// In the order of their first occurrence.
    pub spans: Vec<Traced>,
    /// Repetitions of the spans.
    pub again: Vec<Traced>,
    /// What a log has of the spans while they ran.
    pub starts: Vec<Traced>,
    /// Spans with the id of another one but different content; less is known of them.
    pub other: Vec<Traced>,
}

impl Deduplicated {
    /// Of two different spans with one id, the one that has ended counts: a span may also be logged while it
    /// runs.
    pub(super) fn from_spans(spans: Vec<Traced>) -> Self {
        let mut out = Self::default();
        let mut known: Table<String, usize> = Table::new();
        for mut span in spans {
            let first = known
                .get(&span.id)
                .and_then(|at| out.spans.get_mut(*at))
                .filter(|first| !first.id.is_empty());
            let Some(first) = first else {
                known.insert(span.id.clone(), out.spans.len());
                out.spans.push(span);
                continue;
            };
            if first.raw == span.raw {
                out.again.push(span);
                continue;
            }
            let is_later = first.end.is_none() && span.end.is_some();
            if is_later {
                std::mem::swap(first, &mut span);
            }
            // The start of a span says nothing that its end lacks.
            if span.is_start && !first.is_start || is_later && is_part(&span.raw, &first.raw) {
                out.starts.push(span);
                continue;
            }
            out.other.push(span);
        }
        out
    }
}

/// Whether a value has nothing that the other one lacks.
fn is_part(value: &Value, whole: &Value) -> bool {
    match (value, whole) {
        (Value::Object(value), Value::Object(whole)) => {
            value.iter().all(|(key, value)| whole.get(key).is_some_and(|whole| is_part(value, whole)))
        }
        (Value::Null, _) => true,
        (value, whole) => value == whole,
    }
}
