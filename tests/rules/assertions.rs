//! The published table of assertions is the one that the core reads.

use std::fs;
use std::path::Path;

use transcript_core::model::{ASSERTION_FIELDS, ASSERTION_TYPES, Field, SEQUENCE_MODES, Shape};

const HEAD: &str = "# Assertions

An assertion says what a run has to be. It stands in `final_state.assertions` of a full transcript; in a
compact one in `assertions`, or in an item `{expect: ...}`, where an assertion about a text speaks of the
message before it.

In the compact form, the type may be the key: `{contains: \"72\"}` is `{type: contains, pattern: \"72\"}`.
The field that the value then stands for is marked below. `tool_called.parameters` is a part of the
arguments: a call may have others. Texts are compared as they are; `ignore_case: true` changes that.
`transcript validate` checks assertions against the run they stand in (T503), save for the types with
patterns and JMESPath expressions.

`tool_sequence` compares in one of four modes, each tool as often as it is listed. `strict`, which is meant
when none is named: these calls in this order and no others. `unordered`: these and no others, in any order.
`subset`: no other calls than these, of which some may be left out. `superset`: all of these, and perhaps
others.

";

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text => "text",
        Shape::Bool => "true or false",
        Shape::Integer => "whole number",
        Shape::Open => "map",
        Shape::List(_) => "list of texts",
        Shape::Any => "anything",
        other => panic!("no word for {other:?}"),
    }
}

fn row(field: &Field, mark: &str) -> String {
    let need = if field.required { "needed" } else { "" };
    format!("| `{}`{mark} | {} | {need} | {} |\n", field.name, kind(field.shape), field.doc)
}

fn page() -> String {
    let mut out = HEAD.to_owned();
    let table = "| field | kind | | |\n|---|---|---|---|\n";
    out.push_str(&format!("## All types\n\n{table}"));
    ASSERTION_FIELDS.iter().for_each(|field| out.push_str(&row(field, "")));
    for assertion in ASSERTION_TYPES {
        out.push_str(&format!("\n## {}\n\n{}\n", assertion.name, assertion.doc));
        if !assertion.one_of.is_empty() {
            let names: Vec<String> = assertion.one_of.iter().map(|name| format!("`{name}`")).collect();
            out.push_str(&format!("One of {} at least has to be there.\n", names.join(", ")));
        }
        if !assertion.fields.is_empty() {
            out.push_str(&format!("\n{table}"));
        }
        for field in assertion.fields {
            out.push_str(&row(field, if assertion.short == Some(field.name) { " (short form)" } else { "" }));
        }
    }
    out
}

#[test]
fn the_page_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/docs/assertions.md");
    let page = page();
    assert!(SEQUENCE_MODES.iter().all(|mode| page.contains(&format!("`{mode}`"))));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page, "UPDATE=1 writes the page");
}
