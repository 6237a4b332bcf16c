//! Counts what passed and what failed, and closes with one line of the counts.

use std::process::ExitCode;

use crate::failure::Outcome;
use crate::progress;
use crate::report::Report;

#[derive(Default)]
pub(crate) struct Tally {
    passed: u64,
    failed: u64,
    /// What failed, in words, for the end of a long output.
    failures: Vec<String>,
}

impl Tally {
    /// Runs a check that counts as one.
    pub(crate) fn check(&mut self, name: &str, run: impl FnOnce() -> Outcome) -> bool {
        progress::step(name);
        match run() {
            Ok(()) => {
                self.passed += 1;
                true
            }
            Err(failure) => {
                eprintln!("{failure}");
                self.fail(name.to_owned());
                false
            }
        }
    }

    pub(crate) fn fail(&mut self, what: String) {
        self.failed += 1;
        self.failures.push(what);
    }

    /// Counts what a whole suite reported, and keeps its reasons for the end. Whatever way a suite has to prove nothing counts as a failure: it
    /// ended badly without naming a failed test, it ran none, or it left some out.
    pub(crate) fn suite(&mut self, name: &str, report: Report, ended_well: bool) {
        let Report { counts, failures, .. } = report;
        self.passed += counts.passed;
        self.failed += counts.failed;
        if counts.failed > 0 {
            let reasons = failures.iter().map(|line| format!("\n  {line}")).collect::<String>();
            self.failures.push(format!("{name}: {} failed{reasons}", counts.failed));
        } else if !ended_well {
            self.fail(format!("{name}: ended badly without naming a failed test"));
        } else if counts.passed == 0 {
            self.fail(format!("{name}: ran no test"));
        }
        if counts.left_out > 0 {
            self.fail(format!("{name}: left {} tests out", counts.left_out));
        }
    }

    /// Prints the failures by name and, alone on the last line, the count.
    pub(crate) fn close(self) -> ExitCode {
        for failure in &self.failures {
            eprintln!("failed: {failure}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Counts;

    #[test]
    fn a_suite_that_proves_nothing_is_a_failure() {
        for (counts, ended_well) in [
            (Counts::default(), true),
            (Counts { passed: 2, ..Counts::default() }, false),
            (Counts { passed: 2, left_out: 1, ..Counts::default() }, true),
        ] {
            let mut tally = Tally::default();
            let mut report = Report::default();
            report.counts = counts;
            tally.suite("suite", report, ended_well);
            assert_eq!(tally.failed, 1, "{counts:?}");
        }
    }
}
