//! Descriptions of keys, words and codes are empty in `core.wasm` until `authoring.wasm` is added to it, so that only completion
//! and hovering may read one.

use crate::files::File;
use crate::{Violation, code};

/// The stage that reads descriptions. Only `authoring.wasm` has it.
const READER: &str = "core/src/complete/";

/// The type of a description, and the file that defines it.
const TYPE: &str = "Doc";
const TYPE_FILE: &str = "core/src/text/doc.rs";

/// The name of each field of that type, by which a read is found.
const FIELD: &str = "doc";

pub(crate) fn check(file: &File) -> Vec<Violation> {
    let is_core = ["core/src/", "wasm-pkg/src/"].iter().any(|folder| file.path.starts_with(folder));
    let is_exempt = file.is_test() || file.path.starts_with(READER) || file.path == TYPE_FILE;
    if !is_core || is_exempt || file.extension() != "rs" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in code::code_lines(&file.text).iter().enumerate() {
        if reads(line) {
            let what = format!("reads a description, which only {READER} may do");
            found.push(Violation::new(file, index + 1, what));
        }
        if hides(line) {
            let what = format!("a `{TYPE}` has to be a field or a parameter with the name `{FIELD}`");
            found.push(Violation::new(file, index + 1, what));
        }
    }
    found
}

fn reads(line: &str) -> bool {
    code::words(line, FIELD).any(|at| {
        let is_call = line[at + FIELD.len()..].starts_with('(');
        line[..at].ends_with('.') && !is_call
    })
}

/// Whether the type is used where a read of it has another form.
fn hides(line: &str) -> bool {
    let is_import = line.trim_start().trim_start_matches("pub ").starts_with("use ");
    let named = format!("{FIELD}: ");
    !is_import && code::words(line, TYPE).any(|at| !line[..at].ends_with(&named))
}

#[test]
fn a_read_of_a_description_is_found() {
    let violations = |path: &str, text: &str| check(&File::sample(path, text)).len();
    let read = "help(&found.doc)";
    assert_eq!(violations("core/src/validate/refs.rs", read), 1);
    assert_eq!(violations("wasm-pkg/src/document.rs", "row\n    .doc\n    .len()"), 1);
    assert_eq!(violations("core/src/complete/hover.rs", read), 0);
    assert_eq!(violations("core/src/validate/refs.rs", "// found.doc\nopen.doc()"), 0);
    assert_eq!(violations("tests/schema/generate.rs", read), 0);
}

#[test]
fn a_description_has_the_name_that_is_looked_for() {
    let violations = |text: &str| check(&File::sample("core/src/model/shape.rs", text)).len();
    assert_eq!(violations("use crate::text::{Doc, doc};\npub doc: Doc,\nconst fn a(doc: Doc) -> Row {"), 0);
    assert_eq!(violations("pub summary: Doc,\nconst ALL: [(&str, Doc); 2] = [\nfn text() -> Doc {"), 3);
    assert_eq!(violations("fn of(document: &Document)"), 0);
}
