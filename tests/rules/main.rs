//! The rules about runs over every document that shows one: their fixes mend what they speak of, and the
//! work they do grows with the document and not with its square.

mod assertions;
mod turn_and_message;

use std::fs;
use std::path::{Path, PathBuf};

use transcript_core::diagnostic::{Diagnostic, apply};
use transcript_core::document::{Document, Limits};
use transcript_core::text::LineIndex;

fn texts(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let paths = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The documents of the fixtures and of the pages about codes.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for (path, text) in texts("tests/suite/validate", "txt") {
        let input = text.split_once('\n').unwrap().1;
        let end = input.find("\n==== ").unwrap() + 1;
        found.push((path, input[..end].to_owned()));
    }
    for (path, text) in texts("public/docs/diagnostics", "md") {
        for block in text.split("\n```").skip(1).step_by(2) {
            found.push((path.clone(), block.split_once('\n').unwrap().1.to_owned()));
        }
    }
    assert!(found.len() > 60, "{} documents", found.len());
    found
}

fn is_about_runs(found: &Diagnostic) -> bool {
    ("T210".."T600").contains(&found.code)
}

fn alike(found: &[Diagnostic], one: &Diagnostic) -> usize {
    found.iter().filter(|other| other.code == one.code && other.message == one.message).count()
}

#[test]
fn every_fix_mends_what_it_is_offered_for() {
    let (mut tried, mut failures) = (0, Vec::new());
    for (path, text) in documents() {
        let document = Document::open(&text, &Limits::default());
        for found in document.diagnostics().iter().filter(|found| is_about_runs(found)) {
            for fix in &found.fixes {
                tried += 1;
                let mended = apply(&text, &fix.edits).expect("edits lie in the text and apart");
                let after = Document::open(&mended, &Limits::default());
                let is_gone = alike(after.diagnostics(), found) < alike(document.diagnostics(), found);
                if !(is_gone && after.is_readable() == document.is_readable()) {
                    failures.push(format!("{}: {} {}\n{mended}", path.display(), found.code, fix.title));
                }
                // Lines without an edit stay as they are.
                let lines = LineIndex::new(&text);
                let line = |offset: u32| lines.position(&text, offset as usize).line;
                let touched = |number: u32| {
                    fix.edits
                        .iter()
                        .any(|edit| (line(edit.span.start)..=line(edit.span.end)).contains(&number))
                };
                for (index, kept) in text.lines().enumerate() {
                    let number = u32::try_from(index).unwrap() + 1;
                    assert!(touched(number) || mended.lines().any(|other| other == kept), "{kept}");
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tried > 60, "{tried} fixes");
}
