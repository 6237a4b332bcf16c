//! No source and no test reads files outside of the repository: it would run on one machine alone.
//!
//! Paths with `..` are looked at where a program reads by them. None may climb higher than the repository, and what each
//! leads to has to be in there, or be left there by a build.

use std::collections::BTreeSet;

use crate::Violation;
use crate::files::File;

/// What a build leaves in the repository, which git ignores.
const OUTPUTS: [&str; 5] = ["dist", "target", "node_modules", ".tools", "pkg"];

/// What is on a line that reads by a path.
const READERS: [&str; 14] = [
    "join(",
    "joinpath(",
    "resolve(",
    "include_str!",
    "include_bytes!",
    "include!",
    "#[path",
    "CARGO_MANIFEST_DIR",
    "import",
    "from ",
    "require(",
    "new URL(",
    "open(",
    "path = ",
];

/// The files of the repository and their folders.
pub(crate) fn places(files: &[String]) -> BTreeSet<&str> {
    let mut places = BTreeSet::new();
    for file in files {
        let mut path = Some(file.as_str());
        while let Some(place) = path {
            places.insert(place);
            path = place.rsplit_once('/').map(|(folder, _)| folder);
        }
    }
    places
}

pub(crate) fn check(file: &File, places: &BTreeSet<&str>) -> Vec<Violation> {
    let is_code =
        matches!(file.extension(), "rs" | "js" | "mjs" | "cjs" | "ts" | "mts" | "py" | "sh" | "toml" | "");
    if !is_code || file.path.starts_with("LICENSE") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if !READERS.iter().any(|reader| line.contains(reader)) {
            continue;
        }
        let outside = climbing(line).into_iter().filter(|path| !is_inside(file, path, places));
        found.extend(outside.map(|path| {
            Violation::new(file, index + 1, format!("`{path}` leads to what is not in the repository"))
        }));
    }
    found
}

/// The paths in quotes on a line that begin with `..`, a slash before it aside.
fn climbing(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for quote in ['"', '\'', '`'] {
        let inner = line.split(quote).skip(1).step_by(2);
        found.extend(
            inner
                .map(|text| text.trim_start_matches('/'))
                .filter(|text| text.starts_with("../") || *text == ".."),
        );
    }
    found
}

fn is_inside(file: &File, path: &str, places: &BTreeSet<&str>) -> bool {
    let own = folder(&file.path);
    let mut package = own;
    while !package.is_empty() && !places.contains(format!("{package}/Cargo.toml").as_str()) {
        package = folder(package);
    }
    let bases = if file.extension() == "rs" { vec![own, package] } else { vec![own] };
    let ups = path.split('/').take_while(|part| *part == "..").count();
    let reaches = |base: &&str| base.split('/').filter(|part| !part.is_empty()).count() >= ups;
    bases.iter().any(reaches) && is_there(path, places)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether what a path leads to is somewhere in the repository, or is left there by a build.
fn is_there(path: &str, places: &BTreeSet<&str>) -> bool {
    // The rest may be made up when the program runs, or go on in another text.
    let known = path.split(['$', '{', '*', '?', '#']).next().unwrap_or_default();
    let known = if known.len() < path.len() { folder(known) } else { known };
    let rest: Vec<&str> = known.split('/').filter(|part| !matches!(*part, ".." | "." | "")).collect();
    let target = rest.join("/");
    let is_output = rest.iter().any(|part| OUTPUTS.contains(part));
    let is_end = |place: &&str| {
        place.strip_suffix(&target).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    target.is_empty() || is_output || places.iter().any(is_end)
}

#[test]
fn a_path_out_of_the_repository_is_found() {
    let names = ["tests/Cargo.toml", "tests/replay/formats.rs", "tests/replay/a.js", "public/docs/cli.md"];
    let names = names.map(str::to_owned);
    // Written so that this file keeps its own rule.
    let found = |path: &str, line: &str| {
        let line = line.replace("UP", "..");
        check(&File::sample(path, &line), &places(&names)).len()
    };
    for (path, line) in [
        ("tests/replay/formats.rs", r#"Path::new(env!("CARGO_MANIFEST_DIR")).join("UP/UP/shared/samples")"#),
        ("tests/replay/formats.rs", r#"let text = include_str!("UP/UP/UP/cli.md");"#),
        ("tests/replay/formats.rs", r#"let folder = tests.join("UP/shared");"#),
        ("tests/replay/formats.rs", r#"concat!(env!("CARGO_MANIFEST_DIR"), "/UP/UP/other/file")"#),
        ("tests/replay/a.js", "import { a } from 'UP/UP/UP/other/a.js'"),
        ("tests/replay/a.js", "const text = readFileSync(new URL('UP/UP/shared/a.json', import.meta.url))"),
    ] {
        assert_eq!(found(path, line), 1, "{line}");
    }
    for (path, line) in [
        ("tests/replay/formats.rs", r#"Path::new(env!("CARGO_MANIFEST_DIR")).join("UP")"#),
        ("tests/replay/formats.rs", r#"concat!(env!("CARGO_MANIFEST_DIR"), "/UP/public/docs/")"#),
        ("tests/replay/formats.rs", r#"let text = include_str!("UP/UP/public/docs/cli.md");"#),
        ("tests/replay/a.js", "const page = new URL(`UP/UP/public/docs/${name}.md`, import.meta.url)"),
        ("tests/replay/a.js", "const site = join(here, 'UP/UP/dist/site')"),
        ("tests/replay/a.js", "const asked = '/UP/secret.txt'"),
    ] {
        assert_eq!(found(path, line), 0, "{line}");
    }
}
