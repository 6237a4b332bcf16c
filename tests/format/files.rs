//! The documents of this repository: the gallery, and the input of every fixture.

use std::fs;
use std::path::{Path, PathBuf};

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// The input of a fixture, whose format `tests/suite/README.md` describes.
fn input(fixture: &str) -> String {
    let body = fixture.split_once('\n').unwrap().1;
    let end =
        if body.starts_with("==== ") { 0 } else { body.find("\n==== ").map_or(body.len(), |at| at + 1) };
    let (input, rest) = body.split_at(end);
    let input = if rest.starts_with("==== end") { input.trim_end_matches('\n') } else { input };
    input.to_owned()
}

/// The name and text of each document.
pub(crate) fn documents() -> Vec<(String, String)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(&tests.join("suite"), &mut paths);
    walk(&tests.join("../public/examples"), &mut paths);
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(tests).unwrap_or(&path).display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => found.push((name, input(&text))),
            Some("yaml" | "json") => found.push((name, text)),
            _ => {}
        }
    }
    found
}
