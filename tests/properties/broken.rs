//! One broken implementation for each property, which the property must find within the same cases.

use proptest::strategy::Strategy;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;
use transcript_core::write;
use transcript_tests::generate::{full, hold, script};

use crate::forms::{self, Forms, SIZE};
use crate::{REAL, budget};

#[track_caller]
fn finds<S: Strategy>(what: &str, strategy: &S, property: impl Fn(S::Value) -> TestCaseResult) {
    let (cases, seed) = budget();
    let found = hold(strategy, cases, seed, property);
    let Err(found) = found else { panic!("{what} went unnoticed in {cases} cases of seed {seed}") };
    println!("{what}: {}", found.to_string().lines().next().unwrap_or_default());
}

/// The compact text of the real implementation with something done to it.
fn changed(text: &str, change: impl Fn(&str) -> String) -> transcript_core::view::Compaction {
    let mut compaction = (REAL.compact)(text, true);
    compaction.ok = true;
    compaction.text = compaction.text.as_deref().map(change);
    compaction
}

/// Drops the items of a compact document that begin with one of the keys.
fn without(text: &str, key: &str) -> String {
    let data = forms::open(text);
    let limits = transcript_core::document::Limits::default();
    let mut value = transcript_core::parse::parse(data.text(), &limits).root.expect("data").to_value();
    if let Some(items) = value["messages"].as_array_mut() {
        items.retain(|item| item.get(key).is_none());
    }
    write::yaml(&value)
}

#[test]
fn an_expansion_that_forgets_what_is_hidden() {
    let expand = |text: &str| {
        let mut full = (REAL.expand)(text)?;
        for turn in full["execution"].as_array_mut()? {
            turn["message_created"]["visible"] = true.into();
        }
        Some(full)
    };
    let forms = Forms { expand, ..REAL };
    finds("a lost flag", &script::scripts(SIZE), |script| forms::expands(&forms, &script));
}

#[test]
fn a_writer_that_leaves_words_unquoted() {
    let write = |value: &Value| {
        write::yaml(value)
            .replace("\"0o7\"", "0o7")
            .replace("\"~\"", "~")
            .replace("\"1\"", "1")
            .replace("\"12\"", "12")
    };
    let forms = Forms { write, ..REAL };
    finds("a bare word", &full::with_extras(SIZE), |(script, extras)| {
        forms::reads_back(&forms, &script, &extras)
    });
}

#[test]
fn a_compactor_that_drops_context_changes() {
    let forms = Forms { compact: |text, _| changed(text, |text| without(text, "context")), ..REAL };
    finds("a lost context change", &script::scripts(SIZE), |script| forms::returns(&forms, &script));
}

#[test]
fn a_compactor_that_drops_visibility() {
    let forms = Forms { compact: |text, _| changed(text, |text| without(text, "hide")), ..REAL };
    finds("a lost visibility change", &script::scripts(SIZE), |script| forms::returns(&forms, &script));
}

#[test]
fn a_literal_writer_that_loses_quotes() {
    let compact = |text: &str, _| {
        changed(text, |text| text.replace("\\\\'", "'").replace("='", "=").replace("')", ")"))
    };
    let forms = Forms { compact, ..REAL };
    finds("a lost quote", &script::scripts(SIZE), |script| forms::returns(&forms, &script));
}

#[test]
fn a_compactor_that_is_not_stable() {
    let compact = |text: &str, _| changed(text, |text| text.replacen("user: ", "user:  ", 1));
    let forms = Forms { compact, ..REAL };
    finds("a growing text", &script::scripts(SIZE), |script| forms::is_stable(&forms, &script));
}

#[test]
fn a_compactor_that_overlooks_a_loss() {
    let compact = |text: &str, force| {
        let mut compaction = (REAL.compact)(text, true);
        compaction.losses.retain(|loss| !loss.path.ends_with("usage"));
        compaction.ok = compaction.losses.is_empty();
        compaction.text = compaction.text.filter(|_| force || compaction.ok);
        compaction
    };
    let forms = Forms { compact, ..REAL };
    finds("an unreported loss", &full::with_extras(SIZE), |(script, extras)| {
        forms::reports_losses(&forms, &script, &extras)
    });
    finds("a silent loss", &full::with_extras(SIZE), |(script, extras)| {
        forms::loses_nothing_unreported(&forms, &script, &extras)
    });
}
