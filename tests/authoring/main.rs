//! What an author works with: builder, difference, redaction, and the pages about them.

mod build;
mod diff;
mod fixtures;
mod pages;
mod redact;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};

/// The cases of each property.
const CASES: u32 = 200;

/// Runs a property on generated values; returns the first value that breaks it.
fn holds<S: Strategy>(
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Result<(), TestError<S::Value>> {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(config, rng).run(strategy, property)
}
