//! Diagnostics of bounded size for a log with a million faults.

use crate::diagnostic::{Diagnostic, Severity, sort};

/// The maximum number of listed findings of one code and severity.
const EACH: usize = 100;

/// The first hundred findings of each code, and the number of the others.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    found: Vec<Diagnostic>,
    counts: Vec<(&'static str, Severity, usize)>,
}

impl Findings {
    /// Whether one more of that code and severity would be listed. Otherwise, a costly finding need not be
    /// made.
    #[must_use]
    pub fn takes(&self, code: &str, severity: Severity) -> bool {
        let count = self.counts.iter().find(|(own, other, _)| *own == code && *other == severity);
        count.is_none_or(|(_, _, count)| *count < EACH)
    }

    /// Adds a finding; `make` returns it if it is listed.
    pub fn add(&mut self, code: &'static str, severity: Severity, make: impl FnOnce() -> Diagnostic) {
        let is_reported = self.takes(code, severity);
        match self.counts.iter_mut().find(|(own, other, _)| *own == code && *other == severity) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((code, severity, 1)),
        }
        if is_reported {
            self.found.push(make());
        }
    }

    /// Adds all of `other`, those left off as well.
    pub fn extend(&mut self, other: &Findings) {
        for diagnostic in &other.found {
            self.add(diagnostic.code, diagnostic.severity, || diagnostic.clone());
        }
        for (code, severity, count) in &other.counts {
            for _ in EACH..*count {
                self.add(code, *severity, || {
                    Diagnostic::new(code, *severity, crate::text::Span::default(), "")
                });
            }
        }
    }

    /// Whether there is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.counts.iter().any(|(_, severity, _)| *severity == Severity::Error)
    }

    /// The number of findings of a severity, including those not listed.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.counts.iter().filter(|(_, own, _)| *own == severity).map(|(_, _, count)| count).sum()
    }

    /// The diagnostics in order of place. Where some are left off, the last of their code has their number.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = self.found.clone();
        sort(&mut all);
        for (code, severity, count) in &self.counts {
            let left = count.saturating_sub(EACH);
            let is_own = |found: &&mut Diagnostic| found.code == *code && found.severity == *severity;
            if left > 0
                && let Some(last) = all.iter_mut().rfind(is_own)
            {
                last.message.push_str(&format!("; there are {left} more like this"));
            }
        }
        all
    }
}
