//! The lists of formats outside the core agree with their table. `UPDATE=1` rewrites it.

use transcript_core::import::repair_as;
use transcript_core::view::{FormatView, formats};
use transcript_tests::assert_file;

#[test]
fn the_documentation_lists_all_formats() {
    let row = |format: &FormatView| {
        let FormatView { kind, names, title, plural, .. } = format;
        let name = if title.is_empty() { plural } else { title };
        format!("| {name} | `{}` | `{kind}` |\n", names[0])
    };
    let rows: String = formats().iter().filter(|format| !format.names.is_empty()).map(row).collect();
    assert_file("public/docs/logs.md", |text| {
        let head = "| Format | `--from` | `detect` |\n| --- | --- | --- |\n";
        let (before, rest) = text.split_once(head).expect("the table of formats");
        let mut after = rest;
        while after.starts_with('|') {
            after = after.split_once('\n').map_or("", |(_, rest)| rest);
        }
        format!("{before}{head}{rows}{after}")
    });
}

#[test]
fn the_formats_that_are_repaired_are_marked() {
    for format in formats().iter().filter(|format| !format.names.is_empty()) {
        let is_repaired = repair_as(&format.names[0], b"").is_some();
        assert_eq!(format.extras.iter().any(|extra| extra == "repair"), is_repaired, "{}", format.kind);
    }
}

/// Of these the tests make the files themselves, or have them as databases in `stores`.
const MADE: [&str; 4] = ["aimock-fixtures", "openai-responses", "cursor-store", "langgraph-checkpoints"];

#[test]
fn each_format_has_a_sample() {
    let samples = include_str!("samples.txt");
    for format in formats().iter().filter(|format| !MADE.contains(&&*format.kind)) {
        assert!(samples.contains(&format!(": {}", format.kind)), "{}", format.kind);
    }
}
