//! Which problems lie in a step.

use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Span;

/// Where the problems of each severity begin, in order, so that a step's gravest is found by search:
/// steps may overlap, as nested ones and repeated ones do.
#[derive(Debug)]
pub(super) struct Problems([(Severity, Vec<u32>); 3]);

impl Problems {
    pub(super) fn new(diagnostics: &[Diagnostic]) -> Self {
        Self([Severity::Error, Severity::Warning, Severity::Info].map(|severity| {
            let found = diagnostics.iter().filter(|found| found.severity == severity);
            let mut starts: Vec<u32> = found.map(|found| found.span.start).collect();
            crate::text::sort_by_key(&mut starts, |start| *start);
            (severity, starts)
        }))
    }

    /// The gravest severity of the problems that begin in `span`; an empty span holds its one place.
    pub(super) fn within(&self, span: Span) -> Option<Severity> {
        let end = span.end.max(span.start.saturating_add(1));
        self.0.iter().find_map(|(severity, starts)| {
            let first = *starts.get(starts.partition_point(|&start| start < span.start))?;
            (first < end).then_some(*severity)
        })
    }
}
