//! A field that serde leaves out is optional in TypeScript. `ts-rs` sees that only of fields with a default.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// The fields of types with TypeScript that may be left out and are not marked so.
fn unmarked(text: &str) -> Vec<&str> {
    let types = text.split("derive(ts_rs::TS)").skip(1).filter_map(|rest| rest.split("\n}\n").next());
    // A field with its attributes ends at the documentation of the next one.
    let fields = types.flat_map(|body| body.split("\n    ///"));
    fields
        .filter(|field| field.contains("skip_serializing_if"))
        .filter(|field| !field.contains("default") && !field.contains("ts(optional"))
        .collect()
}

#[test]
fn what_may_be_left_out_is_optional() {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src"), &mut files);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(unmarked(&text), Vec::<&str>::new(), "{}: `ts(optional)` is missing", path.display());
    }
}

#[test]
fn a_field_without_its_mark_is_found() {
    let text = "derive(ts_rs::TS)\npub struct A {\n    /// B.\n    #[serde(skip_serializing_if = \"x\")]\n    pub b: u8,\n}\n";
    assert_eq!(unmarked(text).len(), 1);
}
