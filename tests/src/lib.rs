//! Suites that span the crates of the workspace, and what they share.

pub mod corpus;
pub mod fixture;
pub mod generate;
pub mod long_logs;
pub mod simulated;

use std::fs;
use std::path::{Path, PathBuf};

/// Every how many cases an exhaustive test tries one: 1 under `cargo xtask test`, which sets `TRANSCRIPT_ALL_CASES`, and `part`
/// in a bare `cargo test`, which has to end within a minute.
#[must_use]
pub fn case_step(part: usize) -> usize {
    if std::env::var_os("TRANSCRIPT_ALL_CASES").is_some() { 1 } else { part }
}

/// Asserts that a file, by its path in the repository, is what it should be. `UPDATE=1` writes it.
#[track_caller]
pub fn assert_file(path: &str, expected: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let expected = expected(&text);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    assert_eq!(text, expected, "{}: `UPDATE=1` writes it anew", path.display());
}

/// The fixtures of `tests/suite` in `folder` there and below, in order.
#[must_use]
pub fn fixtures(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite").join(folder);
    let mut found = Vec::new();
    collect(&root, &mut found);
    found.sort();
    assert!(!found.is_empty(), "no fixture in {}", root.display());
    found
}

/// The input of every fixture, with the path of the fixture.
#[must_use]
pub fn inputs() -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let body = text.split_once('\n').unwrap().1;
        let end = body.find("\n==== ").map_or(body.len(), |at| at + 1);
        (path, body[..end].to_owned())
    };
    fixtures("").into_iter().map(read).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
}

/// The Rust examples of the page about the builder, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../public/docs/builder.md")]
pub struct BuilderPage;

/// The same of the page about the recorder.
#[cfg(doctest)]
#[doc = include_str!("../../public/docs/record.md")]
pub struct RecordPage;
