//! Counts what passed and what failed, and closes with one line of the counts.

use std::process::ExitCode;

use crate::failure::Outcome;
use crate::progress;

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

    /// Counts what a whole suite reported. Whatever way a suite has to prove nothing counts as a failure: it
    /// ended badly without naming a failed test, it ran none, or it left some out.
    pub(crate) fn suite(&mut self, name: &str, counts: Counts, ended_well: bool) {
        self.passed += counts.passed;
        self.failed += counts.failed;
        if counts.failed > 0 {
            self.failures.push(format!("{name}: {} failed", counts.failed));
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

/// What one suite reported of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// Skipped, ignored or still to do.
    pub(crate) left_out: u64,
}

impl Counts {
    /// Adds the numbers of a summary line of `cargo test`, of node's test runner, or of a script that closes
    /// with `N passed, N failed`; any other line adds nothing.
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some((_, numbers)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        {
            for part in numbers.split("; ") {
                match part.split_once(' ') {
                    Some((count, "passed")) => self.passed += count.parse().unwrap_or(0),
                    Some((count, "failed")) => self.failed += count.parse().unwrap_or(0),
                    Some((count, "ignored")) => self.left_out += count.parse().unwrap_or(0),
                    _ => {}
                }
            }
            return;
        }
        if let Some((name, count)) =
            line.strip_prefix("ℹ ").or(line.strip_prefix("# ")).and_then(|rest| rest.split_once(' '))
        {
            let Ok(count) = count.parse::<u64>() else { return };
            match name {
                "pass" => self.passed += count,
                "fail" | "cancelled" => self.failed += count,
                "skipped" | "todo" => self.left_out += count,
                _ => {}
            }
            return;
        }
        if let Some((passed, failed)) =
            line.strip_suffix(" failed").and_then(|rest| rest.split_once(" passed, "))
            && let (Ok(passed), Ok(failed)) = (passed.parse::<u64>(), failed.parse::<u64>())
        {
            self.passed += passed;
            self.failed += failed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Counts {
        let mut counts = Counts::default();
        lines.iter().for_each(|line| counts.read(line));
        counts
    }

    #[test]
    fn cargo_and_node_summaries_are_added_up() {
        let counts = read(&[
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "ℹ tests 9",
            "ℹ pass 5",
            "ℹ fail 1",
            "ℹ cancelled 1",
            "ℹ skipped 2",
            "ℹ duration_ms 41.2",
            "# pass 7",
            "11 passed, 0 failed",
        ]);
        assert_eq!(counts, Counts { passed: 3 + 4 + 5 + 7 + 11, failed: 2 + 1 + 1, left_out: 3 });
    }

    #[test]
    fn other_lines_add_nothing() {
        let counts =
            read(&["ok 1 - pass 5", "# Subtest: pass 3", "several passed, none failed", "test a ... ok"]);
        assert_eq!(counts, Counts::default());
    }

    #[test]
    fn a_suite_that_proves_nothing_is_a_failure() {
        for (counts, ended_well) in [
            (Counts::default(), true),
            (Counts { passed: 2, ..Counts::default() }, false),
            (Counts { passed: 2, left_out: 1, ..Counts::default() }, true),
        ] {
            let mut tally = Tally::default();
            tally.suite("suite", counts, ended_well);
            assert_eq!(tally.failed, 1, "{counts:?}");
        }
    }
}
