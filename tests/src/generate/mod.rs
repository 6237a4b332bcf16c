//! Generated documents for property tests. Cases, sizes and seeds are arguments; nothing is drawn from a clock.

pub mod awkward;
pub mod data;
pub mod full;
pub mod lacks;
pub mod script;

use std::fmt;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};

/// A runner that draws the same cases for the same seed.
#[must_use]
pub fn runner(seed: u64) -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// The first `cases` values that `strategy` gives for `seed`.
///
/// # Panics
/// When the strategy rejects what it drew.
pub fn samples<S: Strategy>(strategy: &S, cases: u64, seed: u64) -> Vec<S::Value> {
    let mut runner = runner(seed);
    let draw = |_| strategy.new_tree(&mut runner).expect("the strategy rejects nothing").current();
    (0..cases).map(draw).collect()
}

/// A value for which a property does not hold, made as small as could be.
#[derive(Debug)]
pub struct Counterexample<V> {
    /// Which of the cases it was found in, from 0.
    pub case: u64,
    /// The seed of the cases.
    pub seed: u64,
    /// The value, and why the property does not hold for it.
    pub error: TestError<V>,
}

impl<V: fmt::Debug> fmt::Display for Counterexample<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {} of seed {}: ", self.case, self.seed)?;
        match &self.error {
            TestError::Fail(why, value) => write!(f, "{why}\nfor {value:#?}"),
            other => write!(f, "{other}"),
        }
    }
}

/// Tries `property` on `cases` values; the first failure is made small.
///
/// # Errors
/// The smallest value found for which it does not hold.
///
/// # Panics
/// When the strategy rejects what it drew.
pub fn hold<S: Strategy>(
    strategy: &S,
    cases: u64,
    seed: u64,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Result<(), Counterexample<S::Value>> {
    let mut runner = runner(seed);
    for case in 0..cases {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        runner.run_one(tree, &property).map_err(|error| Counterexample { case, seed, error })?;
    }
    Ok(())
}

/// The number in an environment variable, else `default`.
///
/// # Panics
/// When the variable holds something else.
#[must_use]
pub fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")),
        Err(_) => default,
    }
}
