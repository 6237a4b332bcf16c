//! Reads what a test suite prints: how many tests passed, and why the others failed.

/// Of one failed test, this many lines are kept.
const LINES: usize = 12;

/// What the output of one suite says.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) counts: Counts,
    /// Each failed test with the first lines of its reason.
    pub(crate) failures: Vec<String>,
    section: Section,
}

/// Where in the output the reader is.
#[derive(Default)]
enum Section {
    #[default]
    Running,
    /// In the list of failed tests at the end, with the lines that the current test has left.
    Failures(usize),
}

impl Report {
    /// Reads the next line, without colors.
    pub(crate) fn read(&mut self, line: &str) {
        self.counts.read(line);
        let cargo = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        if line == "✖ failing tests:" {
            self.section = Section::Failures(0);
        } else if cargo.is_some() {
            self.failures.push(cargo.unwrap_or_default().to_owned());
            self.section = Section::Failures(LINES);
        } else if line == "failures:" {
            // Cargo prints this line before the reasons, and again before a list of the names alone.
            self.section = Section::Running;
        } else if let Section::Failures(left) = &mut self.section {
            if let Some(name) = line.strip_prefix("✖ ") {
                self.failures.push(name.to_owned());
                *left = LINES;
            } else if line.starts_with("test at ") {
                *left = 0;
            } else if *left > 0 && !line.trim().is_empty() && !line.trim_start().starts_with("at ") {
                self.failures.push(format!("    {line}"));
                *left -= 1;
            }
        }
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

    const NODE: &str = "\
✖ a b (2.9ms)
  AssertionError: first time
✔ ok (0.2ms)
ℹ pass 1
ℹ fail 2

✖ failing tests:

test at ../x.test.mjs:3:1
✖ a b (2.9ms)
  AssertionError: differs
  + actual - expected

      at TestContext.<anonymous> (file:///x.test.mjs:3:24)

test at ../x.test.mjs:5:1
✖ times out (50.2ms)
  'test timed out after 50ms'
";

    const CARGO: &str = "\
test text::one ... FAILED

failures:

---- text::one stdout ----

thread 'text::one' panicked at core/src/text.rs:4:5:
assertion `left == right` failed

failures:
    text::one

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    #[test]
    fn reasons_of_failed_tests_are_kept() {
        for (output, expected) in [
            (
                NODE,
                &[
                    "a b (2.9ms)",
                    "      AssertionError: differs",
                    "      + actual - expected",
                    "times out (50.2ms)",
                    "      'test timed out after 50ms'",
                ][..],
            ),
            (
                CARGO,
                &[
                    "text::one",
                    "    thread 'text::one' panicked at core/src/text.rs:4:5:",
                    "    assertion `left == right` failed",
                ],
            ),
        ] {
            let mut report = Report::default();
            output.lines().for_each(|line| report.read(line));
            assert_eq!(report.failures, expected);
        }
    }

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
}
