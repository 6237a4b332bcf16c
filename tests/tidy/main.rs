//! The rules of the architecture that no compiler checks: which stage may use which, how long a file may
//! grow, and what must not be in the repository.
//!
//! Every rule is a function from a file to its violations, and is tried on a file that breaks it.

mod arrows;
mod code;
mod core_tree;
mod descriptions;
mod edges;
mod files;
mod length;
mod outside;
mod places;

use std::fmt;

use files::File;

/// One place that breaks a rule.
#[derive(Debug, PartialEq)]
struct Violation {
    file: String,
    /// From 1.
    line: usize,
    what: String,
}

impl Violation {
    fn new(file: &File, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// Applies `rule` to every file of the repository.
fn hold(rule: impl Fn(&File) -> Vec<Violation>) {
    let files = files::of_repository();
    // A search that finds nothing would keep every rule.
    assert!(files.iter().any(|file| file.path == "core/src/lib.rs"), "the repository's files are not found");
    let violations: Vec<String> =
        files.iter().flat_map(rule).map(|violation| violation.to_string()).collect();
    assert!(violations.is_empty(), "{} places break a rule:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn a_stage_uses_only_stages_to_its_left() {
    hold(arrows::check);
}

#[test]
fn files_stay_short() {
    hold(length::check);
}

#[test]
fn only_the_edge_knows_the_browser() {
    hold(edges::check);
}

#[test]
fn the_core_is_built_of_pure_crates() {
    hold(core_tree::check);
}

#[test]
fn only_completion_reads_descriptions() {
    hold(descriptions::check);
}

#[test]
fn no_file_reads_what_is_outside_of_the_repository() {
    let names = files::names();
    let places = outside::places(&names);
    hold(|file| outside::check(file, &places));
}

#[test]
fn no_file_names_a_machine_or_a_private_registry() {
    hold(places::check);
}

/// The folders and files of the top level, apart from those that begin with a dot.
const TOP: [&str; 16] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "biome.jsonc",
    "core",
    "deny.toml",
    "public",
    "rustfmt.toml",
    "tests",
    "wasm-pkg",
    "web",
    "xtask",
];

#[test]
fn the_top_level_holds_nothing_else() {
    let names = files::names();
    let tops = names.iter().filter_map(|path| path.split('/').next());
    let others: Vec<&str> = tops.filter(|top| !top.starts_with('.') && !TOP.contains(top)).collect();
    assert_eq!(others, Vec::<&str>::new());
}
