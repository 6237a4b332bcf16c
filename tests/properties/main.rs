//! Properties of the forms, tried on generated runs.
//!
//! `PROPERTY_CASES` and `PROPERTY_SEED` widen the search. A property takes the implementation that it is
//! about, so that a broken one can be put in its place: each is shown to catch one within the same cases.

mod accepted;
mod broken;
mod forms;
mod page;
mod scale;

use proptest::strategy::Strategy;
use proptest::test_runner::TestCaseResult;
use transcript_tests::case_step;
use transcript_tests::generate::{full, hold, lacks, samples, script, setting};

use forms::{Forms, SIZE};

/// Runs a property on generated cases, prints how many, and fails with the smallest case found.
#[track_caller]
fn check<S: Strategy>(name: &str, strategy: &S, property: impl Fn(S::Value) -> TestCaseResult) {
    let (all, seed) = budget();
    let cases = all / case_step(4) as u64;
    println!("{name}: {cases} cases of seed {seed}");
    if let Err(found) = hold(strategy, cases, seed, property) {
        panic!("{name}: {found}");
    }
}

fn budget() -> (u64, u64) {
    (setting("PROPERTY_CASES", 120), setting("PROPERTY_SEED", 1))
}

const REAL: Forms = Forms::REAL;

#[test]
fn a_compact_document_expands_to_the_run_that_it_says() {
    check("expansion", &script::scripts(SIZE), |script| forms::expands(&REAL, &script));
}

#[test]
fn a_full_transcript_of_such_a_run_compacts_without_loss_and_expands_to_itself() {
    check("round trip", &script::scripts(SIZE), |script| forms::returns(&REAL, &script));
}

#[test]
fn compacting_is_stable_after_one_pass() {
    check("stability", &script::scripts(SIZE), |script| forms::is_stable(&REAL, &script));
}

#[test]
fn what_the_compact_form_cannot_say_is_listed_with_its_place() {
    check("losses", &full::with_extras(SIZE), |(script, extras)| {
        forms::reports_losses(&REAL, &script, &extras)
    });
}

#[test]
fn whatever_compacts_without_loss_expands_to_the_same_run() {
    check("no loss unreported", &full::with_extras(SIZE), |(script, extras)| {
        forms::loses_nothing_unreported(&REAL, &script, &extras)
    });
}

#[test]
fn whatever_a_transcript_lacks_is_reported_or_a_documented_default() {
    check("lacks", &lacks::with_lack(SIZE), |(script, lack)| {
        forms::is_default_or_reported(&REAL, &script, lack)
    });
}

#[test]
fn a_full_transcript_is_read_back_as_it_was_written() {
    check("writing", &full::with_extras(SIZE), |(script, extras)| forms::reads_back(&REAL, &script, &extras));
}

#[test]
fn seeds_give_the_same_runs() {
    let draw = |seed| {
        samples(&script::scripts(5), 3, seed).iter().map(|script| script.write().full).collect::<Vec<_>>()
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}
