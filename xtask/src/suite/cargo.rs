//! The Rust tests: of all packages, with the examples in the documentation.

use super::test_environment::TestEnvironment;
use crate::failure::Outcome;
use crate::process;
use crate::report::Report;
use crate::tally::Tally;

/// Where the property tests begin to draw their inputs.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20260101");

/// Has exhaustive tests try all of their cases: see `case_step` in `tests/src/lib.rs`.
const ALL_CASES: &str = "TRANSCRIPT_ALL_CASES";

/// The tests that run Python and npm packages. A bare `cargo test` leaves them out.
pub(crate) const EXTERNAL: &str = "transcript-tests/external-programs";

/// Runs the tests of every package on this machine's own architecture, the examples in the docs among them.
pub(crate) fn run(tally: &mut Tally, environment: &TestEnvironment) -> Outcome {
    crate::progress::step("Rust tests");
    let mut command = process::cargo();
    command.args(["test", "--workspace", "--no-fail-fast", "--features", EXTERNAL]);
    // The output is read as it passes, and cargo would take the pipe for a reason to drop its colours.
    if std::io::IsTerminal::is_terminal(&std::io::stdout()) && std::env::var_os("NO_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    // Inputs that are the same each time: what is red then is the fault of the change. Others are searched by hand.
    if std::env::var_os(SEED.0).is_none() {
        command.env(SEED.0, SEED.1);
    }
    command.env(ALL_CASES, "1");
    environment.apply_to(&mut command);
    let mut report = Report::default();
    let ended_well = process::watch(&mut command, |line| report.read(line))?;
    tally.suite("Rust tests", report, ended_well);
    Ok(())
}
