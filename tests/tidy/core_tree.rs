//! The core reads no clock, no file and no randomness, and neither does a crate that it is built of.

use std::collections::{BTreeMap, BTreeSet};

use crate::Violation;
use crate::files::File;

const IMPURE: [&str; 22] = [
    "async-std",
    "chrono",
    "console_error_panic_hook",
    "crossbeam",
    "dirs",
    "fastrand",
    "fs-err",
    "getrandom",
    "gloo",
    "jiff",
    "js-sys",
    "rand",
    "rayon",
    "tempfile",
    "time",
    "tokio",
    "ureq",
    "uuid",
    "walkdir",
    "wasm-bindgen",
    "web-sys",
    "web-time",
];

pub(crate) fn check(file: &File) -> Vec<Violation> {
    if file.path != "Cargo.lock" {
        return Vec::new();
    }
    let packages = packages(&file.text);
    let mut violations = Vec::new();
    let mut known = BTreeSet::from(["transcript-core"]);
    let mut waiting = vec!["transcript-core"];
    while let Some(name) = waiting.pop() {
        let Some((_, needs)) = packages.get(name) else { continue };
        for need in needs {
            if known.insert(need) {
                waiting.push(need);
            }
            if IMPURE.contains(need) {
                let line = packages.get(need).map_or(1, |(line, _)| *line);
                let what = format!("the core must not be built of `{need}`, which `{name}` brings in");
                violations.push(Violation::new(file, line, what));
            }
        }
    }
    violations
}

/// Every package of the lock file with its line and the names of what it needs. Several versions of a package
/// count as one, which finds too much rather than too little.
fn packages(lock: &str) -> BTreeMap<&str, (usize, Vec<&str>)> {
    let mut packages: BTreeMap<&str, (usize, Vec<&str>)> = BTreeMap::new();
    let mut current = "";
    for (index, line) in lock.lines().enumerate() {
        if let Some(name) = line.strip_prefix("name = ") {
            current = name.trim_matches('"');
            packages.entry(current).or_insert((index + 1, Vec::new()));
        } else if let Some(need) = line.strip_prefix(" \"") {
            let name = need.split([' ', '"']).next().unwrap_or_default();
            packages.entry(current).or_default().1.push(name);
        }
    }
    packages
}

#[test]
fn an_impure_crate_is_found_through_another() {
    let lock = "[[package]]\nname = \"transcript-core\"\ndependencies = [\n \"ahash 0.8.0\",\n]\n\n\
                [[package]]\nname = \"ahash\"\ndependencies = [\n \"getrandom\",\n]\n\n\
                [[package]]\nname = \"getrandom\"\n\n\
                [[package]]\nname = \"transcript-web\"\ndependencies = [\n \"web-sys\",\n]\n";
    let found: Vec<String> =
        check(&File::sample("Cargo.lock", lock)).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["Cargo.lock:14: the core must not be built of `getrandom`, which `ahash` brings in"]);
}
