//! Generated documents for property tests. Cases, sizes and seeds are arguments; nothing is drawn from a clock.

pub mod awkward;
pub mod data;
pub mod full;
pub mod lacks;
pub mod script;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

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

/// Tries `property` on `cases` values; the first failure is made small, and comes back in words.
///
/// # Errors
/// The smallest value found that fails, and why it does.
///
/// # Panics
/// When the strategy rejects what it drew.
pub fn hold<S: Strategy>(
    strategy: &S,
    cases: u64,
    seed: u64,
    property: impl Fn(S::Value) -> Result<(), String>,
) -> Result<(), String> {
    let mut runner = runner(seed);
    for case in 0..cases {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let outcome = runner.run_one(tree, |value| property(value).map_err(TestCaseError::fail));
        match outcome {
            Ok(_) => {}
            Err(TestError::Fail(why, value)) => {
                return Err(format!("case {case} of seed {seed}: {why}\nfor {value:#?}"));
            }
            Err(other) => return Err(format!("case {case} of seed {seed}: {other}")),
        }
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
