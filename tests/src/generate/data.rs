//! Generated data, made of what readers are known to take for something else.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::awkward;

/// The characters of generated texts: those with a meaning in YAML more often than others.
const CHARACTERS: &str = "[ \n\t\r:#'\"\\\\,\\[\\]{}&*!|>%@`?=<~.+_0-9eExob\\-aynNé°漢😀\u{0}-\u{1f}\u{7f}-\u{a0}\u{ad}\u{200b}\u{200d}\u{2028}\u{2029}\u{202e}\u{feff}\u{fffd}-\u{ffff}\u{e0041}]{0,12}";

/// Documents a few levels deep.
pub fn documents() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((text(), inner), 0..5).prop_map(|entries| Value::Object(Map::from_iter(entries))),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i64>().prop_map(|number| json!(number)),
        1 => any::<u64>().prop_map(|number| json!(number)),
        2 => any::<u64>().prop_map(f64::from_bits).prop_map(|number| match number.is_finite() {
            true => json!(number),
            false => json!(1e100),
        }),
        8 => text().prop_map(Value::String),
    ]
}

/// Texts of all kinds that a reader may take for something else.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => proptest::sample::select(awkward::texts()),
        2 => CHARACTERS,
        // What looks like numbers, times and dates of some version.
        2 => "[-+]?[0-9_]{1,4}([.:eETxob-][-+]?[0-9_]{0,3}){0,3}Z?",
        // Prose with the odd line end and indentation.
        3 => vec("[ \t]{0,2}[A-Za-z',.#:-]{1,8}( [a-z]{1,5}){0,12} {0,1}", 1..6).prop_map(|lines| lines.join("\n")),
        1 => (text_of_lines(), "\n{0,3}").prop_map(|(text, end)| text + &end),
        1 => "\\PC{0,20}",
        1 => any::<String>(),
        1 => "[a-z, ]{990,1040}",
    ]
}

fn text_of_lines() -> impl Strategy<Value = String> {
    vec(
        prop_oneof!["", " {1,3}", "[ \t]{0,3}[a-z]{1,5}", "---", "\\.\\.\\.", "# [a-z]{1,3}", "- [a-z]"],
        1..6,
    )
    .prop_map(|lines| lines.join("\n"))
}
