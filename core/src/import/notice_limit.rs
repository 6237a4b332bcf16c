//! Diagnostics by kind: of a frequent kind, only the first is reported, with the count.

use crate::diagnostic::Diagnostic;

/// The maximum number of one kind that are reported individually.
const FEW: usize = 3;

/// The diagnostics of each kind. A kind is worded for several, such as `steps have no source`.
#[derive(Clone, Debug, Default)]
pub(super) struct NoticeLimit(Vec<(&'static str, Vec<Diagnostic>)>);

impl NoticeLimit {
    pub(super) fn add(&mut self, kind: &'static str, found: Diagnostic) {
        match self.0.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, all)) => all.push(found),
            None => self.0.push((kind, vec![found])),
        }
    }

    /// Returns all diagnostics.
    pub(super) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let kinds = std::mem::take(&mut self.0).into_iter();
        let limited = kinds.flat_map(|(kind, mut all)| {
            let count = all.len();
            if count > FEW {
                all.truncate(1);
                if let Some(first) = all.first_mut() {
                    first.message = format!("{count} {kind}; the first: {}", first.message);
                }
            }
            all
        });
        limited.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Severity, codes};
    use crate::text::Span;

    #[test]
    fn a_few_are_reported_one_by_one_and_many_at_the_first() {
        let limited = |count: usize| {
            let mut kinds = NoticeLimit::default();
            for at in 0..count {
                let message = format!("step {at} is blue");
                kinds.add(
                    "steps are blue",
                    Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, Span::new(at, at + 1), message),
                );
            }
            let found = kinds.take_diagnostics().into_iter();
            found.map(|found| (found.span.start, found.message)).collect::<Vec<_>>()
        };
        assert_eq!(limited(0), []);
        assert_eq!(limited(3).last(), Some(&(2, "step 2 is blue".to_owned())));
        assert_eq!(limited(4), [(0, "4 steps are blue; the first: step 0 is blue".to_owned())]);
    }
}
