//! What an author works with: builder, difference, redaction, and the pages about them.

mod build;
mod diff;
mod fixtures;
mod pages;
mod redact;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// The cases of each property.
const CASES: u32 = 200;

/// Runs a property on generated values; the first value that breaks it comes back in words.
fn holds<S: Strategy>(strategy: &S, property: impl Fn(S::Value) -> Result<(), String>) -> Result<(), String> {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(config, rng)
        .run(strategy, |value| property(value).map_err(TestCaseError::fail))
        .map_err(|error| error.to_string())
}
